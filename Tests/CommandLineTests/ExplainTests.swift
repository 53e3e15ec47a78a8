import Foundation
import Testing

/// `offstage cache explain`: predicts the result of a run, with the reasons.
@Suite struct ExplainTests {
    /// This PATH contains no Xvfb, so anything that tried to draw would end with exit code 3.
    private func explain(_ folder: Folder, _ arguments: String..., code: Int32 = 0) throws -> [String] {
        let run = try Child(
            [Offstage.path, "cache", "explain", "--cache", "cache"] + arguments,
            environment: ["PATH": "/nonexistent"], folder: folder.path
        ).wait()
        #expect(run.code == code, "\(run.error)")
        return run.text.split(separator: "\n").map { String($0).replacing(folder.path + "/", with: "") }
    }

    private func render(_ folder: Folder, _ arguments: String...) throws -> Outcome {
        let run = try Child(
            [Offstage.path, "render", "--cache", "cache", "--json"] + arguments, folder: folder.path
        ).wait()
        #expect(run.code == 0, "\(run.error)")
        return run
    }

    private func withPicture(_ options: String..., body: (Folder) throws -> Void) throws {
        try withFolder { folder in
            try folder.write("in/a.html", "<!doctype html><link rel=stylesheet href=style.css><img src=no.svg><p>one")
            try folder.write("in/style.css", "p{color:red}")
            try folder.write("more.css", "b{}")
            let run = try Child(
                [Offstage.path, "render", "in", "--out", "out", "--cache", "cache", "-q"] + options, folder: folder.path
            ).wait()
            #expect(run.code == 0, "\(run.error)")
            try body(folder)
        }
    }

    @Test(arguments: ["out/a.png", "./in/../in/a.html", "a", "out/a.thumb-20x20.png"])
    func everyName(name: String) throws {
        try withPicture("--also=thumb:20x20") { folder in
            let lines = try explain(folder, name)
            #expect(lines == ["out/a.png: cached; it would not be rendered again"])
        }
    }

    @Test func filesThatChanged() throws {
        try withPicture("--css=more.css", "--scale=2") { folder in
            let again = "out/a.png: would be rendered again"
            try folder.write("in/style.css", "p{color:lime}")
            #expect(try explain(folder, "a") == [again, "  style.css, which it uses, changed"])
            try FileManager.default.removeItem(atPath: folder.path("in/style.css"))
            try folder.write("in/no.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>")
            #expect(
                try explain(folder, "a") == [
                    again, "  no.svg, which was missing, now exists", "  style.css, which it uses, no longer exists",
                ])
            try folder.write("in/a.html", "<!doctype html><p>two")
            try folder.write("more.css", "i{}")
            let lines = try explain(folder, "a")
            #expect(lines.contains("  the file in/a.html changed"))
            #expect(lines.contains("  more.css, of --css, changed"))
            // A run confirms the prediction.
            #expect(try render(folder, "in", "--out=out", "--css=more.css", "--scale=2").objects[0]["kept"] == nil)
            #expect(try explain(folder, "a") == ["out/a.png: cached; it would not be rendered again"])
        }
    }

    @Test(arguments: [
        (["--scale=2"], ["--scale was 1, is 2"]),
        (["--scale=1.0", "--width=400"], []),
        (["--width=fit", "--trim"], ["--width was 400, is fit", "--trim was not given, is given"]),
        (
            ["--color-scheme=dark", "--language=de"],
            ["--color-scheme was light, is dark", "--language was not given, is de"]
        ),
        (["--format=webp"], ["--format was not given, is webp"]),
        (["--also=thumb:9x9"], ["--also was not given, is thumb:9x9"]),
        (["--css=more.css"], ["--css was not given, is more.css"]),
        (["--fonts=fonts"], ["--fonts was not given, is fonts"]),
        (
            ["--javascript", "--strict-fonts"],
            [
                "--javascript was not given, is given", "--strict-fonts was not given, is given",
            ]
        ),
    ])
    func otherOptions(options: [String], reasons: [String]) throws {
        try withPicture { folder in
            try folder.make("fonts")
            try FileManager.default.copyItem(
                atPath: FontsOptionTests.carried + "/BebasNeue-Regular.woff2", toPath: folder.path("fonts/a.woff2"))
            let run = try Child(
                [Offstage.path, "cache", "explain", "--cache=cache", "--json", "a"] + options,
                environment: ["PATH": "/nonexistent"], folder: folder.path
            ).wait()
            let object = try #require(try run.objects.first)
            let told = (object["reasons"] as? [[String: Any]])?.compactMap { $0["message"] as? String }
            #expect(told?.map { $0.replacing(folder.path + "/", with: "") } == reasons)
            #expect(object["state"] as? String == (reasons.isEmpty ? "kept" : "changed"))
            #expect(object["source"] as? String == folder.path("in/a.html"))
        }
    }

    @Test func rows() throws {
        try withFolder { folder in
            try folder.write("rows.jsonl", #"{"identifier":"é \"q\"","html":"<p>x","scale":2}"# + "\n")
            _ = try render(folder, "--manifest=rows.jsonl", "--out=out", "--width=300")
            #expect(try explain(folder, "é \"q\"") == ["out/é \"q\".png: cached; it would not be rendered again"])
            try folder.write("rows.jsonl", #"{"identifier":"é \"q\"","html":"<p>y","width":200}"# + "\n")
            #expect(
                try explain(folder, "out/é \"q\".png") == [
                    "out/é \"q\".png: would be rendered again", "  the row \"é \"q\"\" of rows.jsonl changed",
                    "  --width was 300, is 200", "  --scale was 2, is 1",
                ])
            try folder.write("rows.jsonl", #"{"identifier":"b","html":"<p>y"}"# + "\n")
            #expect(
                try explain(folder, "out/é \"q\".png") == [
                    "out/é \"q\".png: cannot be compared", "  the row \"é \"q\"\" is not in rows.jsonl any more",
                ])
        }
    }

    @Test func templates() throws {
        try withFolder { folder in
            try folder.write("t.html", "<p>__NAME__")
            try folder.write("d.jsonl", #"{"identifier":"a","name":"x"}"# + "\n")
            _ = try render(folder, "--template=t.html", "--data=d.jsonl", "--out=out")
            #expect(try explain(folder, "a") == ["out/a.png: cached; it would not be rendered again"])
            try folder.write("t.html", "<p><b>__NAME__")
            let lines = try explain(folder, "a")
            #expect(lines.last == "  the row \"a\" of d.jsonl, or the template t.html, changed")
        }
    }

    @Test func parts() throws {
        try withFolder { folder in
            try folder.write("in/a.html", "<!doctype html><p>one<p>two")
            _ = try render(folder, "in", "--out=out", "--selector=p", "--each")
            #expect(try explain(folder, "out/a-2.png") == ["out/a.png: cached; it would not be rendered again"])
            let lines = try explain(folder, "a", "--selector=b")
            #expect(lines.last == "  --selector was p, is b")
        }
    }

    @Test func whatCannotBeCompared() throws {
        try withFolder { folder in
            let run = try Offstage.run(
                "render", "-", "-o", "h.jpg", "--cache", "cache", "-q", stdin: Data("<p>hello".utf8), in: folder)
            #expect(run.code == 0)
            #expect(
                try explain(folder, "h.jpg") == [
                    "h.jpg: cannot be compared",
                    "  its document came from standard input; to compare, pass the current input with --stdin",
                ])
        }
    }

    /// The current standard input is compared with the input of the earlier run.
    @Test func standardInput() throws {
        try withFolder { folder in
            try folder.write("base/a.css", "p{}")
            func draw(_ options: String...) throws {
                let run = try Child(
                    [Offstage.path, "render", "--cache=cache", "-q"] + options,
                    stdin: Data("<link rel=stylesheet href=a.css><p>hello".utf8), folder: folder.path
                ).wait()
                #expect(run.code == 0, "\(run.error)")
            }
            func explain(_ text: String, _ arguments: String...) throws -> [String] {
                let run = try Child(
                    [Offstage.path, "cache", "explain", "--cache=cache"] + arguments, stdin: Data(text.utf8),
                    environment: ["PATH": "/nonexistent"], folder: folder.path
                ).wait()
                #expect(run.code == 0, "\(run.error)")
                return run.text.split(separator: "\n").map { String($0).replacing(folder.path + "/", with: "") }
            }
            let same = "<link rel=stylesheet href=a.css><p>hello"
            try draw("-", "--output=h.jpg", "--base=base")
            try draw("-", "--out=out", "--base=base")
            // A file named stdin.html is a different input.
            try folder.write("stdin.html", "<p>x")
            try draw("stdin.html", "--output=other.png")
            #expect(try explain(same, "h.jpg", "--stdin") == ["h.jpg: cached; it would not be rendered again"])
            #expect(
                try explain(same, "-")
                    == ["h.jpg", "out/stdin.png"].map { "\($0): cached; it would not be rendered again" })
            #expect(
                try explain(same + "!", "h.jpg", "--stdin") == [
                    "h.jpg: would be rendered again", "  the document on standard input changed",
                ])
            try folder.write("base/a.css", "p{color:red}")
            #expect(
                try explain(same, "h.jpg", "--stdin") == [
                    "h.jpg: would be rendered again", "  a.css, which it uses, changed",
                ])
        }
    }

    @Test func rowsOnStandardInput() throws {
        try withFolder { folder in
            func run(_ row: String, _ arguments: String...) throws -> [String] {
                let run = try Child(
                    [Offstage.path] + arguments + ["--cache=cache"], stdin: Data(row.utf8), folder: folder.path
                ).wait()
                #expect(run.code == 0, "\(run.error)")
                return run.text.split(separator: "\n").map { String($0).replacing(folder.path + "/", with: "") }
            }
            let row = #"{"identifier":"a/b","html":"<p>x"}"#
            _ = try run(row, "render", "--manifest=-", "--out=out", "-q")
            #expect(
                try run("", "cache", "explain", "a/b") == [
                    "out/a/b.png: cannot be compared",
                    "  its row came from standard input; to compare, pass the current input with --stdin",
                ])
            #expect(
                try run(row, "cache", "explain", "a/b", "--stdin") == [
                    "out/a/b.png: cached; it would not be rendered again"
                ])
            #expect(
                try run(row.replacing("x", with: "y"), "cache", "explain", "a/b", "--stdin") == [
                    "out/a/b.png: would be rendered again", "  the row \"a/b\" of standard input changed",
                ])
        }
    }

    @Test func absent() throws {
        try withFolder { folder in
            let lines = try explain(folder, "none.png", code: 1)
            #expect(lines.first == "none.png: not in the cache")
            #expect(lines.last?.contains("`offstage render` renders and caches it") == true)
            let json = try explain(folder, "none.png", "--json", code: 1)
            #expect(json.count == 1 && json[0].contains(#""state":"absent""#))
        }
    }

    @Test(arguments: [
        (["explain"], "name one picture, one HTML file or one row's identifier"),
        (["explain", "a", "--scale", "9"], "--scale takes a number from 0.25 to 3, not '9'"),
        (["--json", "explain", "a"], "put explain first: offstage cache explain ID|FILE|-"),
    ])
    func wrongUse(arguments: [String], message: String) throws {
        let run = try Child([Offstage.path, "cache"] + arguments, folder: "/").wait()
        #expect(run.code == 2)
        #expect(run.error == "offstage: \(message)\n")
    }
}
