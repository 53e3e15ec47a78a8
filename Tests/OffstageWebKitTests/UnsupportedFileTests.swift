import Foundation
import Offstage
import XCTest

@testable import OffstageHTML
@testable import OffstageWebKit

/// Files that XML uses and that are never loaded cause warnings, wherever that XML is.
final class UnsupportedFileTests: XCTestCase {
    private static let entity = "<!DOCTYPE svg [<!ENTITY e SYSTEM 'in.txt'>]>"

    private static func svg(_ head: String, _ body: String = "<text y='20' id='a'>text&e;</text>") -> String {
        "\(head)<svg xmlns='http://www.w3.org/2000/svg' width='50' height='30'>\(body)</svg>"
    }

    private static func xhtml(_ head: String, _ body: String) -> String {
        "\(head)<html xmlns='http://www.w3.org/1999/xhtml'><body>text\(body)</body></html>"
    }

    private func unsupported(_ name: String, in user: String?) -> DrawingWarning {
        DrawingWarning(.resourceUnsupported, name, reason: user.map { "in \($0)" })
    }

    private func warnings(_ body: String, _ files: [String: Data], style: String = "") throws -> [DrawingWarning] {
        try draw(body, style: style, base: MemoryFolder(files)).warnings
    }

    func testFilesOfTheBaseFolder() throws {
        let image = Self.svg(Self.entity)
        let code = Data(image.utf8).base64EncodedString()
        let files = [
            "f.svg": Data(image.utf8), "16.svg": try XCTUnwrap(image.data(using: .utf16)),
            "f.xhtml": Data(Self.xhtml(Self.entity, "&e;").utf8),
            "a.css": Data("p{background:url('data:image/svg+xml;base64,\(code)')}".utf8),
        ]
        for (body, file) in [
            ("<img src=f.svg>", "f.svg"), ("<img src=16.svg>", "16.svg"), ("<iframe src=f.xhtml></iframe>", "f.xhtml"),
            ("<object data=f.xhtml></object>", "f.xhtml"), ("<embed src=f.svg>", "f.svg"),
            ("<p style='background:url(f.svg)'>text", "f.svg"),
            ("<svg width=50 height=30><image href=f.svg width=50 height=30 /></svg>", "f.svg"),
            ("<svg width=50 height=30><use href='f.svg#a'/></svg>", "f.svg"),
            ("<link rel=stylesheet href=a.css><p>text", "a data URI in a.css"),
        ] {
            XCTAssertEqual(try warnings(body, files), [unsupported("in.txt", in: file)], body)
        }
        // A text file that is not parsed as XML causes no warning.
        XCTAssertEqual(try warnings("<iframe src=f.txt width=50></iframe>", ["f.txt": Data(image.utf8)]), [])
    }

    func testDataURIs() throws {
        let image = Self.svg(Self.entity)
        let plain = try XCTUnwrap(image.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let code = Data(image.utf8).base64EncodedString()
        let outer = Self.svg("", "<image width='9' height='9' href='data:image/svg+xml;base64,\(code)'/>")
        for uri in [
            "data:image/svg+xml,\(plain)", "data:image/svg+xml;base64,\(code)",
            "data:image/svg+xml;base64,\(Data(outer.utf8).base64EncodedString())",
        ] {
            let bodies = [
                "<img src='\(uri)'>", "<p style='background:url(\(uri))'>text",
                "<svg width=50 height=30><image href='\(uri)' width=50 height=30 /></svg>",
            ]
            for body in bodies {
                XCTAssertEqual(try warnings(body, [:]), [unsupported("in.txt", in: "a data URI")], body)
            }
        }
    }

    /// Files that the document itself uses are named once, and without a reason.
    func testOtherWaysThanEntities() throws {
        func include(_ year: Int) -> String {
            "<x:include xmlns:x='http://www.w3.org/\(year)/XInclude' href='in.txt'/>"
        }
        let sheet = "<?xml version='1.0'?><!-- > --><?xml-stylesheet href='in.txt' type='text/xsl'?>"
        let type = "<!DOCTYPE svg SYSTEM 'in.dtd'>"
        for (head, body, name) in [
            ("", include(2001), "in.txt"), ("", include(2003), "in.txt"), (sheet, "", "in.txt"), (type, "", "in.dtd"),
        ] {
            var snippet = Snippet(Self.svg(head, body), identifier: "test", width: 100)
            snippet.type = .svg
            XCTAssertEqual(try draw(snippet).warnings, [unsupported(name, in: nil)], head + body)
            let files = ["f.svg": Data(Self.svg(head, body).utf8)]
            // With an XSLT style sheet, it is also an image that WebKit does not show.
            XCTAssertEqual(try warnings("<img src=f.svg>", files).first, unsupported(name, in: "f.svg"), head + body)
        }
        let parameter = "<!DOCTYPE svg [<!ENTITY % e SYSTEM 'in.txt'> %e;]>"
        let files = ["f.svg": Data(Self.svg(parameter, "").utf8)]
        XCTAssertEqual(try warnings("<img src=f.svg>", files).first, unsupported("in.txt", in: "f.svg"))
    }

    func testNothingIsMissing() throws {
        let types = [
            "html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd'",
            "html PUBLIC '-//W3C//DTD XHTML 1.1//EN' 'xhtml11.dtd'", "html SYSTEM 'about:legacy-compat'",
            "svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd'",
            "svg PUBLIC '-//W3C//DTD SVG 20010904//EN' 'svg10.dtd'", "svg SYSTEM 'svg-20000303-stylable.dtd'",
            "svg [<!ENTITY e SYSTEM 'in.txt'><!ENTITY % p SYSTEM 'in.txt'>]",
            "svg [<!NOTATION n SYSTEM 'n.dtd'><!ENTITY e SYSTEM 'in.png' NDATA n>]",
        ]
        let contents = [
            "<include href='in.txt'/>", "<!-- <x:include xmlns:x='http://www.w3.org/2001/XInclude'/> -->",
            "<x:fallback xmlns:x='http://www.w3.org/2001/XInclude'/>",
        ]
        let images =
            types.map { Self.svg("<!DOCTYPE \($0)>", "") } + contents.map { Self.svg("", $0) }
            + ["<?xml-stylesheet href='in.css' type='text/css'?>", "<!-- <?xml-stylesheet type='text/xsl'?> -->"].map {
                Self.svg($0, "")
            }
        for image in images {
            XCTAssertEqual(try XMLExcess.check(Data(image.utf8)), [], image)
            XCTAssertEqual(try warnings("<img src=f.svg>", ["f.svg": Data(image.utf8)]), [], image)
        }
    }

    /// The document is well-formed.
    func testTheErrorOfAParameterEntity() throws {
        for use in ["%e;", "\n%e;\n"] {
            var snippet = Snippet(
                Self.xhtml("<!DOCTYPE html [<!ENTITY % e SYSTEM 'in.dtd'> \(use)]>", ""), identifier: "", width: 100)
            snippet.type = .xhtml
            XCTAssertThrowsError(try draw(snippet)) {
                XCTAssert("\($0)".contains("parameter entities are not supported"), "\($0)")
            }
        }
    }
}
