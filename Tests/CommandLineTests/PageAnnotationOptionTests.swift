import Foundation
import PageSamples
import Testing

/// `--annotations`, and the annotation file beside the document.
struct PageAnnotationOptionTests {
    /// A coloured rectangle in the middle of a page of 200 × 100 points.
    private static func file(page: Int = 2, _ color: (Int, Int, Int) = (255, 0, 0)) -> String {
        let part = #"{"x":0.25,"y":0.25,"width":0.5,"height":0.5}"#
        let color = #"{"red":\#(color.0),"green":\#(color.1),"blue":\#(color.2)}"#
        return
            #"{"version":1,"pages":{"\#(page)":[{"kind":"highlight","part":\#(part),"marks":[\#(part)],"strokes":[],"color":\#(color),"width":1,"text":""}]}}"#
    }

    private func withScore(_ body: (Folder) throws -> Void) throws {
        try withFolder { folder throws in
            try folder.write("score.pdf", TestPDF(pages: [.init(content: "q Q"), .init(content: "q Q")]).data)
            try folder.write("score.pdf.annotations.json", Self.file())
            try body(folder)
        }
    }

    private func render(_ folder: Folder, _ arguments: String...) throws -> Outcome {
        try Offstage.run("render", arguments: ["score.pdf", "--cache", "cache"] + arguments, in: folder)
    }

    private func pages(_ folder: Folder, _ arguments: String...) throws -> [String: Bool] {
        let run = try Offstage.run(
            "render",
            arguments: [
                "score.pdf", "--cache", "cache", "--out", "out", "--pages", "all", "--variant",
                "plain,annotated,thumbnail", "--json",
            ] + arguments, in: folder)
        #expect(run.code == 0, "\(run.error)")
        // True if the picture was drawn.
        return try Dictionary(
            uniqueKeysWithValues: run.objects.map { ($0["identifier"] as? String ?? "", $0["kept"] as? Bool != true) })
    }

    @Test func theFileBesideTheDocumentIsDrawn() throws {
        try withScore { folder throws in
            #expect(try pages(folder).values.allSatisfy { $0 })
            let (red, white): ([UInt8], [UInt8]) = ([255, 0, 0, 255], [255, 255, 255, 255])
            #expect(try folder.picture("out/score/p002.annotated.png")[133, 66] == red)
            #expect(try folder.picture("out/score/p002.thumbnail.png")[128, 64] == red)
            #expect(try folder.picture("out/score/p002.plain.png")[133, 66] == white)
            #expect(try folder.picture("out/score/p001.annotated.png")[133, 66] == white)
            #expect(try pages(folder).values.allSatisfy { !$0 })
            // Only changed pictures are drawn again.
            try folder.write("score.pdf.annotations.json", Self.file((0, 0, 255)))
            let drawn = try pages(folder).filter(\.value).keys.sorted()
            #expect(drawn == ["score/p002.annotated", "score/p002.thumbnail"])
            #expect(try folder.picture("out/score/p002.annotated.png")[133, 66] == [0, 0, 255, 255])
            // The pictures without annotations are no longer in the cache.
            try FileManager.default.removeItem(atPath: folder.path("score.pdf.annotations.json"))
            #expect(try pages(folder).filter(\.value).keys.sorted() == drawn)
            #expect(try folder.picture("out/score/p002.annotated.png")[133, 66] == white)
        }
    }

    @Test func theSizeOfTheFileIsLimited() throws {
        try withScore { folder throws in
            for (bytes, isTooLarge) in [(32 << 20, false), (32 << 20 + 1, true)] {
                try folder.write("large.json", Data(count: bytes))
                let run = try render(folder, "--annotations", "large.json", "-o", "a.png")
                #expect(run.code != 0)
                #expect(run.error.contains("the limit max-input-bytes is 33554432") == isTooLarge, "\(run.error)")
            }
        }
    }

    @Test func anotherFileOrNone() throws {
        try withScore { folder throws in
            try folder.write("mine.json", Self.file(page: 1, (0, 255, 0)))
            #expect(try render(folder, "--annotations", "mine.json", "-q").code == 0)
            #expect(try folder.picture("score.png")[133, 66] == [0, 255, 0, 255])
            #expect(try render(folder, "--page", "2", "--annotations", "none", "-q").code == 0)
            #expect(try folder.picture("score.png")[133, 66] == [255, 255, 255, 255])
            let reason = try Offstage.run("cache", arguments: ["explain", "score.png", "--cache", "cache"], in: folder)
            #expect(reason.text.hasSuffix("cached; it would not be rendered again\n"), "\(reason.text)\(reason.error)")
            let missing = try render(folder, "--annotations", "no.json", "-q")
            #expect(
                missing.code == 2
                    && missing.error == "offstage: --annotations: cannot read no.json: No such file or directory\n")
            #expect(
                try render(folder, "--annotations", "").error
                    == "offstage: --annotations needs the path of a file, or none; the path is empty\n")
            try folder.write("score.pdf.annotations.json", "{}")
            let bad = try render(folder, "-q")
            #expect(
                bad.code == 1
                    && bad.error
                        == "offstage: score.pdf.annotations.json contains no annotations that this version can read; move it away, or give another file\n"
            )
            #expect(try render(folder, "--variant", "plain", "-q").code == 0)
        }
    }

    @Test func makeKnowsThem() throws {
        try withScore { folder throws in
            #expect(try render(folder, "--page", "2", "--depfile", "out.d", "-q").code == 0)
            let text = try String(decoding: folder.data("out.d"), as: UTF8.self)
            #expect(text.hasPrefix("score.png: score.pdf score.pdf.annotations.json\n"), "\(text)")
        }
    }

    @Test func rowsTheServiceAndInk() throws {
        try withScore { folder throws in
            try folder.write("mine.json", Self.file(page: 1, (0, 255, 0)))
            try folder.write(
                "rows.jsonl",
                """
                {"identifier": "a", "file": "score.pdf", "page": 2}
                {"identifier": "b", "file": "score.pdf", "annotations": "mine.json"}
                {"identifier": "c", "file": "score.pdf", "page": 2, "annotations": "none"}
                """)
            let run = try Offstage.run(
                "render", arguments: ["--manifest", "rows.jsonl", "--out", "out", "-q"], in: folder)
            #expect(run.code == 0, "\(run.error)")
            #expect(try folder.picture("out/a.png")[133, 66] == [255, 0, 0, 255])
            #expect(try folder.picture("out/b.png")[133, 66] == [0, 255, 0, 255])
            #expect(try folder.picture("out/c.png")[133, 66] == [255, 255, 255, 255])
            // A black line across the upper edge of the mark and above it.
            let line = "<stroke tool=\"pen\" color=\"black\" width=\"4\">40 30 160 30</stroke>"
            let page = "<page width=\"200\" height=\"100\"><layer/></page>"
            try folder.write(
                "notes.xopp",
                "<xournal>\(page)<page width=\"200\" height=\"100\"><layer>\(line)</layer></page></xournal>")
            #expect(try render(folder, "--page", "2", "--ink", "notes.xopp", "-o", "ink.png", "-q").code == 0)
            #expect(try folder.picture("ink.png")[133, 40] == [0, 0, 0, 255])
            #expect(try folder.picture("ink.png")[133, 66] == [255, 0, 0, 255])
            // A request body has no file beside it, and the service reads no files.
            let service = try Service(in: folder)
            let answer = try service.draw(folder.data("score.pdf"), type: "application/pdf", "page=2")
            #expect(try answer.picture[133, 66] == [255, 255, 255, 255])
            let refused = try service.draw(folder.data("score.pdf"), type: "application/pdf", "annotations=mine.json")
            #expect(refused.status >= 400 && refused.status < 500, "\(refused.text)")
            #expect(try service.stop().code == 0)
        }
    }
}
