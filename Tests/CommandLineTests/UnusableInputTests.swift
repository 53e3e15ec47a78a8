import Foundation
import Testing

/// Inputs that cannot be drawn: each gives one failed result with a message that says what to do, and the other
/// pictures are drawn.
@Suite struct UnusableInputTests {
    @Test func oneBadInputAmongGoodOnes() throws {
        try withFolder { folder in
            for name in ["a", "b", "c"] { try folder.write("in/\(name).html", row()) }
            try folder.write("in/bad/empty.html", "")
            try folder.write("in/bad/picture.html", [0x89] + Data("PNG\r\n\u{1A}\n\0\0\0".utf8))
            try folder.write("in/bad/flat.html", "<!doctype html><body style='margin:0'><i></i>")
            try folder.write("in/bad/locked.html", row())
            chmod(folder.path("in/bad/locked.html"), 0)
            mkfifo(folder.path("in/bad/pipe.html"), 0o666)
            symlink("nowhere.html", folder.path("in/bad/link.html"))
            let outcome = try Offstage.run(
                "render", "in", "--out", "out", "--jobs", "2", in: folder, prefix: Offstage.asOrdinaryUser)
            #expect(outcome.code == 1)
            #expect(folder.files("out") == ["a.png", "b.png", "c.png"])
            #expect(
                outcome.errorLines.filter { $0.hasPrefix("offstage: ") } == [
                    "offstage: in/bad/empty.html: the document is empty; there is nothing to draw",
                    "offstage: in/bad/flat.html: the content has no height; give it one, set a fixed height, "
                        + "or set a viewport height if it is sized in vh",
                    "offstage: cannot read in/bad/link.html: No such file or directory",
                    "offstage: cannot read in/bad/locked.html: Permission denied; get permission to read it",
                    "offstage: in/bad/picture.html: it is not text; if it is a file of another kind, give it that kind's "
                        + "extension; if it is compressed, unpack it",
                    "offstage: cannot read in/bad/pipe.html: it is not a regular file",
                ])
            #expect(outcome.errorLines.last?.hasSuffix(" s, in out, 6 failed") == true)
        }
    }

    @Test func operandsThatAreNoInput() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            try folder.write("notes/readme.txt", "no HTML here")
            try folder.make("locked")
            chmod(folder.path("locked"), 0)
            let outcome = try Offstage.run(
                "render", "nowhere", "a.html/b.html", "notes", "locked", "/proc/self/mem", "/dev/null", "a.html",
                "--out",
                "out", "-q", in: folder, prefix: Offstage.asOrdinaryUser)
            #expect(outcome.code == 1)
            #expect(folder.files("out") == ["a.png"])
            let advice = "name a file that Offstage renders, a folder of them, or -"
            #expect(
                outcome.errorLines == [
                    "offstage: cannot read nowhere: No such file or directory; \(advice)",
                    "offstage: cannot read a.html/b.html: Not a directory; \(advice)",
                    "offstage: notes contains no file that Offstage renders, such as .html, .jpg, .pdf, .mp3 or .xopp; "
                        + "name a folder that does",
                    "offstage: cannot read locked: Permission denied; \(advice)",
                    "offstage: cannot read /proc/self/mem: Input/output error",
                    "offstage: cannot read /dev/null: it is not a regular file",
                ])
        }
    }

    /// A declared charset is not questioned.
    @Test func declaredCharset() throws {
        try withFolder { folder in
            var html = Data("<!doctype html><meta charset=windows-1252><body style='margin:0'><div>".utf8)
            html.append(0xE9)
            try folder.write("a.html", html)
            #expect(try Offstage.run("render", "a.html", "--out", "out", in: folder).code == 0)
        }
    }
}
