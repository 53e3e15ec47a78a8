import Foundation
import Offstage
import XCTest

@testable import OffstageHTML
@testable import OffstageWebKit

/// Animated content in shadow trees, open or closed, is also frozen.
final class ShadowStillTests: XCTestCase {
    private static let style = """
        <style>@keyframes a{from{width:20px}to{width:100px}} p{margin:0;height:10px;background:red;animation:a 100s both}
        :host{display:block;height:10px;background:red;animation:a 100s both} ::slotted(*){animation:a 100s both}</style>
        """
    private static let content = "<slot></slot><p></p>"
    private static let slotted = "<div style='height:10px;background:red'></div>"

    private static func percent(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    private static func declared(_ mode: String) -> String {
        "<div><template shadowrootmode=\(mode)>\(style)\(content)</template>\(slotted)</div>"
    }

    private static func frame(_ attributes: String) -> String {
        "<iframe width=100 height=30 style='border:0;display:block' \(attributes)></iframe>"
    }

    /// Checks that the host, its child and the paragraph in its shadow tree are 100 px wide, as their animations end.
    private func assertEnded(_ image: RenderedPicture, _ way: String, line: UInt = #line) {
        for (x, y) in [(99, 5), (50, 15), (99, 25)] {
            let pixel = image.pixel(x, y)
            XCTAssert(pixel.red > 200 && pixel.green < 60, "\(way): \(x), \(y)", line: line)
        }
    }

    func testDeclaredTrees() throws {
        for mode in ["open", "closed", "'CLOSED'"] {
            let tree = Self.declared(mode).replacing("<slot></slot>", with: "<p></p><slot></slot>")
            let html = "<!doctype html><style>body{margin:0}</style>\(tree)"
            assertEnded(try draw(tree), mode)
            let uri = Self.frame("src=\"data:text/html,\(Self.percent(html))\"")
            assertEnded(try draw(uri), "a data URI, \(mode)")
            let file = try draw(Self.frame("src=a.html"), base: MemoryFolder(text: ["a.html": html]))
            assertEnded(file, "a file, \(mode)")
        }
    }

    func testTreesOfScripts() throws {
        for mode in ["open", "closed"] {
            let script = """
                <div id=host>\(Self.slotted)</div><script>
                const root = host.attachShadow({ mode: '\(mode)' });
                root.innerHTML = `\(Self.style)<p></p>\(Self.content)`;
                if ((host.shadowRoot === null) !== ('\(mode)' === 'closed') || root.mode !== '\(mode)') root.innerHTML = '';
                </script>
                """
            var snippet = page(script)
            snippet.runsScripts = true
            assertEnded(try draw(snippet), mode)
        }
    }

    func testTreesThatScriptsDeclare() throws {
        let tree = Self.declared("closed").replacing("<slot></slot>", with: "<p></p><slot></slot>")
        for (way, script) in [
            ("setHTMLUnsafe", "host.setHTMLUnsafe(html)"), ("write", "document.write(html)"),
            ("writeln", "document.writeln(html, '<!-- -->')"),
            ("in another tree", "host.attachShadow({ mode: 'closed' }).setHTMLUnsafe(html)"),
            (
                "parseHTMLUnsafe",
                "host.replaceWith(document.adoptNode(Document.parseHTMLUnsafe(html).body.firstChild))"
            ),
        ] {
            var snippet = page("<div id=host></div><script>const html = `\(tree)`; \(script)</script>")
            snippet.runsScripts = true
            assertEnded(try draw(snippet), way)
        }
    }

    /// Text that looks like a tag is shown as written.
    func testTextAboutTrees() {
        for text in [
            "<textarea><template shadowrootmode=closed></textarea>", "&lt;template shadowrootmode=closed>",
            "<style>/*</style><title><template shadowrootmode=closed>", "<p shadowrootmode=closed>",
            "<template><p>shadowrootmode=closed", "<template shadowrootmode=open>",
        ] {
            XCTAssertEqual(String(decoding: ClosedShadowTrees.opened(Data(text.utf8)), as: UTF8.self), text)
        }
        let tag = "<title>a</title><TEMPLATE a=b shadowRootMode = \"closed\" c>"
        XCTAssertEqual(
            String(decoding: ClosedShadowTrees.opened(Data(tag.utf8)), as: UTF8.self),
            tag.replacing("closed", with: "open"))
    }
}
