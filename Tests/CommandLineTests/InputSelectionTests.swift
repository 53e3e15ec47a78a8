import Foundation
import Testing

/// Which input files are selected, in which order, and how their pictures are named.
@Suite struct InputSelectionTests {
    @Test func aFolderGivesItsTree() throws {
        try withFolder { folder in
            for name in ["b.html", "a.htm", "UPPER.HTML", "chat/one.html", "chat/deep/er/two.html"] {
                try folder.write("in/" + name, row())
            }
            for name in [".hidden.html", ".git/page.html", "notes.txt", "style.css", "page.html.bak", "html"] {
                try folder.write("in/" + name, row())
            }
            // A folder named like an HTML file is still read as a folder; a link to a folder could cause a loop.
            try folder.write("in/pages.html/three.html", row())
            symlink("..", folder.path("in/chat/loop"))

            let outcome = try Offstage.run("render", "in", "--out", "out", "--json", in: folder)
            #expect(outcome.code == 0)
            #expect(outcome.error == "")
            let names = ["UPPER", "a", "b", "chat/deep/er/two", "chat/one", "pages.html/three"]
            #expect(try outcome.objects.map { $0["identifier"] as? String } == names)
            #expect(folder.files("out") == names.map { $0 + ".png" })
        }
    }

    /// The names do not depend on how the folder's path is written.
    @Test(arguments: ["in/", "./in", "in/../in"])
    func folderNames(name: String) throws {
        try withFolder { folder in
            try folder.write("in/chat/a.html", row())
            #expect(try Offstage.run("render", name, "--out", "out/", in: folder).code == 0)
            #expect(folder.files("out") == ["chat/a.png"])
        }
    }

    @Test func severalOperandsInTheirOrder() throws {
        try withFolder { folder in
            try folder.write("z.html", row("red"))
            try folder.write("far/away/a.html", row("lime"))
            try folder.write("in/m.html", row("blue"))
            // A file given by name is drawn, whatever its extension is.
            try folder.write("page.txt", row("black"))
            let outcome = try Offstage.run(
                "render", "z.html", "in", "far/away/a.html", "-", "page.txt", "--out", "out", "--json",
                stdin: Data(row("yellow").utf8), in: folder)
            #expect(outcome.code == 0)
            #expect(
                try outcome.objects.map { $0["source"] as? String }
                    == ["z.html", "in/m.html", "far/away/a.html", "standard input", "page.txt"])
            #expect(folder.files("out") == ["a.png", "m.png", "page.png", "stdin.png", "z.png"])
            #expect(try folder.picture("out/z.png")[0, 0] == [255, 0, 0, 255])
            #expect(try folder.picture("out/a.png")[0, 0] == [0, 255, 0, 255])
            #expect(try folder.picture("out/stdin.png")[0, 0] == [255, 255, 0, 255])
        }
    }

    @Test func namesInAnyScriptAndWithAnySign() throws {
        try withFolder { folder in
            let names = ["été 100% #1", "it's \"so\"", "a?b=c&d", "чат", "漢字", "-dash", "two..dots."]
            for name in names { try folder.write("in/\(name).html", row()) }
            // The same letter in composed and decomposed form: the system treats these as two files.
            for name in ["\u{E9}", "e\u{301}"] { try folder.write("in/\(name).html", row()) }
            let outcome = try Offstage.run("render", "in", "--out", "out", in: folder)
            #expect(outcome.code == 0)
            #expect(Set(folder.files("out").map { Array($0.utf8) }).count == names.count + 2)
            for name in names { #expect(try folder.picture("out/\(name).png").size == [400, 40]) }
        }
    }

    @Test func dashesEndTheOptions() throws {
        try withFolder { folder in
            try folder.write("--strict", row())
            let outcome = try Offstage.run("render", "-o", "a.png", "--", "--strict", in: folder)
            #expect(outcome.code == 0)
            #expect(try folder.picture("a.png").size == [400, 40])
        }
    }

    @Test func notesBesideTheirDocument() throws {
        try withFolder { folder in
            let notes = """
                <xournal><page width="72" height="36"><background type="solid" color="#ff0000ff" style="plain"/><layer/></page></xournal>
                """
            try folder.write("in/notes.xopp", notes)
            try folder.write("in/notes.html", row())
            let run = try Offstage.run("render", "in", "--out", "out", in: folder)
            #expect(run.code == 0, "\(run.error)")
            #expect(folder.files("out") == ["notes.png", "notes.xopp.png"])
            #expect(try folder.picture("out/notes.xopp.png").size == [96, 48])
        }
    }

    @Test func oneNameForTwoPictures() throws {
        try withFolder { folder in
            for name in ["in/a.html", "in/a.htm", "A/x/b.html", "B/x/b.html"] { try folder.write(name, row()) }
            let one = try Offstage.run("render", "in", "--out", "out", in: folder)
            #expect(one.code == 2)
            #expect(
                one.error
                    == "offstage: in/a.htm and in/a.html would both become out/a.png; "
                    + "rename one or render them into two folders\n")
            let two = try Offstage.run("render", "A", "B", "--out", "out", in: folder)
            #expect(two.code == 2)
            #expect(
                two.error
                    == "offstage: A/x/b.html and B/x/b.html would both become out/x/b.png; "
                    + "rename one or render them into two folders\n")
            #expect(folder.files("out") == [])
        }
    }
}
