import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// XML documents whose root element lacks its namespace: WebKit would draw nothing, or only their text.
final class NamespaceTests: XCTestCase {
    private func document(_ html: String, _ type: Snippet.DocumentType) -> Snippet {
        var snippet = Snippet(html, identifier: "namespace")
        snippet.type = type
        return snippet
    }

    func testARootWithoutItsNamespace() throws {
        let rect = "<rect width='50' height='50' fill='red'/>"
        for (html, type, root, namespace) in [
            (
                "<svg width='100' height='50'>\(rect)</svg>", Snippet.DocumentType.svg, "svg",
                "http://www.w3.org/2000/svg"
            ),
            ("<html><body>text</body></html>", .xhtml, "html", "http://www.w3.org/1999/xhtml"),
        ] {
            let error = refusal(of: document(html, type))
            XCTAssertEqual(error, .namespaceMissing(root: root, namespace))
            XCTAssertEqual(
                error?.description,
                "the root element <\(root)> is in no namespace; add xmlns=\"\(namespace)\" to it, or render it as HTML")
        }
        let whole = "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='50'>\(rect)</svg>"
        let picture = try draw(document(whole, .svg))
        XCTAssertEqual(picture.warnings, [])
        XCTAssertGreaterThan(picture.count(of: .red), 0)
    }

    /// Prefixes also declare a namespace, and other kinds of XML are drawn as text.
    func testOtherRoots() throws {
        let rect = "<s:rect width='9' height='9'/>"
        let prefixed = "<s:svg xmlns:s='http://www.w3.org/2000/svg' width='9' height='9'>\(rect)</s:svg>"
        XCTAssertEqual(try draw(document(prefixed, .svg)).warnings, [])
        XCTAssertEqual(try draw(document("<data>text</data>", .xhtml)).warnings, [])
    }
}
