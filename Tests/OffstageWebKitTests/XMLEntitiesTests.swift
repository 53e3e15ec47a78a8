import Foundation
import Offstage
import XCTest

@testable import OffstageHTML
@testable import OffstageWebKit

/// Entities whose expansion grows exponentially cause an error before WebKit sees them; ordinary ones work.
final class XMLEntitiesTests: XCTestCase {
    private static func laughs(_ levels: Int, _ text: String = "aaaaaaaaaa") -> String {
        "<!ENTITY e0 \"\(text)\">"
            + (1..<levels).map { "<!ENTITY e\($0) \"\(String(repeating: "&e\($0 - 1);", count: 10))\">" }.joined()
    }

    private static func svg(_ declarations: String, _ body: String, head: String = "") -> String {
        """
        \(head)<!DOCTYPE svg [\(declarations)]><svg xmlns="http://www.w3.org/2000/svg" width="100" height="20">\
        <rect width="100" height="20" fill="red"/>\(body)</svg>
        """
    }

    private static let multiplying: [(String, String)] = [
        ("nested", svg(laughs(5), "<text>&e4;</text>")),
        ("deep", svg(laughs(40), "<text>&e39;</text>")),
        ("in an attribute", svg(laughs(5), "<text id='&e4;'/>")),
        (
            "quadratic",
            svg("<!ENTITY a '\(String(repeating: "a", count: 3000))'>", String(repeating: "&a;", count: 3333))
        ),
        (
            "by references to characters",
            svg(
                "<!ENTITY b '\(String(repeating: "&#38;a;", count: 500))'>"
                    + "<!ENTITY a '\(String(repeating: "a", count: 500))'>", "<text>&b;</text>")
        ),
        (
            "by long references",
            svg(
                "<!ENTITY b '\(String(repeating: "&#x0000000026;a;", count: 500))'>"
                    + "<!ENTITY a '\(String(repeating: "a", count: 500))'>", "<text>&b;</text>")
        ),
        (
            "after a comment",
            svg("<!-- ]> ' -->\(laughs(5))", "<text>&e4;</text>", head: "<?xml version='1.0'?><!-- ' --> ")
        ),
        (
            "after a file's",
            svg("<!ENTITY % a SYSTEM \"b\">%a;<!ENTITY c SYSTEM 'd'><?e '?>\(laughs(5))", "<text>&e4;</text>")
        ),
        ("with a name of many letters", svg(laughs(5).replacing("e", with: "é"), "<text>&é4;</text>")),
        ("the first declaration counts", svg(laughs(5) + "<!ENTITY e4 ''>", "<text>&e4;</text>")),
        (
            "elements",
            svg("<!ENTITY a '\(String(repeating: "<g/>", count: 4000))'>", String(repeating: "&a;", count: 5))
        ),
        (
            "default attributes",
            svg(
                "<!ATTLIST g id CDATA '\(String(repeating: "a", count: 5000))'>",
                String(repeating: "<g/>", count: 20))
        ),
        (
            "default attributes of an entity's elements",
            svg(
                "<!ENTITY a '\(String(repeating: "<g/>", count: 20))'>"
                    + "<!ATTLIST g id CDATA '\(String(repeating: "a", count: 5000))'>", "&a;")
        ),
        ("a default attribute's entities", svg(laughs(5) + "<!ATTLIST g id CDATA '&e4;'>", "<g/>")),
        ("one that contains itself", svg("<!ENTITY a '&b;'><!ENTITY b '&a;'>", "<text>&a;</text>")),
    ]

    private static let usual: [(String, String)] = [
        (
            "Illustrator",
            svg(
                "<!ENTITY ns_svg \"http://www.w3.org/2000/svg\"><!ENTITY ns_xlink \"http://www.w3.org/1999/xlink\">",
                "<g xmlns='&ns_svg;' xmlns:xlink='&ns_xlink;'><rect width='9' height='9'/></g>")
        ),
        (
            "predefined",
            svg("<!ENTITY lt '&#38;#60;'>", "<desc>\(String(repeating: "&lt;&amp;&#65;", count: 30_000))</desc>")
        ),
        ("some elements", svg("<!ENTITY star '<path d=\"M0 0h9\"/>'>", String(repeating: "&star;", count: 500))),
        (
            "as large as the document",
            svg(
                "<!ENTITY name '\(String(repeating: "Offstage ", count: 5))'>",
                String(repeating: "<desc>&name; and more text, as long as the name is</desc>", count: 2000))
        ),
        ("a default attribute", svg("<!ATTLIST svg version CDATA #FIXED '1.1'>", "")),
    ]

    /// Unused entities whose expansion would grow exponentially. WebKit 2.50 draws the document; 2.54 refuses it.
    private static let unused: [(String, String)] = [
        ("unused", svg(laughs(9), "")),
        ("in a comment", svg(laughs(9), "<!-- &e8; --><style><![CDATA[ &e8; ]]></style>")),
    ]

    private func excess(_ xml: Data) -> XMLExcess? {
        do throws(XMLExcess) {
            try XMLExcess.check(xml)
            return nil
        } catch { return error }
    }

    func testWhatMultipliesIsFound() {
        for (way, xml) in Self.multiplying { XCTAssertNotNil(excess(Data(xml.utf8)), way) }
        for (way, xml) in Self.usual + Self.unused { XCTAssertNil(excess(Data(xml.utf8)), way) }
    }

    func testInUTF16AndBehindSignsThatMeanNothing() throws {
        for (way, xml) in Self.multiplying {
            for encoding in [String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian] {
                guard encoding == .utf16 || !xml.hasPrefix("<?") else { continue }
                let document = encoding == .utf16 ? xml : "<?xml version='1.0'?>" + xml
                XCTAssertNotNil(excess(try XCTUnwrap(document.data(using: encoding))), "\(way) \(encoding)")
            }
            let hidden = xml.replacing("<!ENTITY", with: "<!EN\u{1B}(BTITY").replacing(
                "<!ATTLIST", with: "<!AT\u{1B}(BTLIST")
            XCTAssertNotNil(excess(Data(hidden.utf8)), way)
        }
    }

    /// Each document is drawn or causes an error that names the reason, wherever WebKit would load it from.
    func testDrawings() throws {
        for (way, xml) in Self.multiplying {
            var snippet = Snippet(xml, identifier: "", width: 100)
            snippet.type = .svg
            XCTAssertEqual(try problem(snippet), "entities-multiply", way)
            for uri in [
                "data:image/svg+xml;base64,\(Data(xml.utf8).base64EncodedString())",
                "DATA:image/svg+xml,\(percent(xml))",
                "data:application/xml,\(percent(xml))",
            ] {
                XCTAssertEqual(
                    try problem(page("<img src='\(uri)'><iframe src='\(uri)'></iframe>")), "entities-multiply", way)
            }
            let sheet = "p{background:url(a.svg)}"
            let files = ["a.svg": xml, "a.css": "p{background:url('data:image/svg+xml,\(percent(xml))')}"]
            let image = try draw(
                "<img src=a.svg><link rel=stylesheet href=a.css><p>x", style: sheet, base: MemoryFolder(text: files))
            XCTAssertEqual(image.warnings.map(\.subject).sorted(), ["a.css", "a.svg"], way)
            XCTAssert(image.warnings.allSatisfy { $0.code == .resourceRefused }, "\(way): \(image.warnings)")
        }
        for (way, xml) in Self.usual {
            var snippet = Snippet(xml, identifier: "", width: 100)
            snippet.type = .svg
            XCTAssertGreaterThan(try draw(snippet).count(of: .red), 500, way)
            let image = try draw("<img src=a.svg>", base: MemoryFolder(text: ["a.svg": xml]))
            XCTAssertGreaterThan(image.count(of: .red), 500, way)
            XCTAssertEqual(image.warnings, [], way)
        }
    }

    private func percent(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// The code of the drawing's error; nil if it succeeded.
    private func problem(_ snippet: Snippet) throws -> String? {
        do {
            _ = try draw(snippet)
            return nil
        } catch let error as RenderError {
            guard case .unusable(let problem) = error.reason else { return "\(error)" }
            return problem.code
        }
    }
}
