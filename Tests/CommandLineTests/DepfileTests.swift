import Foundation
import Testing

/// `--depfile` as Make reads it.
@Suite struct DepfileTests {
    /// Includes the background of notes, which Offstage finds only when it draws them, and ink over a picture.
    @Test func inkIsMadeFromOtherFilesToo() throws {
        try withFolder { folder in
            try folder.write("score.png", MachineTests.png)
            try folder.write("page.html", "<p>A page")
            let stroke =
                #"<layer><stroke tool="pen" color="black" width="2">10 10 90 90</stroke></layer></page></xournal>"#
            try folder.write(
                "notes.xopp",
                #"<xournal><page width="200" height="100"><background type="pixmap" domain="absolute" "#
                    + #"filename="score.png"/>"# + stroke)
            for _ in 0..<2 {
                let run = try Offstage.run(
                    "render", "notes.xopp", "page.html", "--ink", "notes.xopp", "--out", "out", "--depfile", "out.d",
                    "--cache", "cache", in: folder)
                #expect(run.code == 0, "\(run.error)")
                let text = try String(decoding: folder.data("out.d"), as: UTF8.self)
                #expect(text.contains("out/notes.png: notes.xopp score.png\n"), "\(text)")
                #expect(text.contains("out/page.png: notes.xopp page.html\n"), "\(text)")
            }
        }
    }

    @Test func makeKnowsWhatAPictureIsMadeFrom() throws {
        try withFolder { folder in
            try folder.write(
                "in/a b.html", "<!doctype html><img src='c $.svg'><img src=none.svg><link rel=stylesheet href=d.css>")
            try folder.write("in/c $.svg", "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>")
            try folder.write("in/d.css", "p{}")
            try folder.write("Makefile", "-include out.d\nout/a\\ b.png:\n\t@echo draw\n")
            // Cached pictures list them, too.
            for _ in 0..<2 {
                let run = try Offstage.run(
                    "render", "in", "--out", "out", "--also", "webp", "--depfile", "out.d", "--cache", "cache",
                    in: folder)
                #expect(run.code == 0, "\(run.error)")
                #expect(
                    try String(decoding: folder.data("out.d"), as: UTF8.self).hasPrefix(
                        "out/a\\ b.png out/a\\ b.webp: in/a\\ b.html in/c\\ $$.svg in/d.css\n"))
            }
            func make() throws -> String {
                let run = try Child(["make", "-s", "out/a b.png"], folder: folder.path).wait()
                #expect(run.code == 0, "\(run.error)")
                return run.text
            }
            let soon = Date(timeIntervalSinceNow: 60)
            func touch(_ name: String, _ date: Date) throws {
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder.path(name))
            }
            try touch("out/a b.png", soon)
            #expect(!(try make().contains("draw")))
            try touch("in/c $.svg", soon.addingTimeInterval(60))
            #expect(try make() == "draw\n")
            // A file that was removed does not stop Make.
            try FileManager.default.removeItem(atPath: folder.path("in/d.css"))
            #expect(try make() == "draw\n")
        }
    }

    @Test func rowsRestOnTheirManifest() throws {
        try withFolder { folder in
            try folder.write("rows.jsonl", #"{"identifier": "a", "html": "<p>x</p>", "css": "e.css"}"#)
            try folder.write("e.css", "p{}")
            let run = try Offstage.run(
                "render", "--manifest", "rows.jsonl", "--out", "out", "--depfile", "out.d", in: folder)
            #expect(run.code == 0, "\(run.error)")
            let text = try String(decoding: folder.data("out.d"), as: UTF8.self)
            #expect(text.split(separator: "\n")[0].contains("rows.jsonl"), "\(text)")
        }
    }

    @Test func allCanBeOneTarget() throws {
        try withFolder { folder in
            try folder.write("in/a.html", "<!doctype html><link rel=stylesheet href=c.css><p>a")
            try folder.write("in/b.html", "<!doctype html><link rel=stylesheet href=c.css><p>b")
            try folder.write("in/c.css", "p{}")
            // A change to the sources of a failed picture may repair it.
            try folder.write("in/empty.html", "")
            let run = try Offstage.run(
                "render", "in", "--out", "out", "--depfile", "d", "--depfile-target", "build $/a stamp", in: folder)
            #expect(run.code == 1, "\(run.error)")
            #expect(
                try String(decoding: folder.data("d"), as: UTF8.self)
                    == "build\\ $$/a\\ stamp: in/a.html in/b.html in/c.css in/empty.html\n"
                    + ["a.html", "b.html", "c.css", "empty.html"].map { "\nin/\($0):\n" }.joined())
        }
    }

    @Test func standardOutputCanHaveAName() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            let run = try Offstage.run(
                "render", "a.html", "-o", "-", "--depfile", "d", "--depfile-target", "x.png", in: folder)
            #expect(run.code == 0, "\(run.error)")
            #expect(run.output.starts(with: [0x89, 0x50]))
            #expect(try String(decoding: folder.data("d"), as: UTF8.self) == "x.png: a.html\n\na.html:\n")
        }
    }

    @Test(arguments: [
        (["--out", "out", "--depfile="], "--depfile needs the name of a file"),
        (
            ["-o", "-", "--depfile=d"],
            "--depfile needs a file name, and -o - has none; use -o FILE, --out FOLDER or --depfile-target"
        ),
        (["--out", "out", "--depfile-target=x"], "--depfile-target requires --depfile"),
        (
            ["--out", "out", "--depfile=d", "--depfile-target="],
            "--depfile-target needs a name: the build tool's name for the result"
        ),
        (["--out", "out", "--watch", "--depfile=d"], "--watch and --depfile cannot be combined; use one"),
    ])
    func wrongUse(options: [String], message: String) throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            let run = try Child([Offstage.path, "render", "a.html"] + options, folder: folder.path).wait()
            #expect(run.code == 2)
            #expect(run.errorLines == ["offstage: \(message)"])
        }
    }
}
