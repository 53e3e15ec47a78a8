import Foundation
import Testing

/// `--save-html`: the document as the engine got it, beside the picture.
@Suite struct SaveHTMLOptionTests {
    /// Bytes that are not UTF-8, two kinds of line ends, and no line end at the end of the file.
    private static let latin =
        Data("<!doctype html><meta charset=iso-8859-1>\r\n<p>caf".utf8) + [0xE9, 0x0A] + Data("x".utf8)

    @Test func theBytesAreTheSame() throws {
        try withFolder { folder in
            try folder.write("in/deep/a.html", Self.latin)
            try folder.write("in/b.htm", row())
            let outcome = try Offstage.run("render", "in", "--out", "out", "--save-html", "--json", in: folder)
            #expect(outcome.code == 0)
            #expect(folder.files("out") == ["b.html", "b.png", "deep/a.html", "deep/a.png"])
            #expect(try folder.data("out/deep/a.html") == Self.latin)
            #expect(try folder.data("out/b.html") == Data(row().utf8))
            #expect(try outcome.objects.map { $0["html"] as? String } == ["out/b.html", "out/deep/a.html"])
            // A saved document gives the same picture again.
            #expect(try Offstage.run("render", "out", "--out", "again", in: folder).code == 0)
            #expect(try folder.data("again/deep/a.png") == folder.data("out/deep/a.png"))
        }
    }

    @Test func standardInputAndOneFile() throws {
        try withFolder { folder in
            let outcome = try Offstage.run(
                "render", "-", "-o", "out/x.y.jpg", "--save-html", stdin: Self.latin, in: folder)
            #expect(outcome.code == 0)
            #expect(folder.files("out") == ["x.y.html", "x.y.jpg"])
            #expect(try folder.data("out/x.y.html") == Self.latin)
        }
    }

    /// A drawing saves one document, even if it has several pictures or fails. If there is no document, nothing is
    /// saved.
    @Test func partsAndFailures() throws {
        try withFolder { folder in
            try folder.write("a.html", "<p>one<p>two")
            #expect(
                try Offstage.run(
                    "render", "a.html", "--out", "p", "--selector", "p", "--each", "--save-html", in: folder
                ).code
                    == 0)
            #expect(folder.files("p") == ["a-1.png", "a-2.png", "a.html"])
            try folder.write("empty.html", "")
            let outcome = try Offstage.run(
                "render", "a.html", "empty.html", "--out", "f", "--selector", "b", "--save-html", in: folder)
            #expect(outcome.code == 1)
            #expect(folder.files("f") == ["a.html"])
        }
    }

    @Test func withoutTheOptionNothingIsSaved() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            let outcome = try Offstage.run("render", "a.html", "--out", "out", "--json", in: folder)
            #expect(folder.files("out") == ["a.png"])
            #expect(try outcome.objects.first?["html"] == nil)
        }
    }

    @Test func noInputIsReplaced() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            try folder.write("in/b.html", row())
            try folder.write("other/a.html", row("blue"))
            try folder.make("out/d.html")
            link(folder.path("a.html"), folder.path("c.html"))
            symlink("../a.html", folder.path("out/b.html"))
            func replaced(_ name: String) -> String {
                "\(name) would be replaced by a file of --save-html; choose another path for the pictures"
            }
            let cases: [([String], String)] = [
                (["a.html", "--out", "."], replaced("a.html")),
                (["in", "--out", "./in/"], replaced("in/b.html")),
                (["a.html", "-o", "a.png"], replaced("a.html")),
                (["a.html", "-o", "c.png"], replaced("a.html")),
                // Another input of the run, and one that is reached through a link.
                (["in/b.html", "a.html", "--out", "out"], replaced("a.html")),
                (["-", "-o", "-"], "--save-html cannot be combined with -o -; use -o FILE or --out FOLDER"),
                (
                    ["a.html", "-o", "x.html", "--format", "png"],
                    "the picture and its --save-html would both be x.html; give the picture another name"
                ),
                (
                    ["a.html", "-o", "out/d.png"],
                    "out/d.html, for --save-html, exists and is not a regular file; choose another path with -o"
                ),
            ]
            for (arguments, message) in cases {
                let outcome = try Child(
                    [Offstage.path, "render", "--save-html"] + arguments, stdin: Data(row().utf8), folder: folder.path
                ).wait()
                #expect(outcome.code == 2, "\(arguments)")
                #expect(outcome.error == "offstage: \(message)\n")
            }
            #expect(try folder.data("a.html") == Data(row().utf8))
        }
    }

    @Test func aFolderInTheDocumentsPlace() throws {
        try withFolder { folder in
            try folder.write("in/a.html", row())
            try folder.write("in/b.html", row())
            try folder.make("out/a.html")
            let outcome = try Offstage.run("render", "in", "--out", "out", "--save-html", "-q", in: folder)
            #expect(outcome.code == 1)
            #expect(
                outcome.error
                    == "offstage: in/a.html: cannot write out/a.html: Is a directory; choose another name\n")
            #expect(folder.files("out") == ["a.png", "b.html", "b.png"])
        }
    }
}
