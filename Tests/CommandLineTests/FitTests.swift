import Foundation
import PageSamples
import Testing

/// `--fit` with both sides: boxes of one size for files of all kinds.
@Suite struct FitTests {
    private static let kinds = ["card", "notes", "page", "photo", "tall"]

    /// A photo of 40 × 20 px, a page and ink that are twice as wide as tall, and documents that are shorter and taller
    /// than the box.
    private func withFiles(_ body: (Folder) throws -> Void) throws {
        try withFolder { folder in
            try folder.write("photo.html", "<body style='margin:0'><div style='height:20px;background:blue'>")
            let photo = try Offstage.run("render", "photo.html", "--width", "40", "-q", in: folder)
            #expect(photo.code == 0)
            try FileManager.default.removeItem(atPath: folder.path("photo.html"))
            try folder.write("page.pdf", TestPDF(pages: [.init()]).data)
            try folder.write("card.html", "<body style='margin:0;background:red'>")
            try folder.write(
                "tall.html",
                "<body style='margin:0'><div style='height:200px;background:red'></div><div style='height:200px;background:lime'>"
            )
            try folder.write(
                "notes.xopp",
                """
                <?xml version="1.0"?><xournal creator="x" fileversion="4"><page width="72" height="36">
                <background type="solid" color="#ffffffff" style="plain"/><layer>
                <stroke tool="pen" color="#ff0000ff" width="20" capStyle="butt">10 18 62 18</stroke></layer></page></xournal>
                """)
            try body(folder)
        }
    }

    private func render(_ folder: Folder, _ options: String..., to out: String) throws {
        let run = try Offstage.run(
            "render",
            arguments: [
                "photo.png", "page.pdf", "card.html", "tall.html", "notes.xopp", "-q", "--no-cache", "--out", out,
            ]
                + options, in: folder)
        #expect(run.code == 0 && run.error.isEmpty, "\(run.error)")
    }

    private func pictures(_ folder: Folder, _ out: String) throws -> [String: Picture] {
        var all: [String: Picture] = [:]
        for kind in Self.kinds { all[kind] = try folder.picture("\(out)/\(kind).png") }
        return all
    }

    @Test func boxesOfOneSize() throws {
        try withFiles { folder in
            for (fit, scale) in [("cover", "1"), ("contain", "1"), ("fill", "1"), ("cover", "1.5"), ("contain", "2")] {
                try render(
                    folder, "--width", "100", "--height", "80", "--fit", fit, "--scale", scale, to: "\(fit)\(scale)")
                let factor = try #require(Double(scale))
                for (kind, picture) in try pictures(folder, "\(fit)\(scale)") {
                    #expect(picture.size == [Int(100 * factor), Int(80 * factor)], "\(fit) \(scale) \(kind)")
                }
            }
        }
    }

    @Test func insideIsAtMostTheBox() throws {
        try withFiles { folder in
            try render(folder, "--width", "100", "--height", "80", "--fit", "inside", to: "out")
            // Pictures made of pixels are not enlarged, and the card is as tall as its content.
            let sizes = try pictures(folder, "out").mapValues(\.size)
            #expect(sizes["photo"] == [40, 20])
            #expect(sizes["page"] == [100, 50] && sizes["notes"] == [100, 50])
            #expect(sizes["tall"] == [20, 80])
        }
    }

    @Test func eachWayShowsWhatItsNameSays() throws {
        try withFiles { folder in
            let (red, lime, none): ([UInt8], [UInt8], [UInt8]) = ([255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 0, 0])
            for fit in ["cover", "contain", "fill"] {
                try render(folder, "--width", "100", "--height", "80", "--fit", fit, to: fit)
            }
            let (cover, contain, fill) = (
                try pictures(folder, "cover"), try pictures(folder, "contain"), try pictures(folder, "fill")
            )
            // The stroke is 20 of 36 points high and extends from x = 10 to x = 62 of 72 points.
            #expect(cover["notes"]?[1, 40] == red && cover["notes"]?[99, 40] == red)
            #expect(contain["notes"]?[50, 40] == red && contain["notes"]?[2, 40] != red)
            for kind in ["notes", "page", "photo"] {
                #expect(contain[kind]?[50, 5] == none && contain[kind]?[50, 75] == none, "\(kind)")
                #expect(cover[kind]?[50, 1] != none && fill[kind]?[50, 1] != none, "\(kind)")
            }
            #expect(fill["notes"]?[50, 22] == red && contain["notes"]?[50, 22] != red)
            // A document is as wide as the box, which shows its upper part, the whole document, or the whole document
            // squeezed.
            #expect(cover["tall"]?[50, 79] == red)
            #expect(contain["tall"]?[50, 20] == red && contain["tall"]?[50, 60] == lime)
            #expect(contain["tall"]?[20, 20] == [255, 255, 255, 255])
            #expect(fill["tall"]?[1, 38] == red && fill["tall"]?[98, 42] == lime)
            for picture in [cover, contain, fill] { #expect(picture["card"]?[50, 79] == red) }
        }
    }

    @Test func gravityAndBackground() throws {
        try withFiles { folder in
            let red: [UInt8] = [255, 0, 0, 255]
            try render(
                folder, "--width", "100", "--height", "80", "--fit", "contain", "--gravity", "north", "--background",
                "black", to: "north")
            let north = try pictures(folder, "north")
            for kind in ["notes", "page", "photo"] {
                #expect(north[kind]?[50, 70] == [0, 0, 0, 255], "\(kind)")
                #expect(north[kind]?[50, 2] != [0, 0, 0, 255], "\(kind)")
            }
            #expect(north["notes"]?[50, 25] == red)
            try render(
                folder, "--width", "40", "--height", "80", "--fit", "cover", "--gravity", "west", to: "west")
            let west = try pictures(folder, "west")["notes"]
            // 160 px wide before cropping: paper up to x = 22, then the stroke.
            #expect(west?[10, 40] == [255, 255, 255, 255] && west?[30, 40] == red)
        }
    }

    @Test func rowsPipeAndHTTPGiveTheSameBytes() throws {
        try withFiles { folder in
            try render(folder, "--width", "60", "--height", "60", "--fit", "cover", to: "out")
            let files = ["photo.png", "page.pdf", "card.html", "tall.html", "notes.xopp"]
            let rows = files.map {
                let name = ($0 as NSString).deletingPathExtension
                return #"{"identifier": "\#(name)", "file": "\#($0)", "fit": "cover", "width": 60, "height": 60}"#
            }
            try folder.write("rows.jsonl", rows.joined(separator: "\n"))
            let run = try Offstage.run(
                "render", "--manifest", "rows.jsonl", "--out", "rows", "--no-cache", "-q", in: folder)
            #expect(run.code == 0 && run.error.isEmpty, "\(run.error)")
            let pipe = try PipeProgram("--out", "pipe", "--no-cache", in: folder)
            for row in rows { pipe.send(row) }
            #expect(try pipe.end().outcome.code == 0)
            let service = try Service(in: folder)
            let query = "fit=cover&width=60&height=60"
            for (file, type) in zip(
                files, ["image/png", "application/pdf", "text/html", "text/html", "application/x-xopp"])
            {
                let name = (file as NSString).deletingPathExtension
                let answer = try service.draw(folder.data(file), type: type, query)
                #expect(answer.status == 200, "\(file)")
                let bytes = try folder.data("out/\(name).png")
                #expect(answer.body == bytes, "\(file)")
                for place in ["rows", "pipe"] {
                    #expect(try folder.data("\(place)/\(name).png") == bytes, "\(place) \(file)")
                }
            }
            let wrong = try service.draw("<p>x", "fit=bogus")
            #expect(wrong.status == 422 && wrong.text.contains("takes inside, contain, cover or fill"), "\(wrong.text)")
            #expect(try service.stop().code == 0)
        }
    }

    @Test func partsAreNotEnlarged() throws {
        try withFolder { folder in
            try folder.write(
                "a.html", "<body style='margin:0'><p style='margin:0;width:20px;height:10px;background:red'></p>")
            for (fit, size) in [("contain", [100, 80]), ("inside", [20, 10])] {
                let run = try Offstage.run(
                    "render", "a.html", "-o", "\(fit).png", "--width", "100", "--height", "80", "--fit", fit,
                    "--selector",
                    "p", in: folder)
                #expect(run.code == 0, "\(run.error)")
                let picture = try folder.picture("\(fit).png")
                #expect(picture.size == size)
                #expect(picture.count(of: [255, 0, 0, 255]) == 200)
            }
        }
    }

    @Test func wrongUse() throws {
        try withFiles { folder in
            for (file, options, message) in [
                ("tall.html", ["--format", "pdf"], "--fit contain scales pixels, and the format pdf has none"),
                (
                    "page.pdf", ["--clip", "0,0,9,9"],
                    "--clip selects a part of a page, but --fit contain shows the whole"
                ),
            ] {
                let run = try Offstage.run(
                    "render",
                    arguments: [file, "--out", "out", "--width", "9", "--height", "9", "--fit", "contain"] + options,
                    in: folder)
                #expect(run.code == 2 && run.error.contains(message), "\(run.error)")
            }
            let part = try Offstage.run(
                "render", "tall.html", "--out", "out", "--width", "9", "--height", "9", "--fit", "cover", "--selector",
                "div", in: folder)
            #expect(part.code == 2 && part.error.contains("--fit cover is for whole documents"), "\(part.error)")
        }
    }

    /// A link's area is where the picture shows the link.
    @Test func areasFollowThePicture() throws {
        try withFolder { folder in
            try folder.write(
                "a.html",
                "<body style='margin:0'><a id=top href='#x' style='display:block;height:40px'>x</a><div style='height:160px'>"
            )
            let run = try Offstage.run(
                "render", "a.html", "-o", "a.png", "--width", "100", "--height", "100", "--fit", "contain", "--areas",
                "--json", "--no-cache", in: folder)
            let area = try #require((run.objects[0]["areas"] as? [[String: Any]])?.first)
            // At half size, in the middle.
            #expect(["x", "y", "width", "height"].map { area[$0] as? Double } == [25, 0, 50, 20])
        }
    }
}
