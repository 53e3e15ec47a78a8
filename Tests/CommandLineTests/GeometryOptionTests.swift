import Foundation
import Testing

/// The effect of the size options on a picture.
@Suite struct GeometryOptionTests {
    @Test func plain() throws {
        let picture = try draw(row())
        #expect(picture.size == [400, 40])
        #expect(picture.scale == 1)
        #expect(!picture.hasAlpha)
    }

    @Test func width() throws {
        // 10 boxes of 50 px: two lines at 400 px, five at 100.
        let boxes = String(repeating: "<div style='float:left;width:50px;height:10px'></div>", count: 10)
        let html = "<!doctype html><body style='margin:0;overflow:hidden'>\(boxes)"
        #expect(try draw(html).size == [400, 20])
        #expect(try draw(html, "--width", "100").size == [100, 50])
    }

    @Test func height() throws {
        let short = try draw(row("red", height: 40), "--height", "60")
        #expect(short.size == [400, 60])
        #expect(short[5, 39] == [255, 0, 0, 255])
        #expect(short[5, 40] == [255, 255, 255, 255])
        let long = try draw(row("red", height: 500), "--height=60")
        #expect(long.size == [400, 60])
        #expect(long[5, 59] == [255, 0, 0, 255])
    }

    @Test func viewportHeight() throws {
        let html = "<!doctype html><body style='margin:0'><div style='height:50vh;background:red'></div>"
        #expect(try draw(html, "--viewport-height", "300").size == [400, 150])
        // Without the option, 100vh equals the fixed height.
        let fixed = try draw(html, "--height", "100")
        #expect(fixed.size == [400, 100])
        #expect(fixed[0, 49] == [255, 0, 0, 255])
        #expect(fixed[0, 50] == [255, 255, 255, 255])
    }

    @Test(arguments: [1, 2, 3])
    func scale(scale: Int) throws {
        // One device px is a third of a CSS px at scale 3; a media query sees the scale.
        let html = """
            <!doctype html><style>body { margin: 0; background: red }
            @media (resolution: \(scale)dppx) { body { background: lime } }</style>
            <div style="height:20px"></div><div style="height:calc(1px / \(scale));background:black"></div>
            """
        let picture = try draw(html, "--scale", "\(scale)", "--width", "50", "--height", "22")
        #expect(picture.size == [50 * scale, 22 * scale])
        #expect(picture.scale == Double(scale))
        #expect(picture[0, 0] == [0, 255, 0, 255])
        #expect(picture[0, 20 * scale] == [0, 0, 0, 255])
        #expect(picture[0, 20 * scale + 1] == [0, 255, 0, 255])
    }

    @Test func tooLarge() throws {
        try withFolder { folder in
            try folder.write("long.html", row(height: 500_001))
            try folder.write("wide.html", row())
            let long = try Offstage.run("render", "long.html", "--out", "out", "--scale", "2", in: folder)
            #expect(long.code == 1)
            #expect(
                long.errorLines.first
                    == "offstage: long.html: 800 × 1000002 device px is too large; the limit is 32767 × 1000000; "
                    + "use a smaller scale or size")
            // The suggested remedy works.
            let cut = try Offstage.run(
                "render", "long.html", "--out", "out", "--scale", "2", "--height", "50", in: folder)
            #expect(cut.code == 0)
            #expect(folder.files("out") == ["long.png"])
        }
    }
}

/// Draws a document and reads its picture back.
func draw(_ html: String, _ options: String...) throws -> Picture {
    try withFolder { folder in
        try folder.write("a.html", html)
        let outcome = try Child(
            [Offstage.path, "render", "a.html", "-o", "a.png"] + options, folder: folder.path
        ).wait()
        #expect(outcome.code == 0, "\(outcome.error)")
        return try folder.picture("a.png")
    }
}
