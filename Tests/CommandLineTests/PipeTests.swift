import Foundation
import Testing

/// `offstage pipe`: its input and output.
@Suite struct PipeTests {
    @Test func inlineBytesAreThoseOfRender() throws {
        try withFolder { folder in
            try folder.write("a.html", row("rgb(1,2,3)") + "<p>Ἀθῆναι 漢字</p>")
            for (name, options) in [("a.png", ""), ("b.webp", ""), ("c.jpg", #""scale": 2"#)] {
                let scale = options.isEmpty ? "1" : "2"
                let run = try Offstage.run("render", "a.html", "-o", name, "--scale", scale, in: folder)
                #expect(run.code == 0, "\(run.error)")
            }
            let pipe = try PipeProgram("--no-cache", in: folder)
            pipe.send(
                #"{"id": "a", "file": "a.html", "inline": true, "also": ["webp"]}"#,
                #"{"id": "c", "file": "a.html", "inline": true, "format": "jpeg", "scale": 2}"#)
            let a = try pipe.result("a")
            #expect(a.data == (try folder.data("a.png")))
            #expect(a.object["format"] as? String == "png")
            let also = try #require((a.object["also"] as? [[String: Any]])?.first)
            #expect(Data(base64Encoded: also["data"] as? String ?? "") == (try folder.data("b.webp")))
            #expect(try pipe.result("c").data == folder.data("c.jpg"))
            #expect(try pipe.end().outcome.code == 0)
            #expect(folder.files() == ["a.html", "a.png", "b.webp", "c.jpg"])
        }
    }

    /// If a manifest's rows are sent unchanged, the files are those that `render` makes.
    @Test func aManifestsRowsBecomeItsFiles() throws {
        try withFolder { folder in
            try folder.write("page.html", row("teal") + "<b>1</b><b>2</b>")
            let rows = [
                #"{"identifier": "a/b", "html": "<b>Hi</b>", "also": ["webp", "thumb:20x20", "2x"]}"#,
                #"{"identifier": "parts", "file": "page.html", "selector": "b", "each": true}"#,
                #"{"identifier": "v1.2", "html": "<i>x</i>", "format": "webp", "width": "fit"}"#,
            ]
            try folder.write("rows.jsonl", rows.joined(separator: "\n"))
            let run = try Offstage.run(
                "render", "--manifest", "rows.jsonl", "--out", "render", "--css", "s.css", in: folder)
            #expect(run.code == 2, "there is no style sheet yet")
            try folder.write("s.css", "b { color: red }")
            let second = try Offstage.run(
                "render", "--manifest", "rows.jsonl", "--out", "render", "--css", "s.css", "--no-cache", in: folder)
            #expect(second.code == 0, "\(second.error)")
            let pipe = try PipeProgram("--out", "pipe", "--css", "s.css", "--no-cache", "--ordered", in: folder)
            for row in rows { pipe.send(row) }
            let (outcome, results) = try pipe.end()
            #expect(outcome.code == 0 && outcome.error == "", "\(outcome.error)")
            #expect(folder.files("pipe") == folder.files("render") && folder.files("pipe").count == 7)
            for file in folder.files("pipe") {
                #expect(try folder.data("pipe/" + file) == folder.data("render/" + file))
            }
            #expect(results.map(\.line) == [1, 2, 3])
            #expect(results[0].path == "pipe/a/b.png")
            let parts = try #require(results[1].object["parts"] as? [[String: Any]])
            #expect(parts.map { $0["path"] as? String } == ["pipe/parts-1.png", "pipe/parts-2.png"])
            #expect(parts.map { $0["identifier"] as? String } == ["parts-1", "parts-2"])
            #expect(results[2].path == "pipe/v1.2.webp")
        }
    }

    /// Finished results are printed while others wait, and in the order of the lines with `--ordered`.
    @Test(arguments: [false, true]) func keptPicturesComeWhileSuspended(isOrdered: Bool) throws {
        try withFolder { folder in
            let options = isOrdered ? ["--ordered"] : []
            let cache = ["XDG_CACHE_HOME": folder.path("cache")]
            let first = try PipeProgram("--quiet", environment: cache, in: folder)
            first.send(request("kept", color: "lime"))
            #expect(try first.result("kept").isCached == false)
            #expect(try first.end().outcome.code == 0)

            let pipe =
                try isOrdered
                ? PipeProgram("--ordered", environment: cache, in: folder) : PipeProgram(environment: cache, in: folder)
            pipe.send(
                #"{"id": "suspend", "command": "suspend", "seconds": 600}"#, request("drawn"),
                request("kept", color: "lime"), request("now", #""immediate": true"#, color: "navy"))
            if isOrdered {
                #expect(try pipe.results(1).map(\.id) == ["suspend"])
            } else {
                #expect(Set(try pipe.results(3).map(\.id)) == ["suspend", "kept", "now"])
                #expect(try pipe.result("kept").isCached)
            }
            pipe.send(#"{"id": "resume", "command": "resume"}"#)
            let (outcome, results) = try pipe.end()
            #expect(outcome.code == 0, "\(outcome.error) \(options)")
            #expect(Set(results.map(\.id)) == ["suspend", "drawn", "kept", "now", "resume"])
            if isOrdered { #expect(results.map(\.line) == [1, 2, 3, 4, 5]) }
            #expect(results.first { $0.id == "drawn" }?.isCached == false)
        }
    }

    @Test func twoThousandRequestsAndNothingIsLost() throws {
        try withFolder { folder in
            let pipe = try PipeProgram("--limit", "50", "--no-cache", in: folder)
            for index in 1...2000 {
                pipe.send(request("\(index)", color: "rgb(\(index % 256),\(index / 256),0)", height: 20))
            }
            let (outcome, results) = try pipe.end()
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(results.count == 2000)
            #expect(Set(results.map(\.id)).count == 2000)
            #expect(results.allSatisfy { $0.status == "drawn" && $0.id == $0.line.map { "\($0)" } })
        }
    }

    /// The last line needs no line end; until the input ends, the program waits for the rest of an incomplete line.
    @Test func theEndOfTheInput() throws {
        try withFolder { folder in
            let pipe = try PipeProgram(in: folder)
            let line = request("half")
            pipe.child.send(String(line.prefix(20)))
            pipe.child.send("")
            pipe.child.send(String(line.dropFirst(20)) + "\n\n \r\n" + request("last"))
            #expect(try pipe.result("half").line == 1)
            let (outcome, results) = try pipe.end()
            #expect(outcome.code == 0)
            #expect(results.map(\.line) == [1, 4])
        }
    }

    @Test func nothingToDo() throws {
        try withFolder { folder in
            let outcome = try Offstage.run("pipe", in: folder)
            #expect(outcome.code == 0)
            #expect(outcome.text == "" && outcome.error == "")
        }
    }

    /// A changed file is read again, and so is a changed style sheet.
    @Test func changesAreSeen() throws {
        try withFolder { folder in
            try folder.write("a.html", row("red"))
            try folder.write("s.css", "")
            try folder.write("all.css", "")
            let pipe = try PipeProgram("--out", "out", "--css", "all.css", in: folder)
            func color(_ id: String, _ more: String = "") throws -> [UInt8] {
                pipe.send(#"{"id": "\#(id)", "file": "a.html", "output": "a.png"\#(more)}"#)
                #expect(try pipe.result(id).status == "drawn")
                return try folder.picture("out/a.png")[5, 5]
            }
            #expect(try color("1") == [255, 0, 0, 255])
            try folder.write("a.html", row("blue"))
            #expect(try color("2") == [0, 0, 255, 255])
            #expect(try color("3", #", "css": "s.css""#) == [0, 0, 255, 255])
            try folder.write("s.css", "div { background: lime !important }")
            #expect(try color("4", #", "css": "s.css""#) == [0, 255, 0, 255])
            try folder.write("all.css", "div { background: aqua !important }")
            #expect(try color("5") == [0, 255, 255, 255])
            try folder.write("all.css", "div { background: fuchsia !important }")
            #expect(try color("6") == [255, 0, 255, 255])
            #expect(try pipe.end().outcome.code == 0)
        }
    }
}
