import Foundation
import Offstage

/// A snippet as WebKit gets it, and the facts found in its bytes. Making it takes time in proportion to the bytes.
struct PreparedSnippet: Sendable {
    private(set) var snippet: Snippet
    private(set) var source: SourceText

    /// The maximum size, in bytes, of a document that is prepared immediately. A larger one is prepared off the main
    /// thread, and the time counts against its deadline.
    static let small = 1 << 17

    /// - Throws: `DrawingError.overLimit`, and the errors of an `XMLExcess`. If the task is cancelled, the result is
    ///   meaningless.
    init(_ original: Snippet) throws(DrawingError) {
        snippet = original.inUTF8()
        source = SourceText(snippet)
        // Some images are decoded while the document is laid out.
        try source.check(snippet.limits)
        do throws(XMLExcess) {
            if snippet.type == .html {
                try SVGUses.check(snippet.html)
            } else {
                source.unsupported = try XMLExcess.check(snippet.html).map { UnsupportedFile(name: $0) }
            }
            let html = source.namesShadowRoots ? ClosedShadowTrees.opened(snippet.html) : snippet.html
            let kind = MarkupKind(snippet.type)
            let (text, unsupported) = try AnimatedSVG.stopped(
                inText: AnimatedImage.stopped(inText: html, of: kind), of: kind)
            source.unsupported += unsupported.map { UnsupportedFile(name: $0, user: "a data URI") }
            snippet.html = FontDisplay.patient(inDocument: text)
            snippet.styleSheets = snippet.styleSheets.map {
                String(decoding: FontDisplay.patient(inStyleSheet: Data($0.utf8)), as: UTF8.self)
            }
        } catch { throw .multiplies(error) }
    }

    /// Prepares the snippet off the caller's thread. Cancelling the task ends this soon.
    @concurrent
    static func elsewhere(_ snippet: Snippet) async throws(DrawingError) -> PreparedSnippet {
        try PreparedSnippet(snippet)
    }
}
