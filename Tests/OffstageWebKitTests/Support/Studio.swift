import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// The engine that most tests share; it ends with the process.
@MainActor
enum Studio {
    static let renderer = make()

    /// A new renderer, for tests that break it or count its processes. Call `finish` on it.
    static func make(views: Int = 1) -> Renderer {
        _ = pinned
        let engine = WebEngine(views: views)
        // Without the sandbox, a view's web process is a child of this process, so a test can find and kill it.
        engine.sandbox = .never
        return Renderer(engine: engine)
    }

    /// Disables the network namespace, to test the layers below it, each of which must be sufficient by itself.
    private static let pinned: Void = {
        PinnedEnvironment.apply()
        NetworkNamespace.isWanted = false
    }()
}

/// Draws with the shared engine.
func draw(_ snippet: Snippet) throws -> RenderedPicture {
    try onLoop { try await Studio.renderer.picture(for: snippet) }
}

/// Draws a document on a page without margins, by default 100 CSS px wide.
func draw(
    _ body: String, style: String = "", width: Int = 100, scale: Double = 1, base: (any ResourceProvider)? = nil
) throws -> RenderedPicture {
    try draw(page(body, style: style, width: width, scale: scale, base: base))
}

/// A standards-mode document without margins.
func page(
    _ body: String, style: String = "", width: Int = 100, scale: Double = 1, base: (any ResourceProvider)? = nil
) -> Snippet {
    let html = "<!doctype html><meta charset=utf-8><style>body{margin:0}\(style)</style><body>\(body)"
    var snippet = Snippet(html, identifier: "test", width: width, scale: scale)
    snippet.base = base
    // A long time limit, because other programs may occupy all processors.
    snippet.timeout = 60
    return snippet
}

/// The error if there is no picture. The test fails if there is one.
func refusal(of snippet: Snippet, file: StaticString = #filePath, line: UInt = #line) -> DrawingError? {
    do {
        let image = try draw(snippet)
        XCTFail("drawn, \(image.size)", file: file, line: line)
        return nil
    } catch let error as RenderError {
        return error.reason
    } catch {
        XCTFail("\(error)", file: file, line: line)
        return nil
    }
}

/// Draws all the snippets, as many at once as the renderer can. The pictures are in the snippets' order.
func draw(_ snippets: [Snippet], with renderer: Renderer) async throws -> [RenderedPicture] {
    try await withThrowingTaskGroup(of: (Int, RenderedPicture).self) { group in
        for (index, snippet) in snippets.enumerated() {
            group.addTask { (index, try await renderer.picture(for: snippet)) }
        }
        var images = [RenderedPicture?](repeating: nil, count: snippets.count)
        while let (index, image) = try await group.next() { images[index] = image }
        return images.map { $0! }
    }
}
