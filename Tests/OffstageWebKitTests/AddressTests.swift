import Foundation
import Offstage
import OffstageWebKit
import Synchronization
import XCTest

/// A document's address, which its scripts can display.
final class AddressTests: XCTestCase {
    private func scripted(_ name: String, _ script: String, base: (any ResourceProvider)? = nil) -> Snippet {
        var snippet = page("<p style='word-break:break-all'></p><script>\(script)</script>", width: 300, base: base)
        snippet.identifier = name
        snippet.runsScripts = true
        return snippet
    }

    /// Documents that display something that contains their address.
    private var documents: [Snippet] {
        let text = "document.querySelector('p').textContent"
        return [
            scripted("address", "\(text)=location.href+document.URL+document.baseURI+origin"),
            scripted("stack", "\(text)=new Error('a').stack"),
            scripted("link", "const a=document.createElement('a');a.href='b.png';\(text)=a.href"),
            scripted("frame", "\(text)=top.location.host;onerror=(...a)=>{\(text)+=a.join()};throw new Error('b')"),
            page("<p>without scripts"),
        ]
    }

    private func drawn(_ snippets: [Snippet], views: Int) throws -> [String: Data] {
        try onLoop {
            let renderer = Studio.make(views: views)
            var drawn: [String: Data] = [:]
            for (snippet, image) in zip(snippets, try await draw(snippets, with: renderer)) {
                drawn[snippet.identifier] = try image.encoded()
            }
            await renderer.finish()
            return drawn
        }
    }

    func testTheAddressIsTheSameInAnyOrder() throws {
        let forward = try drawn(documents, views: 1)
        XCTAssertEqual(forward.count, documents.count)
        XCTAssertEqual(try drawn(documents.reversed(), views: 1), forward, "backward")
        XCTAssertEqual(try drawn(documents, views: 3), forward, "with three views")
        for snippet in documents {
            XCTAssertEqual(try drawn([snippet], views: 1)[snippet.identifier], forward[snippet.identifier], "alone")
        }
    }

    /// Documents with the same address share neither stored values nor files.
    func testEqualDocumentsShareNothing() throws {
        let script = """
            document.body.style.background = sessionStorage.length || name ? 'red' : 'lime';
            sessionStorage.setItem('a', 'b'); name = 'c';
            const image = new Image(); image.src = 'a.png'; document.body.append(image);
            """
        let snippets = [Pixel.blue, .red, .blue].map { color in
            (color, scripted("a", script, base: MemoryFolder(["a.png": flatPNG(color)])))
        }
        try onLoop {
            let renderer = Studio.make()
            for (color, snippet) in snippets {
                let image = try await renderer.picture(for: snippet)
                XCTAssertEqual(image.pixel(290, 2), Pixel(0, 255, 0))
                XCTAssertEqual(image.count(of: color), 100)
            }
            XCTAssertEqual(renderer.restarts, 0)
            await renderer.finish()
        }
    }

    /// A request for another document's address is refused without a warning, like a late request of an earlier
    /// document.
    func testAnotherDocumentsAddress() throws {
        for host in ["d0123456789abcdef", "7"] {
            let files = MemoryFolder(["a.png": flatPNG(.red)])
            let image = try draw("<img src='offstage://\(host)/a.png'>", base: files)
            XCTAssertEqual(image.count(of: .red), 0, host)
            XCTAssertFalse(image.warnings.contains { $0.code == .resourceBlocked }, host)
        }
        let warnings = try draw("<img src='//example.org/a.png'>", base: MemoryFolder()).warnings
        XCTAssertEqual(warnings.map(\.code), [.resourceBlocked])
    }

    // MARK: The window

    /// While scripts run, they see an ordinary window, and not the one in which Offstage measures the document.
    func testTheWindowOfScripts() throws {
        let script = """
            addEventListener('resize', () => { document.body.style.background = 'red' });
            const size = [innerHeight, document.documentElement.clientHeight, visualViewport.height];
            const bar = document.querySelector('p');
            bar.style.cssText = `margin:0;background:blue;height:10px;width:${Math.max(...size) / 10}px`;
            if (!matchMedia(`(height: ${Math.min(...size)}px)`).matches) bar.remove();
            """
        for (height, set) in [
            (600, { _ in }), (700, { $0.minimumHeight = 700 }), (300, { $0.maximumHeight = 300 }),
            (150, { $0.viewportHeight = 150 }), (200, { $0.height = .fixed(200) }),
        ] as [(Int, (inout Geometry) -> Void)] {
            var snippet = scripted("window", script)
            set(&snippet.geometry)
            let image = try draw(snippet)
            XCTAssertEqual(image.count(of: .blue), height, "\(height)")
            XCTAssertEqual(image.count(of: .red), 0, "\(height)")
        }
        XCTAssertEqual(try draw(scripted("window", script)).size.height, 10)
    }

    // MARK: Dictionaries

    /// Loading a dictionary takes seconds, which do not count against a document's time. The first document whose
    /// style sheet needs a dictionary is loaded twice, the second time after the dictionary.
    func testADictionaryForAStyleSheetOfTheBaseFolder() throws {
        let asked = Mutex<[String]>([])
        var files = MemoryFolder(text: ["a.css": "p{hyphens:auto;-webkit-hyphens:auto}"])
        files.asked = { path in asked.withLock { $0.append(path) } }
        let body = "<link rel=stylesheet href=a.css><p lang=%>Silbentrennungsverfahren Silbentrennungsverfahren</p>"
        func snippet(_ language: String, scripts: Bool) -> Snippet {
            var snippet = page(body.replacing("%", with: language), base: files)
            snippet.identifier = "\(language) \(scripts)"
            snippet.runsScripts = scripts
            return snippet
        }
        try onLoop {
            let renderer = Studio.make()
            for (language, scripts, count) in [
                ("de", false, 2), ("de-AT", false, 2), ("de", true, 2), ("en", false, 1), ("en", true, 1),
            ] {
                asked.withLock { $0 = [] }
                let image = try await renderer.picture(for: snippet(language, scripts: scripts))
                XCTAssertEqual(image.warnings, [], "\(language) \(scripts)")
                XCTAssertEqual(asked.withLock(\.count), count, "\(language) \(scripts)")
            }
            // The process has the dictionary now.
            asked.withLock { $0 = [] }
            var again = snippet("de", scripts: false)
            again.geometry.width = 90
            let image = try await renderer.picture(for: again)
            XCTAssertEqual(asked.withLock(\.count), 1)
            XCTAssertGreaterThan(image.size.height, 60)
            XCTAssertEqual(renderer.restarts, 0)
            await renderer.finish()
        }
    }
}
