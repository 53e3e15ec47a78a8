import Foundation
import Testing

/// `--watch`: draws changed documents again, and only those.
@Suite(.serialized) struct WatchTests {
    /// A program that watches a folder, and the result lines it has printed so far.
    private final class Watcher {
        let child: Child
        let folder: Folder
        private var seen = 0

        init(_ arguments: [String], in folder: Folder) throws {
            self.folder = folder
            child = try Child([Offstage.path, "render", "--watch", "--json"] + arguments, folder: folder.path)
        }

        /// Waits for this many more lines. Returns their identifiers, with the status unless they were drawn.
        func next(_ count: Int) throws -> [String] {
            let lines = { (self.child.text(0).components(separatedBy: "\n").dropLast()).dropFirst(self.seen) }
            #expect(
                eventually { child.hasEnded || lines().count >= count }, "\(child.text(0)) \(child.text(1))"
            )
            #expect(!child.hasEnded, "\(child.text(1))")
            let new = Array(lines())
            seen += new.count
            return try new.map { line in
                let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                let status = object["status"] as? String ?? ""
                return (object["identifier"] as? String ?? "") + (status == "drawn" ? "" : " \(status)")
            }
        }

        /// Checks that no other line was printed and that Ctrl-C ends the program.
        func end() throws {
            kill(child.id, SIGINT)
            let outcome = try child.wait()
            #expect(outcome.code == 130)
            #expect(try outcome.objects.count == seen, "\(outcome.text)")
        }
    }

    @Test func aFolder() throws {
        try withFolder { folder in
            for name in ["a", "b", "sub/c"] { try folder.write("in/\(name).html", row("red")) }
            let watcher = try Watcher(["in", "--out", "out"], in: folder)
            #expect(try watcher.next(3) == ["a", "b", "sub/c"])
            // The file is changed in place.
            try folder.write("in/a.html", row("lime"))
            #expect(try watcher.next(1) == ["a"])
            #expect(try folder.picture("out/a.png")[9, 9] == [0, 255, 0, 255])
            // Editors save like this: another file takes over the name.
            try folder.write("in/.c.html.swp", row("blue"))
            #expect(rename(folder.path("in/.c.html.swp"), folder.path("in/sub/c.html")) == 0)
            #expect(try watcher.next(1) == ["sub/c"])
            #expect(try folder.picture("out/sub/c.png")[9, 9] == [0, 0, 255, 255])
            // A new file in a new folder.
            try folder.write("in/new/deep/d.html", row())
            #expect(try watcher.next(1) == ["new/deep/d"])
            try folder.write("in/new/deep/e.html", row())
            #expect(try watcher.next(1) == ["new/deep/e"])
            // A folder is renamed.
            #expect(rename(folder.path("in/new"), folder.path("in/old")) == 0)
            #expect(try watcher.next(2) == ["old/deep/d", "old/deep/e"])
            try folder.write("in/old/deep/d.html", row("lime"))
            #expect(try watcher.next(1) == ["old/deep/d"])
            // Removing a file prints nothing, and its picture stays.
            #expect(unlink(folder.path("in/b.html")) == 0)
            try folder.write("in/a.html", row("blue"))
            #expect(try watcher.next(1) == ["a"])
            #expect(access(folder.path("out/b.png"), F_OK) == 0)
            try watcher.end()
        }
    }

    /// Only pictures that use a file, or that lacked it, are drawn again.
    @Test func filesThatASnippetUses() throws {
        try withFolder { folder in
            func svg(_ color: String) -> String {
                "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9' fill='\(color)'/></svg>"
            }
            func page(_ file: String) -> String { "<body style='margin:0'><img src='\(file)' style='display:block'>" }
            try folder.write("a.html", page("i/a.svg"))
            try folder.write("b.html", page("j/b.svg"))
            try folder.write("i/a.svg", svg("red"))
            let watcher = try Watcher(["a.html", "b.html", "--out", "out", "--html", "all.html"], in: folder)
            #expect(try watcher.next(2) == ["a", "b incomplete"])
            try folder.replace("i/a.svg", svg("lime"))
            #expect(try watcher.next(1) == ["a"])
            #expect(try folder.picture("out/a.png")[4, 4] == [0, 255, 0, 255])
            try folder.make("j")
            try folder.replace("j/b.svg", svg("blue"))
            #expect(try watcher.next(1) == ["b"])
            #expect(try folder.picture("out/b.png")[4, 4] == [0, 0, 255, 255])
            // The page describes the whole run, not only the latest round.
            #expect(
                eventually {
                    ((try? folder.data("all.html")).map { String(decoding: $0, as: UTF8.self) } ?? "").contains(
                        "Drawn <b>2</b>")
                })
            try watcher.end()
        }
    }

    /// While a file that is given on the command line is missing, it gives a failed result; so does an empty folder.
    @Test func whatGoesAndComes() throws {
        try withFolder { folder in
            try folder.write("a.html", row("red"))
            try folder.make("in")
            let watcher = try Watcher(["a.html", "in", "--out", "out"], in: folder)
            #expect(try watcher.next(2) == ["a", "in failed"])
            #expect(unlink(folder.path("a.html")) == 0)
            #expect(try watcher.next(1) == ["a failed"])
            try folder.write("a.html", row("lime"))
            #expect(try watcher.next(1) == ["a"])
            #expect(try folder.picture("out/a.png")[9, 9] == [0, 255, 0, 255])
            try folder.write("in/b.html", row())
            #expect(try watcher.next(1) == ["b"])
            try watcher.end()
        }
    }

    /// Only the changed rows of a manifest are drawn again; while it is invalid, none are.
    @Test func aManifest() throws {
        try withFolder { folder in
            func line(_ name: String, _ color: String) -> String {
                "{\"identifier\":\"\(name)\",\"html\":\"x\",\"background\":\"\(color)\"}\n"
            }
            try folder.write("rows.jsonl", line("a", "red") + line("b", "red"))
            let watcher = try Watcher(["--manifest", "rows.jsonl", "--out", "out"], in: folder)
            #expect(try watcher.next(2) == ["a", "b"])
            try folder.write("rows.jsonl", line("b", "lime") + line("c", "red") + line("a", "red"))
            #expect(try watcher.next(2) == ["b", "c"])
            #expect(try folder.picture("out/b.png")[300, 9] == [0, 255, 0, 255])
            try folder.write("rows.jsonl", line("a", "redd"))
            #expect(
                eventually {
                    _ = watcher.child.hasEnded
                    return watcher.child.text(1).contains("offstage: rows.jsonl:1 \"a\": \"background\" takes a colour")
                })
            try folder.write("rows.jsonl", line("a", "blue"))
            #expect(try watcher.next(1) == ["a"])
            try watcher.end()
        }
    }

    /// If a row's style sheet changes, all rows are drawn again.
    @Test func aStyleSheet() throws {
        try withFolder { folder in
            try folder.write("a.css", "body { background: red }")
            try folder.write("rows.jsonl", #"{"identifier": "a", "html": "x", "css": "a.css"}"#)
            let watcher = try Watcher(["--manifest", "rows.jsonl", "--out", "out"], in: folder)
            #expect(try watcher.next(1) == ["a"])
            try folder.replace("a.css", "body { background: lime }")
            #expect(try watcher.next(1) == ["a"])
            #expect(try folder.picture("out/a.png")[300, 9] == [0, 255, 0, 255])
            try watcher.end()
        }
    }

    @Test func aTemplateAndItsData() throws {
        try withFolder { folder in
            try folder.write("t.html", "<p>__A__")
            try folder.write("data.jsonl", "{\"identifier\":\"a\",\"a\":1}\n{\"identifier\":\"b\",\"a\":2}\n")
            let watcher = try Watcher(["--template", "t.html", "--data", "data.jsonl", "--out", "out"], in: folder)
            #expect(try watcher.next(2) == ["a", "b"])
            try folder.write("data.jsonl", "{\"identifier\":\"a\",\"a\":1}\n{\"identifier\":\"b\",\"a\":3}\n")
            #expect(try watcher.next(1) == ["b"])
            try folder.write("t.html", "<h1>__A__")
            #expect(try watcher.next(2) == ["a", "b"])
            try watcher.end()
        }
    }

    @Test func whatIsTold() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            let child = try Child([Offstage.path, "render", "--watch", "a.html", "-o", "a.png"], folder: folder.path)
            let waiting = "watching for changes; Ctrl-C ends\n"
            #expect(eventually { child.hasEnded || child.text(1).hasSuffix(waiting) })
            #expect(
                child.text(1).wholeMatch(of: #/\[1/1\] a  400 × 40  .*ms\n1 picture in .* s, in a.png\n.*\n/#) != nil)
            let before = ProcessTable.descendants(of: child.id)
            try folder.write("a.html", row("lime", height: 50))
            #expect(
                eventually { child.hasEnded || child.text(1).components(separatedBy: waiting).count == 3 })
            #expect(child.text(1).contains("[1/1] a  400 × 50  "))
            // The engine was not started again.
            #expect(ProcessTable.descendants(of: child.id) == before)
            kill(child.id, SIGINT)
            #expect(try child.wait().code == 130)
            #expect(before.filter(\.isThere) == [])
        }
    }

    /// An error at the start ends the run, as without --watch.
    @Test func wrongFromTheStart() throws {
        try withFolder { folder in
            try folder.write("rows.jsonl", "[]")
            let outcome = try Offstage.run("render", "--watch", "--manifest", "rows.jsonl", "--out", "out", in: folder)
            #expect(outcome.code == 2)
            #expect(outcome.error == "offstage: rows.jsonl:1: the line contains a list, not a JSON object\n")
            let none = try Offstage.run("render", "--watch", "rows.jsonl", "-o", "-", in: folder)
            #expect(none.code == 2)
            #expect(none.error == "offstage: --watch cannot be combined with -o -; use -o FILE or --out FOLDER\n")
        }
    }
}

extension Folder {
    /// Replaces a file with another complete file.
    fileprivate func replace(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)), options: .atomic)
    }
}
