import Foundation
import Testing

/// `--fragment`: HTML that is not a whole document.
@Suite struct FragmentOptionTests {
    private static let fragment = "<div style='height: 10px; background: lime'></div>"

    @Test func standardInput() throws {
        try withFolder { folder in
            for (options, size) in [([], "400 26"), (["--fragment"], "400 10")] {
                let run = try Child(
                    [Offstage.path, "render", "-", "-o", "a.png"] + options, stdin: Data(Self.fragment.utf8),
                    folder: folder.path
                ).wait()
                #expect(run.code == 0, "\(run.error)")
                #expect(try inspect("a.png", in: folder, "%w %h") == size)
            }
        }
    }

    /// The option changes the cached picture of a fragment, but not that of a whole document.
    @Test func whatIsKept() throws {
        try withFolder { folder in
            try folder.write("a.html", Self.fragment)
            try folder.write("b.html", "<!doctype html><p>x")
            func kept(_ options: String...) throws -> [Bool] {
                let command = ["render", "a.html", "b.html", "--out", "out", "--cache", "c", "--json"]
                return try Child([Offstage.path] + command + options, folder: folder.path).wait().objects.map {
                    $0["kept"] as? Bool == true
                }
            }
            #expect(try kept() == [false, false])
            #expect(try kept("--fragment") == [false, true])
            #expect(try kept("--fragment") == [true, true])
        }
    }

    @Test func rowsAndTemplates() throws {
        try withFolder { folder in
            try folder.write(
                "rows.jsonl",
                """
                {"identifier": "a", "html": "\(Self.fragment)", "fragment": true}
                {"identifier": "b", "html": "\(Self.fragment)"}

                """)
            try folder.write("t.html", "<div style='height: __H__px'></div>")
            try folder.write("data.jsonl", #"{"identifier": "c", "h": 7, "options": {"fragment": true}}"#)
            for arguments in [["--manifest", "rows.jsonl"], ["--template", "t.html", "--data", "data.jsonl"]] {
                let run = try Child([Offstage.path, "render", "--out", "out"] + arguments, folder: folder.path).wait()
                #expect(run.code == 0, "\(run.error)")
            }
            for (name, height) in [("a", "10"), ("b", "26"), ("c", "7")] {
                #expect(try inspect("out/\(name).png", in: folder, "%h") == height, "\(name)")
            }
        }
    }

    /// The saved document is the one that the engine received, and opens the same in a browser.
    @Test func theSavedDocument() throws {
        try withFolder { folder in
            try folder.write("a.html", "<p>Größe")
            let run = try Offstage.run("render", "a.html", "--out", "out", "--fragment", "--save-html", in: folder)
            #expect(run.code == 0, "\(run.error)")
            #expect(
                try String(decoding: folder.data("out/a.html"), as: UTF8.self)
                    == "<!doctype html><meta charset=\"UTF-8\"><style>body { margin: 0 }</style><p>Größe")
        }
    }

    @Test func services() throws {
        try withFolder { folder in
            let line = #"{"id": 1, "html": "\#(Self.fragment)", "fragment": true, "output": "a.png"}"# + "\n"
            let pipe = try Offstage.run("pipe", "--out", "out", stdin: Data(line.utf8), in: folder)
            #expect(try inspect("out/a.png", in: folder, "%h") == "10", "\(pipe.text)")
            let service = try Service(in: folder)
            #expect(try service.draw(Self.fragment, "fragment").headers["offstage-size"] == "400x10")
            #expect(try service.draw(Self.fragment, "fragment=false").headers["offstage-size"] == "400x26")
            #expect(try service.stop().code == 0)
        }
    }
}
