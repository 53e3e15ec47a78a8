import Foundation
import Offstage
import OffstageWebKit
import Synchronization
import XCTest

/// Content that WebKit cannot print is stored as pixels in a vector picture: each part of a PDF page has the same
/// colour as in the pixel picture.
final class VectorPixelTests: XCTestCase {
    private let mask = """
        <mask id="m"><rect width="100" height="40" fill="#fff"/><rect x="30" width="40" height="40" fill="#000"/></mask>
        """

    private func svg(_ inner: String, attributes: String = "") -> String {
        "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='40' style='display:block' \(attributes)>\(inner)</svg>"
    }

    private var hole: String { svg(mask + "<rect width='100' height='40' fill='#00f' mask='url(#m)'/>") }

    private func encoded(_ text: String) -> String {
        "data:image/svg+xml;base64," + Data(text.utf8).base64EncodedString()
    }

    /// Compares the centres of a grid of squares with those of the pixel picture. One centre in ten may differ, because
    /// programs paint edges differently.
    private func assertSame(_ snippet: Snippet, _ message: String, line: UInt = #line) throws {
        let image = try draw(snippet)
        let files = try onLoop {
            try await Studio.renderer.files(for: snippet, as: [FileVariant(.pdf()), FileVariant(.svg())])[0]
        }
        XCTAssertEqual(files.warnings, [], message, line: line)
        let pdf = try PaintedPage(pdf: try XCTUnwrap(files.files[0].dataAtOnce))
        let vector = try XCTUnwrap(files.files[1].dataAtOnce)
        let uri = "data:image/svg+xml;base64," + vector.base64EncodedString()
        let svg = try draw("<img style='display:block' src='\(uri)'>")
        // Another program, which shows some masks and gradients differently.
        let other = try runTool(
            ["pdftocairo", "-png", "-r", "96", "-singlefile", "-", "-"], on: try XCTUnwrap(files.files[0].dataAtOnce))
        let otherURI = "data:image/png;base64," + other.base64EncodedString()
        let cairo = try draw("<img style='display:block' src='\(otherURI)'>")
        let pages = [
            ("PDF", pdf.size, { pdf[$0, $1] }), ("PDF by cairo", cairo.size, { cairo.pixel($0, $1) }),
            ("SVG", svg.size, { svg.pixel($0, $1) }),
        ]
        for (name, size, pixel) in pages {
            XCTAssertEqual(size, image.size, "\(message), \(name)", line: line)
            var (differing, count) = (0, 0)
            for y in stride(from: 5, to: image.size.height, by: 10) {
                for x in stride(from: 5, to: image.size.width, by: 10) {
                    count += 1
                    if image.pixel(x, y).distance(to: pixel(x, y)) > 40 { differing += 1 }
                }
            }
            XCTAssertLessThanOrEqual(differing * 10, count, "\(message), \(name)", line: line)
        }
    }

    func testMasksOfSVG() throws {
        let rectangle = "<rect width='100' height='40' fill='#00f' mask='url(#m)'/>"
        for (name, body) in [
            ("mask", hole), ("style", svg(mask + rectangle.replacing("mask='url(#m)'", with: "style='mask:url(#m)'"))),
            ("group", svg(mask + "<g mask='url(#m)'><rect width='100' height='40' fill='#00f'/></g>")),
            ("use", svg(mask + "<defs><g id='u'>\(rectangle)</g></defs>") + svg("<use href='#u'/>")),
            ("img", "<img style='display:block' src='\(encoded(hole))'>"),
            ("image", svg("<image width='100' height='40' href='\(encoded(hole))'/>")),
            ("background", "<div style='height:40px;background:yellow url(\(encoded(hole)))'></div>"),
            ("content", "<style>p::before{content:url(\(encoded(hole)))}p{margin:0;height:40px}</style><p></p>"),
            (
                "frame",
                "<iframe style='display:block' width=100 height=40 frameborder=0 src='\(encoded(hole))'></iframe>"
            ),
            ("shadow tree", "<div><template shadowrootmode=open>\(hole)</template></div>"),
            ("moved", "<div style='position:absolute;top:10px;transform:rotate(180deg)'>\(hole)</div><p>"),
        ] { try assertSame(page(body), name) }
    }

    /// A masked element covers the px at its edges only partly; even there, nothing outside its mask is visible.
    func testNothingShowsBesideAMask() throws {
        let half = """
            <svg width=0 height=0><mask id=m maskContentUnits=objectBoundingBox><rect width=.5 height=1 fill="#fff"/></mask></svg>
            <div style="width:80px;height:50px;background:#f60;mask:url(#m)"></div>
            """
        let files = try onLoop {
            try await Studio.renderer.files(for: page("<p>text" + half), as: [FileVariant(.pdf())])[0]
        }
        let pdf = try PaintedPage(pdf: try XCTUnwrap(files.files[0].dataAtOnce))
        for y in 40..<pdf.size.height {
            for x in 43..<pdf.size.width where pdf[x, y].distance(to: .white) > 10 {
                XCTFail("\(x), \(y): \(pdf[x, y])")
            }
        }
        XCTAssertGreaterThan(pdf[20, pdf.size.height - 20].distance(to: .white), 100)
    }

    /// Each emoji has its position, colours and opacity, in text of any direction and spacing.
    func testEmoji() throws {
        let emoji = "&#x1F7E5;&#x1F7E8;"
        for (name, style) in [
            ("plain", ""), ("spaced", "letter-spacing:2px"), ("turned", "transform:rotate(180deg)"),
            ("slanted", "transform:skewX(10deg)"), ("pale", "opacity:0.4"),
            ("vertical", "writing-mode:vertical-rl"),
            ("from the right", "direction:rtl;unicode-bidi:bidi-override"), ("white", "color:white"),
        ] {
            try assertSame(
                page("<p style='margin:0;padding:2px 7px;height:80px;font-size:30px;\(style)'>\(emoji)</p>"), name)
        }
    }

    /// Boxes that refer to the viewport's height have the same positions as in the pixel picture, even if the
    /// viewport is taller than the flow.
    func testBoxesOfTheViewport() throws {
        let block = "<div style='width:60px;height:70px;background:red'></div>"
        let box = "position:fixed;left:20px;width:60px;background:blue"
        for (name, body, viewport) in [
            ("modal", "<div style='\(box);inset:0;display:grid;place-items:center'>\(block)</div>a", nil),
            ("scrolls", "<div style='\(box);inset:0;overflow:auto;display:flex'>\(block)</div>a", nil),
            ("middle", "<div style='\(box);top:50%;transform:translateY(-50%)'>\(block)</div>a", nil),
            ("auto margins", "<div style='\(box);inset:0;margin:auto;height:40px'></div>a", 150),
            ("drawer", "<div style='\(box);top:0;bottom:0'>\(block)</div>a", nil),
            ("below", "<div style='\(box);bottom:10px;height:20px'></div>a", 100),
            ("absolute", "<div style='\(box);position:absolute;bottom:10px;height:20px'></div>a", 100),
            ("above the end", "<div style='\(box);bottom:0;height:20px'></div>\(block)\(block)", 100),
            ("pseudo", "<style>p::before{content:'';\(box);bottom:0;height:20px}</style><p>a", 100),
        ] as [(String, String, Int?)] {
            var snippet = page(body)
            snippet.geometry.viewportHeight = viewport
            try assertSame(snippet, name)
        }
        var snippet = page("<div style='\(box);bottom:10px;height:20px'></div>a")
        snippet.geometry.minimumHeight = 120
        try assertSame(snippet, "minimum height")
        snippet = page("<div style='\(box);bottom:10px;height:20px'></div>\(block)\(block)")
        snippet.geometry.height = .fixed(100)
        try assertSame(snippet, "fixed height")
    }

    func testMaskedFilesOfTheBaseFolder() throws {
        let files = MemoryFolder(["hole.svg": Data(hole.utf8)])
        for body in [
            "<img style='display:block' src='hole.svg'>", "<div style='height:40px;background:url(hole.svg)'></div>",
            "<object style='display:block' width=100 height=40 data='hole.svg'></object>",
        ] { try assertSame(page(body, base: files), body) }
    }

    /// WebKit loads an image again when a style refers to it once more, and the page waits for it.
    func testASlowImageThatIsNamedOnceMore() throws {
        var files = MemoryFolder(["hole.svg": Data(hole.utf8), "red.png": flatPNG(.red)])
        files.asked = { _ in try? await Task.sleep(for: .seconds(0.2)) }
        let fade = "linear-gradient(90deg,rgb(0 0 255 / 0.5),transparent)"
        for background in ["url(hole.svg)", "\(fade),url(red.png)", "url(red.png) 0 0/50px"] {
            let body = "<div style='height:40px;background:\(background)'></div>"
            try assertSame(page(body, base: files), background)
            files.files["inner.html"] = Data("<style>body{margin:0}</style>\(body)".utf8)
            let frame = "<iframe style='display:block' width=100 height=40 frameborder=0 src=inner.html></iframe>"
            try assertSame(page(frame, base: files), "\(background) in a frame")
        }
    }

    func testAnImageThatDoesNotComeAgain() throws {
        var files = MemoryFolder(["hole.svg": Data(hole.utf8)])
        let wasAsked = Mutex(false)
        files.asked = { _ in
            if wasAsked.withLock({ asked in
                defer { asked = true }
                return asked
            }) {
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
        }
        let background = "linear-gradient(90deg,rgb(0 0 255 / 0.5),transparent),url(hole.svg)"
        var snippet = page("<body style='height:40px;background:\(background)'>", base: files)
        snippet.timeout = 1
        let result = try onLoop { try await Studio.renderer.files(for: snippet, as: [FileVariant(.pdf())])[0] }
        XCTAssertEqual(result.warnings.map(\.code), [.deadline])
    }

    func testAnSVGDocument() throws {
        var snippet = Snippet(hole, identifier: "a", width: 100)
        snippet.type = .svg
        try assertSame(snippet, "document")
    }

    func testClipPathsOfMoreThanAShape() throws {
        let shapes = [
            "<text x='-5' y='50' font-size='80' font-weight='bold' font-family='sans-serif'>M</text>",
            "<rect width='20' height='40'/><rect x='50' width='20' height='40'/>",
            "<rect width='70' height='40' clip-path='url(#j)'/>",
        ]
        let other = "<clipPath id='j'><rect x='20' width='30' height='40'/></clipPath>"
        for shape in shapes {
            let clip = other + "<clipPath id='k'>\(shape)</clipPath>"
            try assertSame(page(svg(clip + "<rect width='100' height='40' fill='purple' clip-path='url(#k)'/>")), shape)
            let box = "<div style='height:40px;background:green;clip-path:url(#k)'></div>"
            try assertSame(page("<svg width=0 height=0 style='position:absolute'>\(clip)</svg>" + box), shape)
        }
    }

    /// Paths with a hole, according to the even-odd rule.
    func testRings() throws {
        for style in [
            "border-radius:20px;box-shadow:0 0 0 10px red;width:20px;height:20px;margin:10px",
            "border:10px solid #ddd;border-top-color:#00f;border-radius:50%;width:40px;height:40px",
            "border:10px groove #08f;border-radius:12px;height:20px",
            "height:40px;background:green;clip-path:polygon(evenodd,0 0,100% 0,100% 100%,0 100%,0 0,20px 10px,80px 10px,80px 30px,20px 30px,20px 10px)",
        ] { try assertSame(page("<div style='\(style)'></div>"), style) }
    }

    func testMasksBlendsAndGradientsOfCSS() throws {
        let back = "isolation:isolate;background:#ff0;height:40px"
        let tile = encoded(
            hole.replacing("style='display:block'", with: "viewBox='0 0 100 40' preserveAspectRatio='none'"))
        for style in [
            "mask:linear-gradient(#000 0 0) content-box exclude,linear-gradient(#000 0 0);padding:10px",
            "mask:linear-gradient(90deg,#000 50%,transparent 50%)", "mix-blend-mode:multiply",
            "mix-blend-mode:plus-lighter", "background:linear-gradient(#0af,#0af),#ff0;background-blend-mode:multiply",
            "background:url(\(tile)) 0 0/80px 20px", "mask:url(\(tile)) 0 0/100px 20px",
            "background:repeating-linear-gradient(90deg,#000 0 10px,#f00 10px 20px)",
            "background:repeating-radial-gradient(circle,#000 0 10px,#f00 10px 20px)",
            "background:linear-gradient(90deg,#06f,transparent)",
            "background:linear-gradient(90deg in oklab,#00f,#ff0)",
            "background:linear-gradient(90deg in oklch longer hue,#f00,#00f)",
            "background:radial-gradient(#06f,rgb(0 102 255 / 0)) 0 0 / 50px 40px",
        ] {
            let box = "<div style='height:40px;box-sizing:border-box;background:#08f;\(style)'></div>"
            try assertSame(page("<div style='\(back)'>\(box)</div>"), style)
        }
    }

    /// Masks, gradients and borders that PDF readers show differently, and images that must not be smoothed.
    func testWhatReadersDisagreeAbout() throws {
        let fade = "linear-gradient(90deg,#000 50%,transparent 50%)"
        let dot = "<i style='float:left;width:1px;height:1px;background:"
        let small = try draw("\(dot)red'></i>\(dot)blue'></i>", width: 2)
        let uri = "data:image/png;base64," + (try small.encoded()).base64EncodedString()
        let spread =
            "<linearGradient id='g' x2='.2' spreadMethod='repeat'><stop stop-color='red'/>"
            + "<stop offset='.5' stop-color='red'/><stop offset='.5' stop-color='#00f'/></linearGradient>"
        for body in [
            "<div style='height:40px;background:#08f;mask-image:\(fade)'></div>",
            "<div style='height:40px;background:#08f;mask:\(fade) 0 0/40px 40px'></div>",
            "<div style='height:40px;background:#08f;mask:url(\(flatURI(.red))) 0 0/20px 40px no-repeat'></div>",
            "<div style='height:40px;background:#08f;mask-image:radial-gradient(circle,#000 50%,transparent 50%)'></div>",
            "<style>p{margin:0;height:40px}p::before{content:'';display:block;height:40px;background:#08f;mask-image:\(fade)}</style><p></p>",
            svg("<mask id='m'><rect width='50' height='40' fill='#fff'/></mask>")
                + "<div style='height:40px;background:#08f;mask:url(#m)'></div>",
            "<div style='height:40px;background:repeating-linear-gradient(60deg,#000 0 10px,#f00 10px 20px)'></div>",
            "<div style='height:40px;background:repeating-conic-gradient(#000 0 30deg,#f00 30deg 60deg)'></div>",
            "<div style='height:40px;background:radial-gradient(circle,#f00 20%,#fff 20% 40%,#00f 40% 60%,#fff 60%)'></div>",
            "<div style='height:40px;background:conic-gradient(#f00 20%,#fff 20% 40%,#00f 40% 60%,#fff 60%)'></div>",
            svg(spread + "<rect width='100' height='40' fill='url(#g)'/>"),
            svg(spread + "<linearGradient id='h' href='#g'/><path d='M0 20h100' stroke='url(#h)' stroke-width='30'/>"),
            "<img style='display:block' src='\(encoded(svg(spread + "<rect width='100' height='40' fill='url(#g)'/>")))'>",
            "<div style='height:40px;border:10px solid;box-sizing:border-box;border-image:linear-gradient(135deg,#f06,#06f) 1'></div>",
            "<img style='display:block;width:100px;height:40px;image-rendering:pixelated' src='\(uri)'>",
            "<div style='height:40px;image-rendering:pixelated;background:url(\(uri)) 0 0/100px 40px'></div>",
            svg(
                "<image width='100' height='40' preserveAspectRatio='none' image-rendering='pixelated' href='\(uri)'/>"),
        ] { try assertSame(page(body), body) }
    }

    /// An element's pixels are at its position, and its content does not move.
    func testNothingMoves() throws {
        let clip = "<clipPath id='k'><rect width='20' height='40'/><rect x='50' width='20' height='40'/></clipPath>"
        let moved = """
            <svg width=0 height=0 style='position:absolute'>\(clip)</svg><div style='padding:10px'><div>
            <b style='position:absolute;left:0;top:0;width:100px;height:40px;background:red;clip-path:url(#k)'></b>
            </div></div><p style='height:30px;margin:0;background:blue'></p>
            """
        try assertSame(page(moved), "absolute")
    }

    /// Only the image is stored as pixels.
    func testTextOnAFadingBackgroundStaysText() throws {
        let snippet = page("<p style='background:linear-gradient(red,transparent)'>readable words</p>")
        let files = try onLoop { try await Studio.renderer.files(for: snippet, as: [FileVariant(.pdf())])[0] }
        let text = try runTool(["pdftotext", "-", "-"], on: try XCTUnwrap(files.files[0].dataAtOnce))
        XCTAssertTrue(String(decoding: text, as: UTF8.self).contains("readable"))
    }
}

extension Pixel {
    /// The largest difference between two colour components.
    fileprivate func distance(to other: Pixel) -> Int {
        max(abs(Int(red) - Int(other.red)), abs(Int(green) - Int(other.green)), abs(Int(blue) - Int(other.blue)))
    }
}
