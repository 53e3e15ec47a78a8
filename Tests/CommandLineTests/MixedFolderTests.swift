import Foundation
import PageSamples
import Testing

/// Files of several kinds in one run, and files whose names do not reveal their kind.
struct MixedFolderTests {
    private var page: Data { TestPDF(pages: [.init(), .init()]).data }

    /// A picture of 40 × 20 px.
    private func image(_ folder: Folder) throws -> Data {
        try folder.write("one.html", "<body style='margin:0'><div style='height:20px;background:red'>")
        #expect(try Offstage.run("render", "one.html", "--width", "40", "-q", in: folder).code == 0)
        return try folder.data("one.png")
    }

    /// A value that is valid for only one source does not prevent drawings from other sources.
    @Test func aValueAppliesToTheSourcesThatKnowIt() throws {
        try withFolder { folder throws in
            try folder.write("in/photo.png", try image(folder))
            try folder.write("in/book.pdf", page)
            let cover = try Offstage.run("render", "in", "--fit", "cover", "--out", "cover", "-q", in: folder)
            #expect(cover.code == 0 && cover.error.isEmpty, "\(cover.error)")
            let box = try Offstage.run("render", "in", "--fit", "100x100", "--out", "box", "-q", in: folder)
            #expect(box.code == 0 && box.error.isEmpty, "\(box.error)")
            #expect(try folder.picture("box/book.png").size == [100, 50])
            #expect(try folder.picture("box/photo.png").size == [40, 20])
            // In a run with a single file, the file's source must accept the value. No source accepts the other
            // value.
            #expect(try Offstage.run("render", "in/photo.png", "--fit", "100x100", in: folder).code == 2)
            #expect(try Offstage.run("render", "in", "--fit", "large", "--out", "none", in: folder).code == 2)
            #expect(folder.files("none").isEmpty)
        }
    }

    @Test func anOptionThatHasNoEffectIsNamed() throws {
        try withFolder { folder throws in
            try folder.write("in/photo.png", try image(folder))
            let warning = "--page has no effect on image files; use --frame"
            let file = try Offstage.run("render", "in/photo.png", "--page", "1", "-o", "a.png", in: folder)
            #expect(file.code == 0 && file.error.contains(warning), "\(file.error)")
            let whole = try Offstage.run("render", "in", "--page", "1", "--out", "out", in: folder)
            #expect(whole.code == 0 && whole.error.contains(warning), "\(whole.error)")
            let quiet = try Offstage.run("render", "in", "--page", "1", "--out", "out", "-q", in: folder)
            #expect(quiet.code == 0 && quiet.error.isEmpty, "\(quiet.error)")

            try folder.write("in/book.pdf", page)
            let both = try Offstage.run(
                "render", "in/photo.png", "in/book.pdf", "--page", "2", "--max-elements", "9", "--out", "out",
                in: folder)
            #expect(both.code == 0 && !both.error.contains("no effect"), "\(both.error)")
            let none = try Offstage.run(
                "render", "in/photo.png", "in/book.pdf", "--javascript", "--out", "none", in: folder)
            #expect(none.code == 0)
            #expect(
                none.error.contains("--javascript has no effect on image and pdf files; leave it out"), "\(none.error)")

            try folder.write("rows.jsonl", #"{"identifier": "a", "file": "in/photo.png"}"#)
            let rows = try Offstage.run(
                "render", "--manifest", "rows.jsonl", "--page", "1", "--out", "out", in: folder)
            #expect(rows.code == 0 && rows.error.contains(warning), "\(rows.error)")
            let input = try Child(
                [Offstage.path, "render", "-", "-o", "b.png", "--page", "1"], stdin: folder.data("in/photo.png"),
                folder: folder.path
            ).wait()
            #expect(input.code == 0 && input.error.contains("standard input: \(warning)"), "\(input.error)")
        }
    }

    @Test func theContentDecidesWhereTheNameDoesNot() throws {
        try withFolder { folder throws in
            try folder.write("photo", try image(folder))
            try folder.write("score.dat", page)
            try folder.write("notes.unknown", "<p>Hello")
            let run = try Offstage.run(
                "render", "photo", "score.dat", "notes.unknown", "--out", "out", "-q", in: folder)
            #expect(run.code == 0 && run.error.isEmpty, "\(run.error)")
            #expect(try folder.picture("out/photo.png").size == [40, 20])
            #expect(try Offstage.run("info", "photo", "score.dat", in: folder).text.contains("PNG, 40 × 20 px"))
        }
    }

    @Test func standardInputIsNotDivided() throws {
        try withFolder { folder throws in
            for arguments in [["--pages", "all"], ["--variant", "plain,thumbnail"], ["--pair"]] {
                let run = try Child(
                    [Offstage.path, "render", "-", "--out", "out"] + arguments, stdin: page, folder: folder.path
                ).wait()
                #expect(run.code == 2)
                #expect(run.error.contains("standard input gives only one; name a file"), "\(run.error)")
            }
        }
    }

    /// Strict mode applies to every source, both when a file is first drawn and from the cache.
    @Test func strictFailsForEverySource() throws {
        try withFolder { folder throws in
            let whole = try image(folder)
            try folder.write("cut.png", whole.prefix(whole.count - 30))
            try folder.write("cut.html", "<img src=missing.png>")
            for name in ["cut.png", "cut.html"] {
                for _ in 1...2 {
                    let run = try Offstage.run(
                        "render", name, "--out", "out", "--strict", "--cache", "cache", in: folder)
                    #expect(run.code == 1, "\(name): \(run.error)")
                }
                #expect(try Offstage.run("render", name, "--out", "out", "--cache", "cache", in: folder).code == 0)
                #expect(
                    try Offstage.run("render", name, "--out", "x", "--strict", "--cache", "cache", in: folder).code == 1
                )
            }
            #expect(folder.files("x").isEmpty)
        }
    }

    /// A row may shorten its source's own time limit, not only that of HTML.
    @Test func aRowsTimeLimitIsThatOfItsSource() throws {
        try withFolder { folder throws in
            try folder.write("book.pdf", page)
            try folder.write("rows.jsonl", #"{"identifier": "a", "file": "book.pdf", "timeout": 30}"#)
            let run = try Offstage.run("render", "--manifest", "rows.jsonl", "--out", "out", "-q", in: folder)
            #expect(run.code == 0 && run.error.isEmpty, "\(run.error)")
        }
    }
}
