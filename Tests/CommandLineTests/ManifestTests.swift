import Foundation
import Testing

/// `--manifest`: rows of a file, each with its own options.
@Suite struct ManifestTests {
    /// A row's keys override the command line's options, and null removes an option.
    @Test func rowsOverrideTheCommandLine() throws {
        try withFolder { folder in
            let page = "<!doctype html><body style='margin:0'><p style='margin:0;height:20px'>"
            try folder.write(
                "rows/rows.jsonl",
                """
                {"identifier": "plain", "html": "\(page)"}
                {"identifier": "own", "html": "\(page)", "width": 120, "background": "blue", "scale": 2}
                {"identifier": "fit", "html": "<b style='display:block;width:30px;height:9px'>", "width": "fit"}
                {"identifier": "null", "html": "\(page)", "background": null, "trim": false, "padding": null}
                {"identifier": "deep/file", "file": "pages/a.html", "selector": "i", "format": "raw", "also": "png"}
                """)
            try folder.write("rows/pages/a.html", "<body><i style='display:block;width:40px;height:7px'>")
            let outcome = try Offstage.run(
                "render", "--manifest", "rows/rows.jsonl", "--out", "out", "--width", "200", "--background", "red",
                "--padding", "1", "--json", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            let red: [UInt8] = [255, 0, 0, 255]
            let plain = try folder.picture("out/plain.png")
            #expect(plain.size == [202, 22])
            #expect(plain[100, 10] == red)
            let own = try folder.picture("out/own.png")
            #expect(own.size == [244, 44])
            #expect(own[100, 10] == [0, 0, 255, 255])
            #expect(try folder.picture("out/fit.png").width == 30 + 16 + 2)
            let null = try folder.picture("out/null.png")
            #expect(null.size == [200, 20])
            #expect(null[100, 10] == [255, 255, 255, 255])
            #expect(try folder.picture("out/deep/file.png").size == [42, 9])
            #expect(
                folder.files("out") == [
                    "deep/file.png", "deep/file.raw", "fit.png", "null.png", "own.png", "plain.png",
                ])
            let objects = try outcome.objects
            #expect(objects.map { $0["identifier"] as? String } == ["plain", "own", "fit", "null", "deep/file"])
            #expect(objects[4]["source"] as? String == "rows/rows.jsonl:5")
        }
    }

    /// A row's base is the manifest's folder, the folder of the row's file, or the row's `base`, relative to the
    /// manifest's folder.
    @Test func whereRelativeURLsLead() throws {
        try withFolder { folder in
            func svg(_ color: String) -> String {
                "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9' fill='\(color)'/></svg>"
            }
            let html = "<body style='margin:0'><img src='dot.svg' style='display:block'>"
            for (path, color) in [("in/dot.svg", "red"), ("in/sub/dot.svg", "lime"), ("dot.svg", "blue")] {
                try folder.write(path, svg(color))
            }
            try folder.write("in/sub/a.html", html)
            let rows = """
                {"identifier": "html", "html": "\(html)"}
                {"identifier": "file", "file": "\(folder.path)/in/sub/a.html"}
                {"identifier": "base", "html": "\(html)", "base": "sub"}
                """
            try folder.write("in/rows.jsonl", rows)
            #expect(try Offstage.run("render", "--manifest", "in/rows.jsonl", "--out", "out", in: folder).code == 0)
            #expect(try folder.picture("out/html.png")[4, 4] == [255, 0, 0, 255])
            #expect(try folder.picture("out/file.png")[4, 4] == [0, 255, 0, 255])
            #expect(try folder.picture("out/base.png")[4, 4] == [0, 255, 0, 255])
            // For a manifest on standard input, paths are relative to the working folder, and HTML has no base
            // folder.
            let piped = try Offstage.run(
                "render", "--manifest", "-", "--out", "piped", "--json",
                stdin: Data(rows.replacing("\"sub\"", with: "\"in\"").utf8), in: folder)
            #expect(piped.code == 0, "\(piped.error)")
            #expect(try piped.objects.map { $0["status"] as? String } == ["incomplete", "drawn", "drawn"])
            #expect(try folder.picture("piped/base.png")[4, 4] == [255, 0, 0, 255])
        }
    }

    /// The emulation options of a row. A style sheet's path is relative to the manifest's folder.
    @Test func emulationOfARow() throws {
        try withFolder { folder in
            let html = """
                <style>body { background: red } @media (prefers-color-scheme: dark) { body { background: blue } }</style>\
                <script>document.body.style.background = 'lime'</script>x
                """
            let scripts = html.replacing("<style>", with: "<body><style>")
            try folder.write("rows/green.css", "body { background: lime !important }")
            try folder.write(
                "rows/rows.jsonl",
                """
                {"identifier": "dark", "html": "\(html)", "color-scheme": "dark"}
                {"identifier": "light", "html": "\(html)"}
                {"identifier": "css", "html": "\(html)", "css": ["green.css"]}
                {"identifier": "one", "html": "\(html)", "css": "green.css"}
                {"identifier": "script", "html": "\(scripts)", "javascript": true}
                """)
            let outcome = try Offstage.run("render", "--manifest", "rows/rows.jsonl", "--out", "out", "-q", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            let colors: [String: [UInt8]] = [
                "dark": [0, 0, 255, 255], "light": [255, 0, 0, 255], "css": [0, 255, 0, 255], "one": [0, 255, 0, 255],
                "script": [0, 255, 0, 255],
            ]
            for (name, color) in colors { #expect(try folder.picture("out/\(name).png")[300, 5] == color, "\(name)") }
            for (value, message) in [
                (#""color-scheme": "drak""#, #""color-scheme" takes "light" or "dark", not "drak""#),
                (#""css": "none.css""#, #""css""#),
                (#""javascript": "yes""#, #""javascript" takes true or false, not "yes""#),
            ] {
                try folder.write("rows/bad.jsonl", "{\"identifier\": \"a\", \"html\": \"x\", \(value)}")
                let bad = try Offstage.run("render", "--manifest", "rows/bad.jsonl", "--out", "bad", in: folder)
                #expect(bad.code == 2)
                #expect(bad.error.hasPrefix("offstage: rows/bad.jsonl:1 \"a\": \(message)"), "\(bad.error)")
            }
        }
    }

    /// A byte order mark, CRLF, empty lines, and a last line without a line end. Lines are numbered as in an editor.
    @Test func linesAsEditorsLeaveThem() throws {
        try withFolder { folder in
            let rows =
                "\u{FEFF}\r\n{\"identifier\":\"a\",\"html\":\"x\"}\r\n \t\r\n\r\n{\"identifier\":\"b\",\"html\":\"é<b>漢\"}"
            try folder.write("rows.jsonl", rows)
            let outcome = try Offstage.run("render", "--manifest", "rows.jsonl", "--out", "out", "--json", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(try outcome.objects.map { $0["source"] as? String } == ["rows.jsonl:2", "rows.jsonl:5"])
        }
    }

    /// If a row's document has a problem, only that row's result fails, and the error names the row.
    @Test func aRowThatCannotBeDrawn() throws {
        try withFolder { folder in
            try folder.write(
                "rows.jsonl",
                """
                {"identifier": "empty", "html": " \\n"}
                {"identifier": "gone", "file": "gone.html"}
                {"identifier": "none", "html": "x", "selector": "i"}
                {"identifier": "good", "html": "x"}
                """)
            let outcome = try Offstage.run("render", "--manifest", "rows.jsonl", "--out", "out", "-q", in: folder)
            #expect(outcome.code == 1)
            #expect(
                outcome.errorLines == [
                    "offstage: rows.jsonl:1 \"empty\": the document is empty; there is nothing to draw",
                    "offstage: rows.jsonl:2 \"gone\": cannot read gone.html: No such file or directory",
                    "offstage: rows.jsonl:3 \"none\": nothing visible in the document matches i",
                ])
            #expect(folder.files("out") == ["good.png"])
        }
    }

    /// Two rows with the same bytes and options give the same picture as the command line.
    @Test func theSameBytesAsFromTheCommandLine() throws {
        try withFolder { folder in
            let html = "<h1>Some text</h1>"
            try folder.write("a.html", html)
            try folder.write("rows.jsonl", "{\"identifier\":\"b\",\"html\":\"\(html)\",\"width\":300,\"scale\":1.5}")
            let file = try Offstage.run(
                "render", "a.html", "--out", "x", "--width", "300", "--scale", "1.5", in: folder)
            let row = try Offstage.run("render", "--manifest", "rows.jsonl", "-o", "x/b.png", in: folder)
            #expect([file.code, row.code] == [0, 0])
            #expect(try folder.data("x/a.png") == folder.data("x/b.png"))
        }
    }

    /// Saved documents have their own names, and are never inputs of a watched folder.
    @Test func savedDocuments() throws {
        try withFolder { folder in
            try folder.write("in/a.html", row())
            try folder.write(
                "rows.jsonl",
                """
                {"identifier": "a", "html": "x"}
                {"identifier": "b", "html": "x", "format": "webp"}
                """)
            let saved = try Offstage.run(
                "render", "--manifest", "rows.jsonl", "--out", "out", "--save-html", in: folder)
            #expect(saved.code == 0)
            #expect(folder.files("out") == ["a.html", "a.png", "b.html", "b.webp"])
            for (arguments, message) in [
                (
                    ["--manifest", "rows.jsonl", "--name", "x.{ext}"],
                    #"rows.jsonl:1 "a" and rows.jsonl:2 "b" would both become new/x.html; "#
                        + "rename one or render them into two folders"
                ),
                (
                    ["--manifest", "rows.jsonl", "--html", "new/a.html"],
                    "new/a.html is a file of --save-html; choose another path for the results"
                ),
                (
                    ["in", ".", "--watch"],
                    "--watch would render the files that --save-html writes below .; choose another output path"
                ),
            ] {
                let outcome = try Child(
                    [Offstage.path, "render", "--out", "new", "--save-html"] + arguments, folder: folder.path
                ).wait()
                #expect(outcome.code == 2)
                #expect(outcome.error == "offstage: \(message)\n")
            }
        }
    }

    @Test func manyRows() throws {
        try withFolder { folder in
            // The whole manifest is read and checked first. Because its last row is invalid, nothing is drawn.
            let row =
                #"{"identifier":"rows/%d","html":"<p>Some text that stands for a row's document</p>","width":320}"#
            var rows = (1...20_000).map { row.replacing("%d", with: "\($0)") }
            rows.append(row.replacing("%d", with: "7"))
            try folder.write("rows.jsonl", rows.joined(separator: "\n"))
            let outcome = try Offstage.run("render", "--manifest", "rows.jsonl", "--out", "out", in: folder)
            #expect(outcome.code == 2)
            #expect(
                outcome.error == "offstage: rows.jsonl:20001: line 7 has the identifier \"rows/7\" too; rename one\n")
            #expect(folder.files() == ["rows.jsonl"])
        }
    }
}
