import Foundation
import Testing

/// Ink at the command line.
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

    @Test func errorsNameTheFileAndTheRemedy() throws {
        try withNotes { folder throws in
            try folder.write("bad.xopp", "hello")
            let bad = try render(folder, "bad.xopp")
            #expect(bad.code == 1)
            #expect(bad.error.contains("bad.xopp: it is not a file with ink of a known kind"))
            let page = try render(folder, "in/notes.xopp", "--page", "3")
            #expect(page.error.contains("there is no page 3; the document has 2 pages"))
            let output = try Offstage.run("convert", arguments: ["in/notes.xopp", "a.png"], in: folder)
            #expect(output.code == 2)
            #expect(
                output.error
                    == "offstage: convert writes .pdf, .svg, .inkml or .xopp, not a.png; for pixels, use offstage render\n"
            )
            let few = try render(folder, "in/notes.xopp", "--max-points", "1")
            #expect(few.error.contains("its strokes have more than 1 points"))
        }
    }
}
