import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// The picture exists, and its warnings name everything that it lacks.
final class IncompleteTests: XCTestCase {
    private let box = "<div style='height:10px;background:red'></div>"

    private func assertWarned(
        _ body: String, _ expected: DrawingWarning..., style: String = "", files: MemoryFolder? = MemoryFolder(),
        line: UInt = #line
    ) throws {
        let image = try draw(box + body, style: style, base: files)
        XCTAssertEqual(image.warnings, expected, line: line)
        XCTAssertFalse(image.isComplete, line: line)
        XCTAssertEqual(image.pixel(50, 5), .red, line: line)
    }

    func testACompletePictureHasNoWarnings() throws {
        let image = try draw(box)
        XCTAssertEqual(image.warnings, [])
        XCTAssertTrue(image.isComplete)
    }

    /// Files that an XML document includes are never loaded.
    func testExternalEntitiesXIncludeAndXSLT() throws {
        func warnings(_ head: String, _ body: String) throws -> [DrawingWarning] {
            var snippet = Snippet(
                head + "<html xmlns='http://www.w3.org/1999/xhtml'><body><p>text</p>\(body)</body></html>",
                identifier: "test", width: 100)
            snippet.type = .xhtml
            snippet.base = MemoryFolder(["in.txt": Data("included".utf8), "a.xsl": Data("<x/>".utf8)])
            snippet.timeout = 60
            return try draw(snippet).warnings
        }
        let include = "<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='in.txt' parse='text'/>"
        let entity =
            "<!DOCTYPE html [<!ENTITY e SYSTEM 'in.txt'><!ENTITY i '&e;'><!ENTITY p PUBLIC '-//x' \"in2.txt\">]>"
        func unsupported(_ names: String...) -> [DrawingWarning] {
            names.map { DrawingWarning(.resourceUnsupported, $0) }
        }
        XCTAssertEqual(try warnings("", include), unsupported("in.txt"))
        XCTAssertEqual(try warnings(entity, "&e;"), unsupported("in.txt"))
        XCTAssertEqual(try warnings(entity, "&e;&p;"), unsupported("in.txt", "in2.txt"))
        for type in ["text/xsl", "application/xslt+xml", "text/xml"] {
            XCTAssertEqual(
                try warnings("<?xml-stylesheet href='a.xsl' type='\(type)'?>", ""), unsupported("a.xsl"), type)
        }
        // Nothing is missing.
        XCTAssertEqual(try warnings("<!DOCTYPE html [<!ENTITY i 'text'>]>", "&i;<include href='in.txt'/>"), [])
        XCTAssertEqual(try warnings("<!DOCTYPE html [<!ENTITY e SYSTEM 'in.txt'>]>", ""), [])
    }

    func testAMissingImage() throws {
        try assertWarned("<img src='img/missing.png'>", DrawingWarning(.resourceMissing, "img/missing.png"))
        try assertWarned("<img src='a%20b.png?size=2#x'>", DrawingWarning(.resourceMissing, "a b.png"))
        // Names with characters that Foundation does not allow in a URL are decoded as well.
        try assertWarned("<img src='a%20[1].png'>", DrawingWarning(.resourceMissing, "a [1].png"))
        try assertWarned("<img src='a%1b]0;b%07.png'>", DrawingWarning(.resourceMissing, "a\u{1b}]0;b\u{7}.png"))
        try assertWarned(
            "<p>", DrawingWarning(.resourceMissing, "missing.png"), style: "p{background:url(missing.png)}")
    }

    /// However late each answer arrives, warnings are in the document's order.
    func testWarningsAreInTheOrderOfTheDocument() throws {
        let (answered, answer) = AsyncStream<Void>.makeStream()
        var files = MemoryFolder()
        files.asked = { path in
            if path == "c.png" { answer.finish() } else { for await _ in answered {} }
        }
        try assertWarned(
            "<img src=a.png><img src=b.png><img src=c.png>", DrawingWarning(.resourceMissing, "a.png"),
            DrawingWarning(.resourceMissing, "b.png"), DrawingWarning(.resourceMissing, "c.png"), files: files)
    }

    /// WebKit reports some of them with events, and refuses others silently.
    func testBlockedFilesAreInTheOrderOfTheDocument() throws {
        let names = (1...6).map { "http://\($0).example/a" }
        let body = """
            <svg width=9 height=9><image href='\(names[0])'/><use href='\(names[1])#x'/><filter id=f><feImage href='\(names[2])'/>
            </filter><rect filter='url(#f)'/></svg><img src='\(names[3])'><svg width=9><image href='\(names[4])'/></svg>
            """
        let style = "svg{background:url(\(names[5]))}"
        for _ in 0..<5 {
            let image = try draw(box + body, style: style, base: MemoryFolder())
            XCTAssertEqual(image.warnings, names.map { DrawingWarning(.resourceBlocked, $0) })
        }
    }

    func testAnythingIsMissingWithoutABase() throws {
        try assertWarned("<img src=missing.png>", DrawingWarning(.resourceMissing, "missing.png"), files: nil)
    }

    func testAMissingStyleSheetAndFrame() throws {
        try assertWarned("<link rel=stylesheet href=a.css>", DrawingWarning(.resourceMissing, "a.css"))
        try assertWarned("<iframe src=inner.html></iframe>", DrawingWarning(.resourceMissing, "inner.html"))
    }

    func testAMissingFont() throws {
        try assertWarned(
            "<p>text", DrawingWarning(.resourceMissing, "a.woff2"),
            style: "@font-face{font-family:Carried;src:url(a.woff2)} p{font-family:Carried}")
        // Of several sources, the one that arrived is not a font.
        let files = MemoryFolder(text: ["broken.woff2": "no font"])
        let faces = "@font-face{font-family:Carried;src:url(a.woff2),url('broken.woff2')} p{font-family:Carried}"
        try assertWarned(
            "<p>text", DrawingWarning(.resourceMissing, "a.woff2"), DrawingWarning(.fontBroken, "Carried"),
            style: faces,
            files: files)
        let bold = "@font-face{font-family:Carried;src:url(broken.woff2);font-weight:700} p{font-family:Carried}"
        try assertWarned(
            "<p>text<b>bold", DrawingWarning(.resourceMissing, "a.woff2"), DrawingWarning(.fontBroken, "Carried"),
            style: "@font-face{font-family:Carried;src:url(a.woff2)}" + bold, files: files)
        // The style sheet has its own address.
        try assertWarned(
            "<link rel=stylesheet href=sub/a.css><p>text", DrawingWarning(.resourceMissing, "sub/a.woff2"),
            files: MemoryFolder(text: [
                "sub/a.css": "@font-face{font-family:Carried;src:url(a.woff2)} p{font-family:Carried}"
            ]))
    }

    func testABrokenImage() throws {
        let files = MemoryFolder(text: ["broken.png": "no picture"])
        try assertWarned("<img src=broken.png>", DrawingWarning(.imageBroken, "broken.png"), files: files)
    }

    func testABrokenFont() throws {
        let files = MemoryFolder(text: ["broken.woff2": "no font"])
        try assertWarned(
            "<p>text", DrawingWarning(.fontBroken, "My Font"),
            style: "@font-face{font-family:'My Font';src:url(broken.woff2)} p{font-family:'My Font'}", files: files)
    }

    func testABlockedRemoteImage() throws {
        try assertWarned(
            "<img src='http://example.com/a.png'>", DrawingWarning(.resourceBlocked, "http://example.com/a.png"))
        try assertWarned(
            "<img src='//example.com/a.png'>", DrawingWarning(.resourceBlocked, "//example.com/a.png"))
    }

    func testABlockedRemoteStyleSheetFontAndFrame() throws {
        try assertWarned(
            "<link rel=stylesheet href='https://example.com/a.css'>",
            DrawingWarning(.resourceBlocked, "https://example.com/a.css"))
        try assertWarned(
            "<iframe src='https://example.com/'></iframe>", DrawingWarning(.resourceBlocked, "https://example.com/"))
        for object in ["<object data='https://example.com/a#b'></object>", "<embed src='https://example.com/a'>"] {
            try assertWarned(object, DrawingWarning(.resourceBlocked, "https://example.com/a"))
        }
        // An object without a box is not loaded.
        XCTAssertEqual(
            try draw(
                "\(box)<div hidden><object data='https://example.com/'></object><embed src='https://example.com/'></div>"
            ).warnings, [])
        try assertWarned(
            "<p>text", DrawingWarning(.resourceBlocked, "https://example.com/a.woff2"),
            style: "@font-face{font-family:Carried;src:url(https://example.com/a.woff2)} p{font-family:Carried}")
    }

    func testBlockedReferencesOfSVG() throws {
        let url = "http://example.com/a.svg"
        for body in [
            "<image href='\(url)' width=9 height=9 />", "<image xlink:href='\(url)' />", "<use href='\(url)#a' />",
            "<filter id=f><feImage href='\(url)' /></filter>", "<rect fill='url(\(url)#a)' width=9 height=9 />",
            "<rect style='fill:url(\(url)#a)' width=9 height=9 />",
            "<path d=M0,0 stroke='url(&quot;\(url)#a&quot;)' />",
            "<linearGradient href='\(url)#a' />", "<path marker-end='url(\(url)#m)' />",
            "<g filter='url(\(url)#f)'></g>",
        ] {
            // Whether the warning appeared used to depend on timing.
            for _ in 0..<3 { try assertWarned("<svg>\(body)</svg>", DrawingWarning(.resourceBlocked, url)) }
        }
        try assertWarned(
            "<svg><rect width=9 height=9 /></svg>", DrawingWarning(.resourceBlocked, url),
            style: "rect{fill:url(\(url)#a)} .unused{fill:url(http://example.com/b.svg#a)}")
        // A link's target outside the folder is not loaded, and references within the document are not blocked.
        let image = try draw(
            "\(box)<svg><a href='\(url)'><rect fill='url(#a)' /></a><use href='#a' /><linearGradient id=a /></svg>")
        XCTAssertEqual(image.warnings, [])
    }

    func testBlockedImportsInShadowTrees() throws {
        func tree(_ mode: String, _ content: String) -> String {
            "<div><template shadowrootmode=\(mode)>\(content)</template></div>"
        }
        let blocked = DrawingWarning(.resourceBlocked, "http://example.com/a.css")
        for rule in [
            "@import 'http://example.com/a.css'", "@import url(http://example.com/a.css);",
            "/*x*/@IMPORT \"http://example.com/a.css\" print",
        ] {
            let style = "<style>\(rule)</style>"
            for _ in 0..<3 {
                try assertWarned(tree("closed", style), blocked)
                try assertWarned(tree("open", style), blocked)
                try assertWarned(tree("closed", "<p>" + tree("closed", style)), blocked)
                try assertWarned(style, blocked)
            }
        }
        try assertWarned(
            tree("closed", "<svg><use href='http://example.com/a.svg#b' /></svg>"),
            DrawingWarning(.resourceBlocked, "http://example.com/a.svg"))
        XCTAssertEqual(
            try draw(box + tree("closed", "<style>/* @import 'http://example.com/a.css' */</style>")).warnings, [])
    }

    func testARefusedURLIsNamedOnceWhateverItsFragment() throws {
        try assertWarned(
            "<img src='http://example.com/a.svg#b'><p>", DrawingWarning(.resourceBlocked, "http://example.com/a.svg"),
            style: "p{background:url(http://example.com/a.svg#c)}")
    }

    func testAFrameWithinSVGIsNone() throws {
        for body in [
            "<svg><iframe src=a /></svg>", "<svg><iframe /></svg>",
            "<svg><video src=a /><audio/><object data=a /></svg>",
        ] {
            XCTAssertEqual(try draw(box + body).warnings, [], body)
        }
    }

    func testAFileURLIsBlocked() throws {
        try assertWarned("<img src='file:///etc/hostname'>", DrawingWarning(.resourceBlocked, "file:///etc/hostname"))
    }

    /// WebKit drops the `srcdoc` attribute if page scripts are off.
    func testADocumentInAnAttributeIsMissed() throws {
        try assertWarned("<iframe srcdoc='<p>x'></iframe>", DrawingWarning(.resourceBlocked, "about:srcdoc"))
        // A frame without any document lacks nothing.
        XCTAssertEqual(try draw("\(box)<iframe></iframe><iframe name=a></iframe>").warnings, [])
    }

    func testEachIsNamedOnce() throws {
        try assertWarned(
            "<img src=a.png><img src=a.png><img src=b.png>", DrawingWarning(.resourceMissing, "a.png"),
            DrawingWarning(.resourceMissing, "b.png"))
    }

    /// A data URI contains user data; its media type is enough to find it.
    func testADataURIIsNamedWithoutItsContent() throws {
        try assertWarned(
            "<img src='data:image/png;base64,c2VjcmV0'>", DrawingWarning(.imageBroken, "data:image/png…"))
        try assertWarned("<img src='data:,secret'>", DrawingWarning(.imageBroken, "data:…"))
        for source in ["data:image/png;base64,c2VjcmV0", "DATA:image/png;base64,c2VjcmV0", "data:font/woff2,c2VjcmV0"] {
            let style =
                "@font-face{font-family:A;src:url('\(source)')} p{font-family:A;background:url('\(source)')}"
            let image = try draw("\(box)<p>text<img src='\(source)'><iframe src='\(source)'></iframe>", style: style)
            XCTAssertFalse(image.isComplete)
            for warning in image.warnings { XCTAssertFalse("\(warning)".contains("c2VjcmV0"), "\(warning)") }
        }
    }

    func testACallerThatWantsAllGetsAnErrorInstead() throws {
        var snippet = page("\(box)<img src=missing.png>", base: MemoryFolder())
        snippet.requiresComplete = true
        XCTAssertEqual(refusal(of: snippet), .incomplete([DrawingWarning(.resourceMissing, "missing.png")]))
        snippet = page(box)
        snippet.requiresComplete = true
        XCTAssertEqual(try draw(snippet).count(of: .red), 1000)
    }
}
