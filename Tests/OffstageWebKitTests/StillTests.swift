import Foundation
import Offstage
import XCTest

@testable import OffstageHTML
@testable import OffstageWebKit

/// Animated content is frozen: a document gives the same bytes, however long its drawing takes.
final class StillTests: XCTestCase {
    /// Draws the document alone and beside invisible elements that take time.
    private func assertStill(_ body: String, style: String = "", width: Int = 300, line: UInt = #line) throws {
        func image(_ neighbours: Int) throws -> RenderedPicture {
            let cell = "<i style='display:inline-block;width:9px;height:9px;box-shadow:0 0 3px red'></i>"
            let others = String(repeating: cell, count: neighbours)
            return try draw(
                "\(body)<div style='position:absolute;top:0;height:1px;overflow:hidden;opacity:0'>\(others)</div>",
                style: style, width: width)
        }
        let alone = try image(0)
        for neighbours in [500, 4000] {
            assertSamePixels(alone, try image(neighbours), "beside \(neighbours)", line: line)
        }
        assertSamePixels(alone, try image(0), "again", line: line)
    }

    func testABarWithoutAValue() throws {
        try assertStill("<progress></progress><progress max=100></progress><meter value=0.3></meter>")
        // The bar shows WebKit's first frame.
        assertSamePixels(try draw("<progress>", width: 200), try draw("<progress value=.2>", width: 200))
        assertSamePixels(
            try draw("<progress style='accent-color:red'>", width: 200),
            try draw("<progress style='accent-color:red' value=.2>", width: 200))
        // An author's own drawing of the bar is not changed.
        let style =
            "progress{appearance:none;width:100px;height:10px;background:red} progress:not([value]){height:50px}"
        XCTAssertGreaterThan(try draw("<progress>", style: style).size.height, 50)
    }

    func testAMarquee() throws {
        let bodies = [
            "", "behavior=alternate", "behavior=slide", "direction=right", "direction=up height=40", "direction=down",
        ]
        try assertStill(bodies.map { "<marquee \($0)>one <b>two</b></marquee>" }.joined())
        let line = try draw("<div style='font:16px sans-serif'>rolling</div>", width: 200)
        assertSamePixels(
            try draw("<marquee style='display:block;font:16px sans-serif'>rolling</marquee>", width: 200), line)
        XCTAssertEqual(try draw("<marquee direction=up style='display:block'>a</marquee>").size.height, 200)
    }

    func testAFieldForADateShowsNoDateOfToday() throws {
        for (type, value) in [("date", "2000-01-01"), ("month", "2000-01"), ("datetime-local", "2000-01-01T12:30")] {
            try assertStill("<input type=\(type)>")
            let parts = ["year", "month", "day", "hour", "minute", "meridiem"]
                .map { "::-webkit-datetime-edit-\($0)-field" }.joined(separator: ",")
            assertSamePixels(
                try draw("<input type=\(type)>", width: 300),
                try draw("<input type=\(type) value=\(value)>", style: "\(parts){color:hsl(0 0 66%)}", width: 300), type
            )
            XCTAssertNotEqual(
                try draw("<input type=\(type)>", width: 300).pixels,
                try draw("<input type=\(type) value=\(value)>", width: 300).pixels, "paler: \(type)")
        }
        var snippet = page("a <input type=date> b <input type=date value=2020-02-02>")
        snippet.keepsAreas = true
        XCTAssertEqual(try draw(snippet).content?.text, "a b 2020-02-02")
    }

    func testInAFrameOfAnotherOrigin() throws {
        for body in ["<progress>", "<marquee>x</marquee>", "<input type=month>"] {
            try assertStill("<iframe width=280 height=60 src='data:text/html,<body>\(body)'></iframe>")
        }
        let frame =
            "<style>*{margin:0} @keyframes a{to{width:100px}} p{height:9px;background:red;animation:a 9s both}</style><p>"
        let image = try draw(
            "<iframe width=100 height=9 style='border:0;display:block' src=\"data:text/html,\(frame)\"></iframe>")
        XCTAssertEqual(image.count(of: .red), 900)
    }

    func testFocusAndFieldsOfAllKinds() throws {
        let types = ["text", "search", "range", "time", "week", "checkbox", "radio", "color", "file", "number"]
        try assertStill(
            types.map { "<input type=\($0) autofocus>" }.joined()
                + "<textarea autofocus>x</textarea><p contenteditable autofocus>x<select><option>a</select>")
    }

    func testAPausedAnimationStaysWhereItIs() throws {
        let style = "@keyframes a{from{width:0}to{width:100px}} p{margin:0;height:10px;background:red}"
        func width(_ animation: String) throws -> Int {
            try draw("<p style='\(animation)'></p>", style: style).count(of: .red) / 10
        }
        XCTAssertEqual(try width("animation:a 10s linear -5s paused"), 50)
        XCTAssertEqual(try width("animation:a 10s linear paused"), 0)
        XCTAssertEqual(try width("animation:a 10s linear -2.5s both paused"), 25)
        XCTAssertEqual(try width("animation:a 10s linear -5s both"), 100)
        XCTAssertEqual(try width("animation:a 10s linear infinite"), 0)
    }

    /// Escapes in CSS can hide the name of the property.
    func testAnAnimationWithAnEscape() throws {
        let frames = "@keyframes a{from{width:0}to{width:100px}} p{margin:0;height:10px;background:red}"
        for declaration in [#"\61nimation:a 9s linear forwards"#, #"a\nimation:a 9s linear forwards"#] {
            let inline = try draw("<p style='\(declaration)'></p>", style: frames)
            XCTAssertEqual(inline.count(of: .red), 1000, declaration)
            let rule = try draw("<p></p>", style: "\(frames) p{\(declaration)}")
            XCTAssertEqual(rule.count(of: .red), 1000, declaration)
        }
    }

    func testAnimationsOfSVG() throws {
        let rect =
            "<rect width=10 height=10 fill=red><animate attributeName=width from=10 to=90 dur=1s fill=freeze /></rect>"
        try assertStill("<svg width=100 height=10>\(rect)</svg>")
        try assertStill("<svg width=100 height=10><svg>\(rect)</svg></svg>")
    }

    /// Draws the content as a document, and as an image in each way that a document can include one.
    private func assertRed(_ content: String, line: UInt = #line) throws {
        let svg =
            "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='10' style='display:block'>\(content)</svg>"
        let base64 = Data(svg.utf8).base64EncodedString()
        let percent = try XCTUnwrap(svg.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let files = MemoryFolder(text: ["a.svg": svg])
        for body in [
            svg, "<img src=a.svg style='display:block'>",
            "<img src='data:image/svg+xml;base64,\(base64)' style='display:block'>",
            "<div style='height:10px;background:url(data:image/svg+xml,\(percent))'></div>",
        ] {
            let image = try draw(body, width: 100, base: files)
            XCTAssertEqual(image.count(of: .red), 1000, "\(body.prefix(30)) \(content)", line: line)
        }
        var file = Snippet(svg, identifier: "file", width: 100)
        file.type = .svg
        XCTAssertEqual(try draw(file).count(of: .red), 1000, "a file: \(content)", line: line)
    }

    func testAFiniteAnimationInSVGIsAtItsEnd() throws {
        let size = "width='100' height='10'"
        func moving(_ timing: String, from: String = "blue", to: String = "red", fill: String = "blue") -> String {
            "<rect \(size) fill='\(fill)'><animate attributeName='fill' from='\(from)' to='\(to)' \(timing)/></rect>"
        }
        try assertRed(moving("dur='1s' fill='freeze'"))
        try assertRed(moving("dur='500ms' begin='00:02' fill='freeze' repeatCount='2.0'"))
        try assertRed(moving("dur='1s' fill='freeze' repeatDur='3s'"))
        // The animation is over, and its changes are undone.
        try assertRed(moving("dur='1s'", from: "blue", to: "green", fill: "red"))
        // The later animation wins; an animation that begins after another is later.
        try assertRed(
            """
            <rect \(size) fill='blue'><animate attributeName='fill' to='red' dur='1s' begin='3s' fill='freeze'/>\
            <animate attributeName='fill' to='green' dur='1s' begin='1s' fill='freeze'/></rect>
            """)
        try assertRed(
            """
            <rect \(size) fill='blue'><animate id='a' attributeName='fill' to='green' dur='1s' fill='freeze'/>\
            <animate attributeName='fill' to='red' dur='1s' begin='a.end+1s' fill='freeze'/></rect>
            """)
        try assertRed("<rect \(size) fill='blue'><set attributeName='fill' to='red' begin='2s'/></rect>")
        // Every notation for a time.
        for time in ["0:00:02", "02:00", "1min", "1h", "500ms", ".5s", " 2 "] {
            try assertRed(moving("dur='\(time)' fill='freeze'"))
            try assertRed(moving("dur='1s' begin='\(time)' fill='freeze'"))
        }
    }

    /// Two animations that start each other again and again, as in images of typed lines. The one that keeps its last
    /// value shows it.
    func testAnimationsThatStartEachOther() throws {
        let first =
            "<animate id='a' attributeName='fill' begin='0s;b.end' dur='5000ms' fill='remove' values='blue;lime;blue'/>"
        let last =
            "<animate id='b' attributeName='fill' begin='a.end' dur='5000ms' fill='freeze' values='blue;red;red'/>"
        try assertRed(
            "<rect width='50' height='10' fill='red'>\(first)</rect><rect x='50' width='50' height='10' fill='blue'>\(last)</rect>"
        )
    }

    func testAnEndlessAnimationInSVGIsAtItsStart() throws {
        let rect = "<rect width='100' height='10' fill='blue'>"
        try assertRed(
            "\(rect)<animate attributeName='fill' from='red' to='blue' dur='1s' repeatCount='indefinite'/></rect>")
        // Beside an animation that ends.
        try assertRed(
            """
            <rect width='50' height='10' fill='blue'>\
            <animate attributeName='fill' from='red' to='blue' dur='1s' repeatCount='indefinite'/></rect>\
            <rect x='50' width='50' height='10' fill='blue'>\
            <animate attributeName='fill' to='red' dur='9s' fill='freeze'/></rect>
            """)
        try assertRed(
            """
            <rect width='100' height='10' fill='red'><animate attributeName='fill' to='blue' dur='1s' begin='click'/></rect>
            """)
    }

    func testAnimationsOfStylesInSVG() throws {
        func styled(_ rules: String, _ attributes: String = "", frames: String = "from{fill:blue}to{fill:red}")
            -> String
        {
            "<style>@keyframes a{\(frames)} @keyframes b{from{x:0}to{x:50px}} rect{fill:blue} \(rules)</style>"
                + "<rect width='100' height='10' \(attributes)/>"
        }
        try assertRed(styled("rect{animation:a 1s forwards}"))
        try assertRed(styled("rect{animation:a 1s ease-in-out .5s both}", "style='animation-delay:2s'"))
        try assertRed(styled("rect{animation-name:a;animation-duration:1s;animation-fill-mode:both}"))
        try assertRed(styled("rect{-webkit-animation:a 1s forwards}"))
        try assertRed(styled("", "style='animation:a 1s cubic-bezier(0,0,1,1) forwards'"))
        try assertRed(styled("rect{animation:a 1s infinite}", frames: "from{fill:red}to{fill:blue}"))
        try assertRed(
            styled(
                "rect{animation-name:a;animation-duration:1s;animation-iteration-count:infinite}",
                frames: "from{fill:red}"))
        try assertRed(styled("rect{animation:a 1s forwards,b 1s infinite}"))
    }

    /// The animation has no clock, and the document is not scrolled.
    func testAnimationsThatGoByTheScrollPosition() throws {
        let style = """
            @keyframes a{from{width:20px}to{width:100px}}
            p{margin:0;height:10px;background:red;animation:a linear both;animation-timeline:scroll()}
            """
        try assertStill("<p></p><div style='height:3000px'></div>", style: style, width: 100)
    }

    /// Each image repeats two frames of 20 ms, red and blue, endlessly.
    private static let gif =
        "R0lGODlhAQABAPAAAP8AAAAA/yH/C05FVFNDQVBFMi4wAwEAAAAh+QQAAgAAACwAAAAAAQABAAACAkQBACH5BAACAAAALAAAAAABAAEAAAICTAEAOw=="
    private static let png =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAACGFjVEwAAAACAAAAAPONk3AAAAAaZmNUTAAAAAAAAAABAAAAAQAA"
        + "AAAAAAAAAAIAZAAAX5asKgAAAAxJREFUeJxj+M/AAAADAQEAyf6S7wAAABpmY1RMAAAAAQAAAAEAAAABAAAAAAAAAAAAAgBkAADE"
        + "5Ub+AAAAEGZkQVQAAAACeJxjYGD4DwABAwEAaL/t9AAAAABJRU5ErkJggg=="
    private static let webp =
        "UklGRsAAAABXRUJQVlA4WAoAAAACAAAAAAAAAAAAQU5JTQYAAAAAAP//AABBTk1GSAAAAAAAAAAAAAAAAAAAABQAAAJWUDggMAAA"
        + "ANABAJ0BKgEAAQACADQloAJ0ugH4AAOwAP7wxAv/ILlhdcjX/yA/5Af8gP/48gAAAEFOTUZEAAAAAAAAAAAAAAAAAAAAFAAAAFZQ"
        + "OCAsAAAAlAEAnQEqAQABAAAANCWgAnS6AAOYAP75k2//kB//kB//kB//ID/iF3sgMAA="
    private static let avif =
        "AAAALGZ0eXBhdmlzAAAAAGF2aWZhdmlzbXNmMWlzbzhtaWYxbWlhZk1BMUIAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGlj"
        + "dAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAADxwAAACcAAAAoaWluZgAA"
        + "AAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAABAAAAAQAAAAEHBpeGkA"
        + "AAAAAwgICAAAAAxhdjFDgQAMAAAAABNjb2xybmNseAABAA0ABgAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAAqFtb292AAAAeG12"
        + "aGQBAAAAAAAAAOcpMccAAAAA5ykxxwAAADIAAAAAAAAAAgABAAABAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAEAAAAAAAAA"
        + "AAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAACIXRyYWsAAABodGtoZAEAAAEAAAAA5ykxxwAAAADnKTHH"
        + "AAAAAQAAAAAAAAAAAAAAAgAAAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAEAAAAAAEAAAABAA"
        + "AAAAAbFtZGlhAAAALG1kaGQBAAAAAAAAAOcpMccAAAAA5ykxxwAAADIAAAAAAAAAAlXEAAAAAAAoaGRscgAAAAAAAAAAcGljdAAA"
        + "AAAAAAAAAAAAAGxpYmF2aWYAAAABVW1pbmYAAAAUdm1oZAAAAAEAAAAAAAAAAAAAACRkaW5mAAAAHGRyZWYAAAAAAAAAAQAAAAx1"
        + "cmwgAAAAAQAAARVzdGJsAAAAFHN0Y28AAAAAAAAAAQAAA8cAAAAcc3RzYwAAAAAAAAABAAAAAQAAAAIAAAABAAAAHHN0c3oAAAAA"
        + "AAAAAAAAAAIAAAAnAAAAHwAAABRzdHNzAAAAAAAAAAEAAAABAAAAGHN0dHMAAAAAAAAAAQAAAAIAAAABAAAAlXN0c2QAAAAAAAAA"
        + "AQAAAIVhdjAxAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAABAAEABIAAAASAAAAAAAAAABCkFPTSBDb2RpbmcAAAAAAAAAAAAAAAAA"
        + "AAAAAAAAAAAAGP//AAAADGF2MUOBAAwAAAAAE2NvbHJuY2x4AAEADQAGAAAAABBjY3N0AAAAAHwAAAAAAABObWRhdBIACg0AAAAB"
        + "n/m18iAhoMCAMhQQALAAAAJAAAAAeJ2M3T9c3tbimhIAMhswA8CAAABGsAAAAkAAIAAYOjLnZlPj90A/YfA="

    func testAnAnimatedImageShowsItsFirstFrameInEachTile() throws {
        for (type, text) in [("gif", Self.gif), ("png", Self.png), ("webp", Self.webp), ("avif", Self.avif)] {
            let image = "<img src='data:image/\(type);base64,\(text)' width=100 height=10 style='display:block'>"
            let drawn = try draw("\(image)<div style='height:40000px'></div>\(image)", width: 100)
            for y in [5, 40_015] {
                XCTAssertGreaterThan(drawn.pixel(50, y).red, 200, "\(type) \(y)")
                XCTAssertLessThan(drawn.pixel(50, y).blue, 60, "\(type) \(y)")
            }
        }
    }

    /// An SVG image's clock starts when it is first painted. A tall picture is painted in tiles, one after the other.
    func testAnSVGImageStandsStillInEachTile() throws {
        func picture(_ body: String, _ style: String = "") -> String {
            "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='10'>\(style)\(body)</svg>"
        }
        let shapes = [
            picture(
                "<rect width='100' height='10' fill='blue'><animate attributeName='fill' from='red' to='blue' dur='0.1s' repeatCount='indefinite'/></rect>"
            ),
            picture(
                "<rect width='100' height='10' fill='blue'><set attributeName='fill' to='red' begin='0.05s'/></rect>"),
            picture(
                "<rect width='100' height='10' fill='red'><set attributeName='fill' to='blue' begin='0s' end='0.05s'/></rect>"
            ),
            picture(
                "<rect width='100' height='10'/>",
                "<style>@keyframes a{from{fill:red}to{fill:blue}} rect{fill:blue;animation:a .1s infinite}</style>"),
        ]
        for shape in shapes {
            let percent = try XCTUnwrap(shape.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            let base64 = Data(shape.utf8).base64EncodedString()
            for source in [
                "a.svg", "data:image/svg+xml,\(percent)", "data:image/svg+xml;base64,\(base64)",
                "data:image/svg+xml;utf8,\(shape.replacing("#", with: "%23"))",
            ] {
                let image = "<img src=\"\(source)\" style='display:block'>"
                let drawn = try draw(
                    "\(image)<div style='height:40000px'></div>\(image)", width: 100,
                    base: MemoryFolder(text: ["a.svg": shape]))
                for y in [5, 40_015] {
                    let pixel = drawn.pixel(50, y)
                    XCTAssertGreaterThan(pixel.red, 250, "\(y) \(source.prefix(30)) \(shape)")
                    XCTAssertLessThan(pixel.blue, 5, "\(y) \(source.prefix(30)) \(shape)")
                }
            }
        }
    }

    /// Data URIs without data, also at the end of the document.
    func testADataURIWithoutData() throws {
        for body in [
            "<img src='data:image/png;base64,'>", "<p>a<img src='data:image/gif;base64,", ";base64,",
            ";base64,<p>;base64,=",
            "<img src='data:image/svg+xml,'>", "<img src=\"data:image/svg+xml;base64,\">", "data:image/svg+xml",
            "data:image/svg+xml,",
        ] {
            XCTAssertEqual(AnimatedImage.stopped(inText: Data(body.utf8)), Data(body.utf8))
            _ = try draw("<p>a" + body)
        }
    }

    func testAnAnimatedImageShowsItsFirstFrame() throws {
        for (type, text) in [("gif", Self.gif), ("png", Self.png), ("webp", Self.webp), ("avif", Self.avif)] {
            let files = MemoryFolder(["a.\(type)": try XCTUnwrap(Data(base64Encoded: text))])
            for (source, files) in [("data:image/\(type);base64,\(text)", nil), ("a.\(type)", files)] {
                let image = "<img src='\(source)' width=100 height=10 style='display:block'>"
                let back = "<div style='height:9px;background:url(\(source))'></div>"
                // The same image again, after it has been shown for a while.
                for height in [10, 9, 10] {
                    let drawn = try draw(
                        "\(image)\(back)<div style='height:\(height)px'></div>\(image)\(back)", base: files)
                    for y in [5, 14, height + 24, height + 33] {
                        let pixel = drawn.pixel(50, y)
                        XCTAssertGreaterThan(pixel.red, 200, "\(type) \(height) \(y)")
                        XCTAssertLessThan(pixel.blue, 60, "\(type) \(height) \(y)")
                    }
                }
            }
        }
    }
}
