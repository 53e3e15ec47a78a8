import Offstage
import XCTest

@testable import OffstageHTML
@testable import OffstageWebKit

/// Click areas are where the links are painted.
final class AreaTests: XCTestCase {
    /// Links are filled with red.
    private static let style = """
        p { margin:0 } * { font:16px/1.5 sans-serif } a, a * { background:red; color:red; text-decoration:none }
        """

    private func snippet(
        _ body: String, style: String = "", width: Int = 200, scale: Double = 1,
        _ set: (inout Snippet) -> Void = { _ in }
    ) -> Snippet {
        var snippet = page(body, style: Self.style + style, width: width, scale: scale)
        snippet.keepsAreas = true
        set(&snippet)
        return snippet
    }

    /// Checks that every pixel of a link's area is red, and that no other pixel is.
    ///
    /// - Parameter count: the number of areas that are links.
    private func assertLinksAreRed(
        _ image: RenderedPicture, count: Int, isFilled: Bool = true, _ message: String, line: UInt = #line
    ) {
        let links = image.areas.filter { $0.target != nil }
        XCTAssertEqual(links.count, count, "\(message): \(image.areas)", line: line)
        var inside = Set<Int>()
        for area in links {
            let (left, top) = (area.x * image.scale, area.y * image.scale)
            let (right, bottom) = (left + area.width * image.scale, top + area.height * image.scale)
            XCTAssertTrue(
                left >= 0 && top >= 0 && right <= Double(image.size.width) + 0.01
                    && bottom <= Double(image.size.height) + 0.01, "\(message): \(area)", line: line)
            // A partly covered pixel may have either colour, because layout rounds edges to whole px.
            for y in max(0, Int(top) - 1)..<min(image.size.height, Int(bottom) + 2) {
                for x in max(0, Int(left) - 1)..<min(image.size.width, Int(right) + 2) {
                    inside.insert(y * image.size.width + x)
                    let isWithin =
                        Double(x) >= left + 1 && Double(x) < right - 2 && Double(y) >= top + 1 && Double(y) < bottom - 2
                    if isFilled, isWithin, image.pixel(x, y) != .red {
                        return XCTFail("\(message): (\(x), \(y)) in \(area)", line: line)
                    }
                }
            }
        }
        for y in 0..<image.size.height {
            for x in 0..<image.size.width where image.pixel(x, y) == .red {
                if !inside.contains(y * image.size.width + x) {
                    return XCTFail("\(message): (\(x), \(y)) is red", line: line)
                }
            }
        }
    }

    private static let words = "many words that go over several lines of a page that is not wide"

    /// Document bodies, and the number of link areas in each.
    private static let bodies: [(body: String, count: Int)] = [
        ("<p>See <a href=x>this link</a> and go on", 1),
        ("<p>See <a href=x>\(words)</a> and go on", 3),
        ("<p dir=rtl>שלום <a href=x>\(words)</a> עולם", 3),
        ("<p>See <a href=x style='padding:3px 9px;border:2px solid red'>a padded one</a>", 1),
        ("<div style='height:30px'></div><a href=x style='position:fixed;left:20px;top:7px'>fixed</a>", 1),
        (
            "<div style='padding:20px'><a href=x style='display:inline-block;transform:translate(5px,9px) scale(2)'>T</a></div>",
            1
        ),
        (
            "<div style='overflow:hidden;height:20px;width:90px;border:3px solid blue'><a href=x style='display:block;width:150px;height:60px'></a></div>",
            1
        ),
        (
            "<div style='overflow:hidden;height:20px'><a href=x style='position:absolute;left:9px;top:40px;width:30px;height:20px'></a></div><p style='height:60px'>",
            1
        ),
        ("<a href=x><img style='width:40px;height:50px' alt='' src='\(flatURI(.red))'></a><p>below", 2),
        ("<a href=x><div style='height:21px'></div></a>", 1),
        ("<svg width=90 height=50><a href=x><rect x=5 y=6 width=40 height=30 fill=red /></a></svg>", 1),
        ("<svg width=90 height=50><a xlink:href=x><circle cx=45 cy=20 r=20 fill=red /></a></svg>", 1),
        (
            "<p>no <a>link</a>, <a href=x style='display:none'>hidden</a>, <i style='visibility:hidden'><a href=x>too</a></i>"
                .replacing("<a>link", with: "<a style='all:unset'>link"), 0
        ),
    ]

    func testLinksAreWhereTheyArePainted() throws {
        for scale in [1, 1.5, 2] {
            for (body, count) in Self.bodies {
                let isRound = body.contains("circle")
                assertLinksAreRed(
                    try draw(snippet(body, scale: scale)), count: count, isFilled: !isRound, "\(body) at \(scale)")
            }
        }
    }

    func testTheyMoveWithThePicture() throws {
        let body = """
            <div style="height:40px"></div><div class=x style="margin-left:33px;width:120px;height:50px">
            <a href=one>one</a> <a href=two>two</a></div><p>three <a href=three>3</a>
            """
        let cases: [(String, Int, (inout Snippet) -> Void)] = [
            ("selector", 2, { $0.selector = .init(".x") }),
            ("trim", 3, { $0.margins.isTrimmed = true }),
            ("padding", 3, { $0.margins.padding = 11 }),
            (
                "all", 2,
                {
                    $0.selector = .init(".x")
                    $0.margins = Margins(isTrimmed: true, padding: 5)
                }
            ),
            ("cut off", 2, { $0.geometry.height = .fixed(80) }),
            ("cut through", 2, { $0.geometry.maximumHeight = 50 }),
            (
                "fit", 3,
                {
                    $0.geometry.shrinksToFit = true
                    $0.html.append(contentsOf: Data("<html dir=rtl>".utf8))
                }
            ),
        ]
        for scale in [1, 1.5, 2] {
            for (name, count, set) in cases {
                assertLinksAreRed(
                    try draw(snippet(body, scale: scale, set)), count: count, "\(name) at \(scale)")
            }
        }
    }

    func testEachPartHasItsOwn() throws {
        let body = "<p><a href=a>first</a> row<p>second <a href=b>row</a> <b id=n>!</b><p>third"
        let request = snippet(body, scale: 2) { $0.selector = .init("p", isEach: true) }
        let images = try onLoop { try await Studio.renderer.pictures(for: request) }
        XCTAssertEqual(images.map { $0.areas.compactMap(\.target) }, [["a"], ["b"], []])
        XCTAssertEqual(images.map(\.text), ["first row", "second row !", "third"])
        XCTAssertEqual(images[1].areas.compactMap(\.identifier), ["n"])
        for (image, count) in zip(images, [1, 1, 0]) { assertLinksAreRed(image, count: count, "\(image.part!)") }
    }

    func testATallDocumentInTiles() throws {
        let rows = (0..<60).map { "<p style='height:23px'>row <a href=\($0)>\($0)</a>" }.joined()
        let tiling = try onLoop {
            _ = Studio.renderer
            return Renderer(engine: WebEngine(views: 1, limits: SnapshotLimits(side: 1000, tilePixels: 30_000)))
        }
        let request = snippet(rows, width: 100)
        let image = try onLoop { try await tiling.picture(for: request) }
        XCTAssertGreaterThan(image.size.height, 1300)
        XCTAssertEqual(image.areas.compactMap(\.target), (0..<60).map(String.init))
        assertLinksAreRed(image, count: 60, "tiles")
        try onLoop { await tiling.finish() }
    }

    func testTheBytesAreTheSameWithAndWithoutThem() throws {
        for (body, _) in Self.bodies {
            let with = try draw(snippet(body, scale: 2))
            assertSamePixels(with, try draw(snippet(body, scale: 2) { $0.keepsAreas = false }), body)
            XCTAssertNotNil(with.text)
        }
        let without = try draw(snippet("<a href=x>x") { $0.keepsAreas = false })
        XCTAssertNil(without.content)
        XCTAssertEqual(without.areas, [])
    }

    func testTargetsAreWhatTheAuthorWrote() throws {
        let long = String(repeating: "x", count: 4096)
        let targets: [(String, String?)] = [
            ("https://example.org/a?b=1&amp;c=é%20 d#e", "https://example.org/a?b=1&c=é%20 d#e"),
            (" \n img/a b.png\t ", "img/a b.png"), ("#note", "#note"), ("", ""), ("//host/x", "//host/x"),
            ("mailto:a@example.org", "mailto:a@example.org"), ("javascript:alert(1)", nil),
            (" \u{1}jAva&#10;script:alert(1)", nil), ("&#9;javascript&colon;void 0", nil), ("http://", nil),
            ("vbscript:x", nil), ("data:text/html,<script>x</script>", nil), ("data:image/svg+xml;base64,AAAA", nil),
            ("DATA:application/xhtml+xml,x", nil), ("data:text/plain,x", "data:text/plain,x"),
            (long, long), (long + "x", nil),
        ]
        for (written, target) in targets {
            let image = try draw(snippet("<a href='\(written)'>link</a>"))
            XCTAssertEqual(image.areas.map(\.target), target.map { [$0] } ?? [], String(written.prefix(40)))
        }
        for (base, target) in [("https://example.org/dir/", "https://example.org/dir/a"), ("sub/", "sub/a")] {
            let image = try draw(snippet("<base href='\(base)'><a href=a>link</a>"))
            XCTAssertEqual(image.areas.map(\.target), [target])
        }
    }

    func testNamedElementsAndImageMaps() throws {
        let image = try draw(
            snippet(
                """
                <p id=intro>one<p id=''>two<p id=gone hidden>three</p><a id=both href=x>four</a>
                <div><img usemap=#m width=100 height=40 style='border:5px solid' alt=Map></div>
                <map name=m><area id=dot shape=circle coords=20,20,10 href=c><area shape=default href=all>
                <area coords=1 href=wrong><area coords=0,0,9,9></map>
                """))
        XCTAssertEqual(image.areas.compactMap(\.identifier), ["intro", "both", "dot"])
        XCTAssertEqual(image.areas.first { $0.identifier == "both" }?.target, "x")
        let map = image.areas.filter { $0.target == "all" || $0.target == "c" }
        XCTAssertEqual(map.map(\.target), ["all", "c"])
        XCTAssertEqual(map.map(\.width), [105, 20])
        XCTAssertEqual(map[1].x, 15)
        XCTAssertEqual(map[1].y - map[0].y, 10)
        // A named element above a link does not hide it.
        XCTAssertEqual(image.content?.link(atX: 25, y: map[1].y + 5)?.target, "c")
    }

    func testTheTextIsWhatAScreenReaderSays() throws {
        for (body, text) in [
            ("<h1>A  title</h1><p>and\n<b>bo</b>ld<br>text", "A title and bold text"),
            ("<img alt='A  picture' src='\(flatURI(.red))'>!", "A picture !"),
            ("<ul><li>one<li>two</ul><table><tr><td>a<td>b</table>", "one two a b"),
            (
                "<p hidden>no<p style='visibility:hidden'>no <b style='visibility:visible'>yes</b><p aria-hidden=true>no",
                "yes"
            ),
            (
                "<b aria-label=Close>×</b><input value=In><input placeholder=Pl><input type=checkbox value=no>",
                "Close In Pl"
            ),
            ("<select><option>one<option selected>two</select><textarea>area</textarea>", "two area"),
            ("<svg><title>Chart</title><text x=9 y=9>12</text><defs><text>no</text></defs></svg>", "Chart 12"),
            ("<details><summary>Sum</summary>closed</details><style>no</style><script>no</script>", "Sum"),
            ("<form><input name=getAttribute value=a><input name=parentElement value=b></form>z", "a b z"),
            ("<p style='display:contents'>con<i>tents</i></p>", "contents"),
            ("", ""),
        ] {
            XCTAssertEqual(try draw(snippet(body + "<div style='height:9px'>")).text, text, body)
        }
        let long = try draw(snippet(String(repeating: "🎉 ", count: 3000))).text
        XCTAssertEqual(long?.unicodeScalars.count, 1999)
    }

    func testWhatADocumentHasTooMuchOfIsLeftOut() throws {
        let named = (0..<3000).map { "<b id=\($0)>.</b> " }.joined()
        let image = try draw(snippet("\(named)<a href=x>x</a>"))
        XCTAssertEqual(image.areas.count, 1000)
        XCTAssertEqual(image.areas.compactMap(\.target), ["x"])
        let long = String(repeating: "y", count: 4000)
        let many = try draw(snippet((0..<500).map { "<a href='\(long)\($0)'>x</a> " }.joined()))
        XCTAssertEqual(many.areas.count, 32)
        // Each link contains all the links after it, so each has as many rectangles.
        let nested =
            String(repeating: "<svg><a href=x>", count: 200)
            + String(repeating: "<rect width=9 height=9 />", count: 500)
        XCTAssertLessThanOrEqual(try draw(snippet(nested)).areas.count, 1000)
    }

    /// The page's own scripts change the page's objects, but not the objects that Offstage uses.
    func testPageScriptsCannotBreakIt() throws {
        let image = try draw(
            snippet(
                """
                <a href=x>x</a><a href=clobbered><form><input name=getClientRects><input name=checkVisibility></form></a>
                <script>
                Element.prototype.getClientRects = () => { throw 1 }; Element.prototype.getAttribute = () => 'javascript:1';
                Document.prototype.querySelectorAll = () => []; Array.prototype.slice = () => [];
                JSON.stringify = () => ''; globalThis.offstageContent = () => ({ areas: [], texts: ['fooled'] });
                Range.prototype.getClientRects = () => { throw 1 }; String.prototype.trim = () => 'fooled';
                const late = document.createElement('a');
                late.href = 'javascript:1'; late.textContent = 'late'; document.body.append(late);
                </script>
                """
            ) { $0.runsScripts = true })
        XCTAssertEqual(Set(image.areas.map(\.target)), ["x", "clobbered"])
        XCTAssertEqual(image.text, "x late")
    }

    func testRowsThatAreWrittenIntoOnePage() throws {
        for number in 0..<5 {
            let image = try draw(snippet("<a href=\(number)>number \(number)</a>"))
            XCTAssertEqual(image.areas.map(\.target), ["\(number)"])
            XCTAssertEqual(image.text, "number \(number)")
        }
    }

    /// WebKit may give the rectangles of SVG texts in the texts' own coordinates, or only one for the whole text.
    func testLinksInTextsOfSVGHaveTheirPlacesAlone() throws {
        let svg = { (inner: String) in "<svg width=200 height=60 style='display:block'>\(inner)</svg>" }
        for (name, inner) in [
            ("around", "<a href=x><text x=40 y=40 fill=red>link</text></a>"),
            ("span", "<a href=x><text x=40 y=40 fill=red><tspan>li</tspan><tspan dy=5>nk</tspan></text></a>"),
            ("inside", "<text x=20 y=40>before <a href=x fill=red>link</a> after</text>"),
            ("scaled", "<g transform='translate(20,5) scale(2)'><text y=20>b <a href=x fill=red>link</a></text></g>"),
            ("shape", "<a href=x><rect x=90 y=10 width=60 height=30 fill=red /><text x=100 y=30>btn</text></a>"),
        ] {
            let image = try draw(snippet("<p style='height:10px'></p>" + svg(inner)))
            let links = image.areas.filter { $0.target != nil }
            XCTAssertTrue(links.allSatisfy { $0.x >= 15 && $0.y >= 10 && $0.width < 110 }, "\(name): \(links)")
            assertLinksAreRed(image, count: 1, isFilled: false, name)
        }
        let around = try draw(
            snippet("<a href=x style='display:block;background:none'>\(svg("<text x=150 y=40>text</text>"))</a>"))
        XCTAssertEqual(around.areas.count, 1, "\(around.areas)")
    }

    func testLinksUnderAZoomAreWhereTheyArePainted() throws {
        for (name, body) in [
            ("parent", "<div style='zoom:2'><a href=x>zoom</a></div>"),
            ("own", "<p>a <a href=x style='zoom:1.5'>zoom</a></p>"),
            ("nested", "<div style='zoom:2'><p>a <b style='zoom:50%'><a href=x>zoom</a></b></p></div>"),
            ("block", "<div style='zoom:2'><a href=x><div style='height:10px'></div></a></div>"),
            ("clipped", "<div style='zoom:2;overflow:hidden;width:20px;height:15px'><a href=x>clipped</a></div>"),
        ] {
            let image = try draw(snippet("<p>before</p>" + body))
            assertLinksAreRed(image, count: 1, isFilled: name != "nested", name)
        }
        let named = try draw(
            snippet("<div style='zoom:2'><i id=a style='display:block;width:20px;height:10px'></i></div>"))
        XCTAssertEqual(named.areas, [PictureArea(x: 0, y: 0, width: 40, height: 20, identifier: "a")])
        let map = try draw(
            snippet(
                """
                <div style='zoom:2'><img usemap=#m width=50 height=20 style='border:5px solid;display:block'></div>
                <map name=m><area coords=20,5,30,15 href=x></map>
                """))
        XCTAssertEqual(map.areas, [PictureArea(x: 50, y: 20, width: 20, height: 20, target: "x")])
    }

    func testASelectorUnderAZoomTakesTheElement() throws {
        let body = "<div style='zoom:2'><i id=a style='display:block;width:20px;height:10px;background:red'></i></div>"
        let image = try draw(snippet(body) { $0.selector = .init("#a") })
        XCTAssertEqual(image.size, PixelSize(width: 40, height: 20))
        XCTAssertEqual(image.count(of: .red), 800)
    }
}
