import Foundation
import Testing

/// Ink on the command line.
struct InkTests {
    private static func page(_ strokes: String) -> String {
        """
        <page width="72" height="36"><background type="solid" color="#ffffffff" style="plain"/><layer>\(strokes)</layer></page>
        """
    }

    private static let red =
        "<stroke tool=\"pen\" color=\"#ff0000ff\" width=\"20\" capStyle=\"butt\">10 18 62 18</stroke>"

    private static let notes =
        "<?xml version=\"1.0\"?><xournal creator=\"x\" fileversion=\"4\">\(page(red))\(page(""))</xournal>"

    private func withNotes(_ body: (Folder) throws -> Void) throws {
        try withFolder { folder throws in
            try folder.write("in/notes.xopp", Self.notes)
            try body(folder)
        }
    }

    private func render(_ folder: Folder, _ arguments: String...) throws -> Outcome {
        try Offstage.run("render", arguments: arguments + ["--cache", "cache"], in: folder)
    }

    @Test func eachPageAndVariantIsAPictureOfItsOwn() throws {
        try withNotes { folder throws in
            let run = try render(
                folder, "in", "--pages", "all", "--variant", "plain,annotated,thumbnail,ink", "--scale", "2", "--out",
                "out", "-q")
            #expect(run.code == 0 && run.error.isEmpty, "\(run.error)")
            #expect(folder.files("out").count == 8)
            let picture = try folder.picture("out/notes/p001.annotated.png")
            #expect(picture.size == [192, 96])
            #expect(picture[96, 48] == [255, 0, 0, 255])
            #expect(try folder.picture("out/notes/p001.plain.png")[96, 48] == [255, 255, 255, 255])
            #expect(try folder.picture("out/notes/p001.ink.png")[4, 4] == [0, 0, 0, 0])
            #expect(try folder.picture("out/notes/p001.ink.png")[96, 48] == [255, 0, 0, 255])
            #expect(try folder.picture("out/notes/p001.thumbnail.png").size == [512, 256])
        }
    }

    @Test func drawingsAreInkByTheirContent() throws {
        try withFolder { folder throws in
            try folder.write("gap.json", "[[[100,60,0.5],[140,80,0.9]],[[null,3],[160,20,0.5],[200,80,0.5]]]")
            try folder.write(
                "board.json",
                """
                {"type":"excalidraw","elements":[{"type":"line","x":0,"y":0,"points":[[0,0],[90,0]],"strokeWidth":4,
                "strokeColor":"#ff0000"}]}
                """)
            let gap = try render(folder, "gap.json", "-o", "gap.png")
            #expect(gap.code == 0 && gap.error.contains("their positions are not numbers"), "\(gap.error)")
            let board = try render(folder, "board.json", "-o", "board.png", "-q")
            #expect(board.code == 0 && board.error.isEmpty, "\(board.error)")
            // 90 px, plus half of the line's width and a margin of 16 CSS px on each side.
            #expect(try folder.picture("board.png").size == [126, 36])
            #expect(try folder.picture("board.png")[60, 18] == [255, 0, 0, 255])
        }
    }

    @Test func notesAreDescribedAndConverted() throws {
        try withNotes { folder throws in
            let info = try Offstage.run("info", arguments: ["in/notes.xopp"], in: folder)
            #expect(info.text == "in/notes.xopp: Xournal, 2 pages, 1 stroke, 2 points\n")
            for name in ["a.pdf", "a.svg", "a.inkml", "a.xopp"] {
                let run = try Offstage.run("convert", arguments: ["in/notes.xopp", name], in: folder)
                #expect(run.code == 0 && run.error.isEmpty, "\(run.error)")
            }
            for name in ["a.inkml", "a.xopp"] {
                #expect(try render(folder, name, "-o", "b.png", "-q").code == 0)
                #expect(try folder.picture("b.png")[48, 24] == [255, 0, 0, 255], "\(name)")
            }
            #expect(try render(folder, "a.pdf", "-o", "c.png", "-q").code == 0)
            #expect(try folder.picture("c.png")[48, 24] == [255, 0, 0, 255])
        }
    }

    @Test func nothingIsWrittenOverTheFileOrItsBackgrounds() throws {
        try withNotes { folder throws in
            #expect(try Offstage.run("convert", arguments: ["in/notes.xopp", "score.pdf"], in: folder).code == 0)
            let page = { (file: String, domain: String) in
                "<xournal><page width=\"72\" height=\"36\"><background type=\"pdf\" domain=\"\(domain)\" filename=\"\(file)\""
                    + " pageno=\"1\"/><layer>\(Self.red)</layer></page></xournal>"
            }
            try folder.write("score.xopp", page("score.pdf", "absolute"))
            try folder.write("other.xopp", page("bg.pdf", "attach"))
            let path = { folder.path($0) }
            let score = try Data(contentsOf: URL(fileURLWithPath: folder.path("score.pdf")))
            try score.write(to: URL(fileURLWithPath: folder.path("other.xopp.bg.pdf")))
            #expect(link(path("score.pdf"), path("hard.pdf")) == 0)
            #expect(symlink("score.pdf", path("soft.pdf")) == 0 && symlink("soft.pdf", path("chain.pdf")) == 0)
            #expect(symlink("score.xopp", path("same.xopp")) == 0)
            for (input, output) in [
                ("score.xopp", "score.pdf"), ("score.xopp", "hard.pdf"), ("score.xopp", "soft.pdf"),
                ("score.xopp", "chain.pdf"), ("other.xopp", "other.xopp.bg.pdf"), ("score.xopp", "same.xopp"),
                ("score.xopp", "score.xopp"),
            ] {
                let before = try Data(contentsOf: URL(fileURLWithPath: folder.path(output)))
                let run = try Offstage.run("convert", arguments: [input, output], in: folder)
                #expect(run.code == 2 && run.error.contains("was not changed; choose another output"), "\(run.error)")
                #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path(output))) == before, "\(output)")
            }
            let forced = try Offstage.run("convert", arguments: ["score.xopp", "score.pdf", "--force"], in: folder)
            #expect(forced.code == 0, "\(forced.error)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("score.pdf.original"))) == score)
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("score.pdf"))) != score)
        }
    }

    @Test func strokesInJSONAreInkAndOtherJSONIsNot() throws {
        try withNotes { folder throws in
            let points = Array(repeating: "[10.5, 20, 0.5, 0]", count: 1000).joined(separator: ",\n")
            for (text, isInk) in [
                ("[[[0, 0], [9, 9]]]", true), ("{\"a\": [{\"x\": 1, \"y\": 2}]}", true),
                ("{\"a\": [\(points)]}", true),
                ("[{\"size\": 8, \"points\": [[1, 2]]}]", true), ("{\"a\": 1}", false), ("[1, 2]", false),
                ("[]", false),
                ("{\"type\": \"LineString\", \"coordinates\": [[1, 2], [3, 4]]}", false),
                ("[{\"x\": 1, \"y\": 2, \"name\": \"a\"}]", false), ("[[[1, 2], [3, 4]], \"a\"]", false),
            ] {
                try folder.write("strokes.json", text)
                let info = try Offstage.run("info", arguments: ["strokes.json"], in: folder)
                #expect(info.text.contains("perfect-freehand") == isInk, "\(text.prefix(80)): \(info.text)")
            }
        }
    }

    @Test func inkAnnotationsOfADocumentAreInk() throws {
        try withNotes { folder throws in
            let made = try Offstage.run("convert", arguments: ["in/notes.xopp", "a.pdf", "--annotations"], in: folder)
            #expect(made.code == 0 && made.error.isEmpty, "\(made.error)")
            let read = try Offstage.run("convert", arguments: ["a.pdf", "b.xopp"], in: folder)
            #expect(read.code == 0)
            #expect(read.error == "offstage: a.pdf: only the document's ink is converted, on white pages\n")
            let info = try Offstage.run("info", arguments: ["b.xopp"], in: folder)
            #expect(info.text == "b.xopp: Xournal, 2 pages, 1 stroke, 2 points\n")
            #expect(try render(folder, "b.xopp", "-o", "b.png", "-q").code == 0)
            let picture = try folder.picture("b.png")
            #expect(picture.size == [96, 48])
            // The stroke is 20 points wide, so it extends from y = 11 to y = 37.
            #expect((0..<48).filter { picture[48, $0] == [255, 0, 0, 255] } == Array(11..<37))
            #expect(picture[48, 9] == [255, 255, 255, 255] && picture[48, 39] == [255, 255, 255, 255])
            #expect(try Offstage.run("convert", arguments: ["in/notes.xopp", "flat.pdf"], in: folder).code == 0)
            let none = try Offstage.run("convert", arguments: ["flat.pdf", "c.xopp"], in: folder)
            #expect(none.code == 1)
            #expect(
                none.error == "offstage: flat.pdf: the document has no Ink annotations; nothing was written\n")
        }
    }

    /// A pen's widths and the colour of Xournal++'s highlighters are preserved.
    @Test func widthsComeBackFromAnnotations() throws {
        try withNotes { folder throws in
            let strokes = [
                ##"<stroke tool="pen" color="#ff0000ff" width="8 2 4">10 10 30 12 50 10</stroke>"##,
                ##"<stroke tool="highlighter" color="#ffff007f" width="8.5">10 20 50 20</stroke>"##,
            ]
            try folder.write("in.xopp", "<xournal>\(Self.page(strokes.joined()))</xournal>")
            let made = try Offstage.run("convert", arguments: ["in.xopp", "a.pdf", "--annotations"], in: folder)
            #expect(made.code == 0)
            let listed = try Offstage.run("convert", arguments: ["a.pdf", "a.json"], in: folder)
            #expect(listed.code == 0, "\(listed.error)")
            let json = try String(contentsOfFile: folder.path + "/a.json", encoding: .utf8)
            #expect(json.contains(#""widths":[[2,4,"#), "\(json)")
            #expect(try Offstage.run("convert", arguments: ["a.pdf", "b.xopp"], in: folder).code == 0)
            let file = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/b.xopp"))
            let back = try Child(["/usr/bin/zcat"], stdin: file, folder: folder.path).wait()
            #expect(back.text.contains(#" 2 4" capStyle"#), "\(back.text)")
            #expect(back.text.contains(##"tool="highlighter" color="#ffff007f""##), "\(back.text)")
        }
    }

    @Test func inkIsDrawnOverPagesAndImages() throws {
        try withNotes { folder throws in
            // Two pages of the same size, without ink.
            let empty = "<xournal>\(Self.page(""))\(Self.page(""))</xournal>"
            try folder.write("empty.xopp", empty)
            #expect(try Offstage.run("convert", arguments: ["empty.xopp", "score.pdf"], in: folder).code == 0)
            let run = try render(
                folder, "score.pdf", "--ink", "in/notes.xopp", "--pages", "all", "--variant",
                "annotated,plain,thumbnail", "--out", "out", "-q")
            #expect(run.code == 0 && run.error.isEmpty, "\(run.error)")
            #expect(folder.files("out").count == 6)
            #expect(try folder.picture("out/score/p001.annotated.png")[48, 24] == [255, 0, 0, 255])
            #expect(try folder.picture("out/score/p001.plain.png")[48, 24] == [255, 255, 255, 255])
            #expect(try folder.picture("out/score/p002.annotated.png")[48, 24] == [255, 255, 255, 255])
            #expect(try folder.picture("out/score/p001.thumbnail.png").size == [256, 128])
            #expect(try folder.picture("out/score/p001.thumbnail.png")[128, 64] == [255, 0, 0, 255])
            #expect(
                try render(folder, "out/score/p002.plain.png", "--ink", "in/notes.xopp", "-o", "b.png", "-q").code == 0)
            #expect(try folder.picture("b.png")[48, 24] == [255, 0, 0, 255])
        }
    }

    /// Checks that the stroke extends from x = 13 to x = 83 and from y = 11 to y = 37, because each picture is as wide
    /// as the ink's page.
    private func expectStroke(_ picture: Picture, over color: [UInt8], scale: Int = 1) {
        #expect(picture.size[0] == 96 * scale)
        #expect(picture[48 * scale, 24 * scale] == [255, 0, 0, 255])
        #expect(picture[4 * scale, 24 * scale] == color)
    }

    private static let teal = "<body style='margin: 0; height: 60px; background: teal'>"

    @Test func inkIsDrawnOverRowsOfEverySource() throws {
        try withNotes { folder throws in
            try folder.write(
                "rows.jsonl",
                """
                {"identifier": "html", "html": "\(Self.teal)", "width": 96, "ink": "in/notes.xopp", "also": "2x"}
                {"identifier": "plain", "html": "\(Self.teal)", "width": 96}
                {"identifier": "ink", "file": "in/notes.xopp", "page": 1, "variant": "plain", "ink": "in/notes.xopp"}
                {"identifier": "empty", "file": "in/notes.xopp", "page": 2, "ink": "in/notes.xopp"}

                """)
            for isCached in [false, true] {
                let run = try render(folder, "--manifest", "rows.jsonl", "--out", "out", "--json")
                #expect(run.code == 0 && run.error.isEmpty, "\(run.error)")
                #expect(run.text.components(separatedBy: "\"kept\":true").count == (isCached ? 5 : 1))
                let teal: [UInt8] = [0, 128, 128, 255]
                expectStroke(try folder.picture("out/html.png"), over: teal)
                expectStroke(try folder.picture("out/html@2x.png"), over: teal, scale: 2)
                #expect(try folder.picture("out/plain.png")[48, 24] == teal)
                // A plain variant shows no ink, not even from another file. The file has no ink on its second page.
                #expect(try folder.picture("out/ink.png")[48, 24] == [255, 255, 255, 255])
                #expect(try folder.picture("out/empty.png")[48, 24] == [255, 255, 255, 255])
            }
        }
    }

    @Test func inkIsDrawnOverSnippetsOfThePipe() throws {
        try withNotes { folder throws in
            let line = #"{"id": 1, "html": "\#(Self.teal)", "width": 96, "ink": "in/notes.xopp", "identifier": "a"}"#
            let run = try Offstage.run(
                "pipe", "--out", ".", "--cache", "cache", stdin: Data((line + "\n").utf8), in: folder)
            #expect(run.code == 0 && run.error.isEmpty, "\(run.error)")
            expectStroke(try folder.picture("a.png"), over: [0, 128, 128, 255])
        }
    }

    @Test func inkIsDrawnOverSnippetsOfTheService() throws {
        try withNotes { folder throws in
            let service = try Service(["--files", "in"], in: folder)
            let body = "{\"html\": \"\(Self.teal)\", \"width\": 96, \"ink\": \"notes.xopp\"}"
            let answer = try service.ask("POST", "/v1/images", ["Content-Type": "application/json"], body)
            #expect(answer.status == 200)
            expectStroke(try answer.picture, over: [0, 128, 128, 255])
            let outside = body.replacing("notes.xopp", with: "../cache")
            #expect(try service.ask("POST", "/v1/images", ["Content-Type": "application/json"], outside).status == 403)
            #expect(try service.stop().code == 0)
        }
    }

    @Test func anInkFileThatCannotBeDrawnFailsThePicture() throws {
        try withNotes { folder throws in
            try folder.write("a.html", Self.teal)
            let damaged = try render(folder, "a.html", "--ink", "a.html")
            #expect(damaged.code == 1)
            #expect(damaged.error.contains("a.html: the ink over it cannot be drawn: it is not an ink file"))
            let missing = try render(folder, "a.html", "--ink", "b.xopp")
            #expect(missing.error.contains("b.xopp: No such file or directory"))
            for format in ["pdf", "svg"] {
                let vector = try render(folder, "a.html", "--ink", "in/notes.xopp", "-o", "a.\(format)")
                #expect(vector.code == 2)
                #expect(
                    vector.error
                        == "offstage: --ink draws pixels, and the format \(format) has none; use png, jpeg, webp or raw\n"
                )
            }
            for (name, option, value) in [
                ("a.png", "crop", "0,0,9,9"), ("a.png", "rotate", "90"), ("in/notes.xopp", "clip", "0,0,9,9"),
            ] {
                let part = try render(folder, name, "--\(option)", value, "--ink", "in/notes.xopp", "-o", "d.png")
                #expect(part.code == 2)
                #expect(part.error.contains("leave out --\(option)"), "\(part.error)")
            }
            let cover = try render(
                folder, "a.png", "--width", "9", "--height", "9", "--fit", "cover", "--ink", "in/notes.xopp", "-o",
                "d.png")
            #expect(cover.code == 2)
            #expect(cover.error.contains("--fit cover crops; use another --fit"), "\(cover.error)")
        }
    }

    private func tool(_ arguments: [String], in folder: Folder) throws -> String {
        let outcome = try Child(arguments, folder: folder.path).wait()
        #expect(outcome.code == 0, "\(arguments) \(outcome.error)")
        return outcome.text
    }

    /// In a PDF document, words are text that can be searched and copied at their visible position.
    @Test func wordsOfNotesAreTextInPDF() throws {
        try withFolder { folder throws in
            func text(_ words: String, _ y: Int) -> String {
                "<text font=\"Sans\" size=\"10\" x=\"20\" y=\"\(y)\" color=\"#000000ff\">\(words)</text>"
            }
            let many = String(String.UnicodeScalarView((0x4E00..<0x4E00 + 300).compactMap(Unicode.Scalar.init)))
            try folder.write(
                "notes.xopp",
                """
                <xournal><page width="200" height="150"><background type="solid" color="#ffffffff" style="plain"/><layer>
                \(text("Two words &amp;\nа second line", 20))\(text("שלום עולם", 80))</layer></page>
                <page width="4000" height="150"><background type="solid" color="#ffffffff" style="plain"/><layer>
                \(text(many, 20))</layer></page></xournal>
                """)
            let run = try Offstage.run("convert", arguments: ["notes.xopp", "notes.pdf"], in: folder)
            #expect(run.code == 0, "\(run.error)")
            let first = try tool(["pdftotext", "-f", "1", "-l", "1", "notes.pdf", "-"], in: folder)
            #expect(first.contains("Two words &\nа second line"), "\(first)")
            #expect(first.contains("שלום עולם"), "\(first)")
            #expect(try tool(["pdftotext", "-f", "2", "-l", "2", "notes.pdf", "-"], in: folder).contains(many))
            // The word is in the upper half of the left half of the page.
            let part = ["-x", "0", "-y", "0", "-W", "110", "-H", "60"]
            #expect(try tool(["pdftotext", "-l", "1"] + part + ["notes.pdf", "-"], in: folder).contains("Two words"))
        }
    }

    @Test func convertNamesTheCommandForOtherSources() throws {
        try withFolder { folder throws in
            try folder.write("page.html", "<p>x")
            let run = try Offstage.run("convert", arguments: ["page.html", "page.pdf"], in: folder)
            #expect(
                run.code == 2
                    && run.error
                        == "offstage: convert reads ink and PDF documents, and page.html is an HTML or SVG document; use offstage render page.html -o FILE\n",
                "\(run.error)")
        }
    }

    @Test func errorsNameTheFileAndTheRemedy() throws {
        try withNotes { folder throws in
            try folder.write("bad.xopp", "hello")
            let bad = try render(folder, "bad.xopp")
            #expect(bad.code == 1)
            #expect(bad.error.contains("bad.xopp: it is not an ink file of a known kind"))
            let page = try render(folder, "in/notes.xopp", "--page", "3")
            #expect(page.error.contains("there is no page 3; the document has 2 pages"))
            let output = try Offstage.run("convert", arguments: ["in/notes.xopp", "a.png"], in: folder)
            #expect(output.code == 2)
            #expect(
                output.error
                    == "offstage: convert writes .pdf, .svg, .inkml or .xopp, and annotations as .json or .xfdf, not a.png; for pixels, use offstage render\n"
            )
            let few = try render(folder, "in/notes.xopp", "--max-points", "1")
            #expect(few.error.contains("its strokes have more than 1 points"))
        }
    }
}
