import Foundation
import Testing

/// The paths for pictures, and the errors for unusable ones.
@Suite struct OutputPlaceTests {
    @Test func foldersAreMade() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            #expect(try Offstage.run("render", "a.html", "--out", "new/and/deep/", in: folder).code == 0)
            #expect(try Offstage.run("render", "a.html", "-o", "other/new/x.png", in: folder).code == 0)
            #expect(folder.files() == ["a.html", "new/and/deep/a.png", "other/new/x.png"])
        }
    }

    /// `render page.html` alone: the picture is in the working folder, is named after the file, and is reported.
    @Test func withoutAPlaceTheNameIsTheFiles() throws {
        try withFolder { folder in
            try folder.write("in/page.html", row())
            let outcome = try Offstage.run("render", "in/page.html", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(outcome.errorLines.last?.hasSuffix(", in page.png") == true, "\(outcome.error)")
            #expect(folder.files() == ["in/page.html", "page.png"])
            #expect(try Offstage.run("render", "in/page.html", "--format", "jpeg", "-q", in: folder).code == 0)
            #expect(folder.files() == ["in/page.html", "page.jpg", "page.png"])
            // A second run replaces it. As with -o, the result fails if the target is not a regular file.
            #expect(try Offstage.run("render", "in/page.html", in: folder).code == 0)
            #expect(try Offstage.run("render", "none.html", in: folder).code == 1)
            #expect(folder.files() == ["in/page.html", "page.jpg", "page.png"])
        }
    }

    /// A picture is not written to a terminal. `script` runs the program on one.
    @Test func noPictureGoesToATerminal() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            let outcome = try Child(
                ["script", "-qec", "'\(Offstage.path)' render a.html -o -", "/dev/null"], folder: folder.path
            ).wait()
            #expect(outcome.code == 2)
            #expect(outcome.text.contains("standard output is a terminal; redirect it"))
            #expect(!outcome.output.contains(0x89))
        }
    }

    /// Foundation's path functions would crash the program for a name of a single letter.
    @Test func namesOfOneLetter() throws {
        try withFolder { folder in
            try folder.write("a", row())
            try folder.write("b/c", row())
            #expect(try Offstage.run("render", "a", "b/c", "--out", "o", in: folder).code == 0)
            #expect(try Offstage.run("render", "a", "-o", "p", in: folder).code == 0)
            #expect(try Offstage.run("sheet", "o", "-o", "s", in: folder).code == 0)
            #expect(folder.files() == ["a", "b/c", "o/a.png", "o/c.png", "p", "s"])
        }
    }

    /// Like the shell's `>`, `-o` keeps the file's permissions, replaces an older picture, and follows a link.
    @Test func anOlderPictureIsReplaced() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            try folder.write("real.png", "old")
            symlink("real.png", folder.path("link.png"))
            let outcome = try Child(
                [
                    "sh", "-c", "umask 027; \"$0\" render a.html -o link.png && \"$0\" render a.html -o new.png",
                    Offstage.path,
                ],
                folder: folder.path
            ).wait()
            #expect(outcome.code == 0)
            #expect(try folder.picture("real.png").size == [400, 40])
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link.png")) == "real.png")
            let mode = try FileManager.default.attributesOfItem(atPath: folder.path("new.png"))[.posixPermissions]
            #expect(mode as? Int == 0o640)
        }
    }

    @Test func wrongPlaces() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            try folder.write("in/a.html", row())
            try folder.write("in/b.html", row())
            try folder.write("page.png", row())
            mkfifo(folder.path("pipe"), 0o666)
            try folder.make("locked")
            chmod(folder.path("locked"), 0o555)
            let before = folder.files()
            let other = "choose another path for the pictures"
            let cases: [([String], String)] = [
                (["in", "-o", "x.png"], "-o takes one input, but there are 2; use --out FOLDER for several"),
                (["in", "-o", "-"], "-o - takes one input, but there are 2"),
                (["a.html", "-o", "in"], "-o in is a folder; name a file, or use --out in"),
                (["a.html", "-o", "pipe"], "-o pipe is not a regular file; name one, or use -o - and redirect it"),
                (["a.html", "--out", "a.html"], "cannot create the folder a.html: Not a directory; \(other)"),
                (["a.html", "--out", "a.html/x"], "cannot create the folder a.html/x: Not a directory; \(other)"),
                (["a.html", "-o", "a.html/x.png"], "cannot create the folder a.html: Not a directory; \(other)"),
                (
                    ["a.html", "--out", "/proc/x"],
                    "cannot create the folder /proc/x: No such file or directory; \(other)"
                ),
                (["a.html", "--out", "locked"], "cannot write into locked: Permission denied; \(other)"),
                (["a.html", "--out", "locked/x"], "cannot create the folder locked/x: Permission denied; \(other)"),
                (["a.html", "-o", "./in/../a.html", "--format", "png"], replaced("a.html")),
                (["page.png", "--out", "."], replaced("page.png")),
            ]
            for (arguments, message) in cases {
                let outcome = try Child(
                    Offstage.asOrdinaryUser + [Offstage.path, "render"] + arguments, folder: folder.path
                ).wait()
                #expect(outcome.code == 2, "\(arguments)")
                #expect(outcome.error == "offstage: \(message)\n")
            }
            #expect(folder.files() == before)
        }
    }

    private func replaced(_ name: String) -> String {
        "\(name) would be replaced by its own picture; choose another path for it"
    }

    /// Files from which pictures are made: a page's image, the background of notes, and ink over a picture. They are
    /// safe under other names, too.
    @Test func nothingThatTheRunReadsIsReplaced() throws {
        try withFolder { folder in
            for name in ["score.png", "photo.png"] { try folder.write(name, MachineTests.png) }
            try folder.write("page.html", "<img src=photo.png>")
            let strokes =
                #"<layer><stroke tool="pen" color="black" width="2">10 10 90 90</stroke></layer></page></xournal>"#
            let start = #"<xournal><page width="200" height="100"><background type="#
            try folder.write("notes.xopp", start + #""pixmap" domain="absolute" filename="score.png"/>"# + strokes)
            try folder.write("marks.xopp", start + #""solid" color="white"/>"# + strokes)
            link(folder.path("score.png"), folder.path("other.png"))
            let before = try ["score.png", "photo.png", "marks.xopp"].map { try folder.data($0) }
            let why = "is an input of this run, so it was not replaced; choose another path for the picture"
            for (arguments, name) in [
                (["notes.xopp", "-o", "score.png"], "notes.xopp: score.png"),
                (["notes.xopp", "-o", "other.png"], "notes.xopp: other.png"),
                (["page.html", "-o", "photo.png"], "page.html: photo.png"),
                (["page.html", "--ink", "marks.xopp", "-o", "marks.xopp", "--format", "png"], "page.html: marks.xopp"),
            ] {
                let outcome = try Offstage.run("render", arguments: arguments, in: folder)
                #expect(outcome.code == 1, "\(arguments)")
                #expect(outcome.errorLines.contains("offstage: \(name) \(why)"), "\(outcome.error)")
            }
            symlink("marks.xopp", folder.path("marks.html"))
            for option in ["--html", "--results"] {
                for place in ["score.png", "marks.html"] {
                    let outcome = try Offstage.run(
                        "render", "notes.xopp", "page.html", "--ink", "marks.xopp", "--out", "out", option, place,
                        in: folder)
                    #expect(outcome.code != 0, "\(outcome.error)")
                    #expect(outcome.error.contains("choose another path for the results"), "\(outcome.error)")
                }
            }
            let line = #"{"id": 1, "file": "notes.xopp", "output": "score.png"}"#
            let pipe = try Child(
                [Offstage.path, "pipe", "--out", "."], stdin: Data((line + "\n").utf8), folder: folder.path
            ).wait()
            #expect(pipe.text.contains(why), "\(pipe.text)")
            #expect(try ["score.png", "photo.png", "marks.xopp"].map { try folder.data($0) } == before)
        }
    }

    /// If a picture cannot be written, only its own result fails.
    @Test func aFolderInAPicturesPlace() throws {
        try withFolder { folder in
            for name in ["a", "b", "c/d"] { try folder.write("in/\(name).html", row()) }
            try folder.make("out/a.png")
            try folder.write("out/c", "a file where a folder belongs")
            let outcome = try Offstage.run("render", "in", "--out", "out", "-q", in: folder)
            #expect(outcome.code == 1)
            #expect(
                outcome.errorLines == [
                    "offstage: in/a.html: cannot write out/a.png: Is a directory; choose another name",
                    "offstage: in/c/d.html: cannot write out/c/d.png: Not a directory; choose another name",
                ])
            #expect(folder.files("out") == ["b.png", "c"])
        }
    }

    /// A disk of 64 KiB in a mount namespace, which disappears with its last process.
    @Test func aFullDisk() throws {
        try withFolder { folder in
            for index in 1...8 { try folder.write("in/\(index).html", row(height: 2000)) }
            try folder.make("out")
            let script = """
                mount -t tmpfs -o size=64k none out || exit 99
                "$0" render in --out out -q; code=$?
                ls -A out; exit $code
                """
            let asRoot = getuid() == 0 ? [] : ["-r"]
            let outcome = try Child(
                ["unshare", "-m"] + asRoot + ["sh", "-c", script, Offstage.path], folder: folder.path
            ).wait()
            #expect(outcome.code == 1)
            try expectSomeFailed(outcome, "No space left on device; free some space or choose another disk")
        }
    }

    /// Checks that the listing on standard output contains the pictures that fitted on the disk, and that an error
    /// names each of the others.
    private func expectSomeFailed(_ outcome: Outcome, _ reason: String) throws {
        let names = outcome.text.split(separator: "\n")
        #expect(!names.isEmpty)
        #expect(names.allSatisfy { $0.hasSuffix(".png") }, "half files: \(names)")
        #expect(!outcome.errorLines.isEmpty)
        for line in outcome.errorLines {
            let number = try #require(line.firstMatch(of: #/in/(\d).html/#)?.1)
            #expect(line == "offstage: in/\(number).html: cannot write out/\(number).png: \(reason)")
            #expect(!names.contains("\(number).png"))
        }
    }
}
