import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// In a document, an element's name can hide a property of `document`, a form field's name can hide a property of the
/// form, and a name can stand in for a missing global. None of Offstage's scripts is fooled.
final class NameTests: XCTestCase {
    /// All identifiers in our scripts, which are all that the scripts could look up.
    private static let names: [String] = {
        let folder = Repository.root + "/Sources/HTML"
        let scripts = (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []).filter {
            $0.hasSuffix(".js")
        }
        let text = scripts.compactMap { try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }.joined(
            separator: " ")
        return Set(text.matches(of: /[A-Za-z_$][\w$]*/).map { String($0.output) }).sorted()
    }()

    /// Draws the body once with these names and once with other names.
    private func assertNothingIsHidden(
        _ snippet: Snippet, _ body: ([String]) -> String, file: StaticString = #filePath, line: UInt = #line
    ) throws {
        func image(_ names: [String]) throws -> RenderedPicture {
            var snippet = snippet
            snippet.html.append(contentsOf: Data(body(names).utf8))
            return try draw(snippet)
        }
        let plain = try image(Self.names.map { "x-\($0)" })
        let named = try image(Self.names)
        assertSamePixels(named, plain, file: file, line: line)
        XCTAssertEqual(named.warnings, plain.warnings, file: file, line: line)
        XCTAssertEqual(named.content?.text, plain.content?.text, file: file, line: line)
    }

    /// A page that exercises every one of our scripts.
    private func snippet(_ change: (inout Snippet) -> Void = { _ in }) -> Snippet {
        var snippet = page(
            """
            <p>a \u{E000} é</p><progress></progress><input type=date><marquee>m</marquee><img src=missing.png>
            <video poster='\(flatURI(.green))'></video><svg><use href='http://example.com/a.svg#a' /></svg>
            <a href=b>link</a><div style='content-visibility:auto'>c</div>
            """,
            style:
                "p{animation:a 9s both;font-family:Nowhere;background:url(http://example.com/b)} @keyframes a{to{color:red}}",
            width: 300, base: MemoryFolder())
        snippet.keepsAreas = true
        change(&snippet)
        return snippet
    }

    private let kinds: [(String) -> String] = [
        { "<img name=\($0) width=1 height=1>" }, { "<form name=\($0)></form>" }, { "<embed name=\($0) width=1>" },
        { "<object id=\($0) width=1></object>" }, { "<i id=\($0)></i>" },
    ]

    func testNamesOfTheDocument() throws {
        XCTAssertGreaterThan(Self.names.count, 500)
        for kind in kinds { try assertNothingIsHidden(snippet()) { $0.map(kind).joined() } }
    }

    func testNamesOfFrames() throws {
        // An engine allows at most a thousand frames.
        try assertNothingIsHidden(snippet()) {
            $0.prefix(150).map { "<iframe name=\($0) width=9 height=9></iframe>" }.joined()
        }
    }

    func testNamesOfAForm() throws {
        let style =
            "color:red;font-family:Nowhere;background:url(http://example.com/a);content-visibility:auto;overflow:hidden"
        try assertNothingIsHidden(snippet()) { names in
            "<form style='\(style)' background=b face=Nowhere>text é \(names.map { "<input type=hidden name=\($0)>" }.joined())"
        }
    }

    func testInOtherWaysToDraw() throws {
        let body = { (names: [String]) in
            names.map { "<img name=\($0) width=1 height=1>" }.joined()
                + "<form style='position:fixed;top:0'>f\(names.map { "<input type=hidden name=\($0)>" }.joined())</form>"
        }
        try assertNothingIsHidden(
            snippet {
                $0.emulation.mediaType = .print
                $0.emulation.language = "de"
                $0.styleSheets = ["p{color:green}"]
            }, body)
        try assertNothingIsHidden(snippet { $0.emulation.colorScheme = .dark }, body)
        try assertNothingIsHidden(snippet { $0.selector = .init("form") }, body)
        try assertNothingIsHidden(
            snippet { $0.html.append(contentsOf: Data("<div style='height:40000px'></div>".utf8)) }, body)
    }

    func testAVectorPicture() throws {
        for names in [Self.names, Self.names.map { "x-\($0)" }] {
            var snippet = snippet()
            snippet.html.append(contentsOf: Data(names.map { "<img name=\($0) width=1>" }.joined().utf8))
            let drawn = snippet
            let files = try onLoop { try await Studio.renderer.files(for: drawn, as: [FileVariant(.pdf())])[0] }
            XCTAssertGreaterThan(files.files[0].size.height, 10)
        }
    }
}
