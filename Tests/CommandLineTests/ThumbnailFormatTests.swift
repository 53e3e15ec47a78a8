import Foundation
import Testing

/// `--format thumb:WxH`: the picture's own file is a thumbnail.
@Suite struct ThumbnailFormatTests {
    /// The file that `--also` would make, but under the picture's own name.
    @Test func alone() throws {
        try withFolder { folder in
            try folder.write("in/a.html", "<h1>Some text</h1>")
            let both = try Offstage.run("render", "in", "--out", "x", "--also", "thumb:120x120", in: folder)
            #expect(both.code == 0, "\(both.error)")
            let command = ["render", "in", "--out", "y", "--format", "thumb:120x120", "--cache", "c", "--json"]
            for isCached in [nil, true] {
                let run = try Child([Offstage.path] + command, folder: folder.path).wait()
                #expect(run.code == 0, "\(run.error)")
                let result = try #require(try run.objects.first)
                #expect(result["path"] as? String == "y/a.png")
                #expect(result["width"] as? Int == 120)
                #expect(result["bytes"] as? Int == (try folder.data("y/a.png")).count)
                #expect(result["kept"] as? Bool == isCached)
            }
            #expect(folder.files("y") == ["a.png"])
            #expect(try folder.data("y/a.png") == folder.data("x/a.thumb-120x120.png"))
        }
    }

    /// The format follows the box, or comes from the file's name.
    @Test(arguments: [
        ("a.jpg", "thumb:100x9", "JPEG 90 9"), ("a.jpg", "thumb:100x9:webp", "WEBP 90 9"),
        ("a", "thumb:50x50", "PNG 50 5"),
        ("a.webp", "thumb:900x900:jpeg:quality=70", "JPEG 400 40"),
    ])
    func formats(output: String, spec: String, says: String) throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            let run = try Offstage.run("render", "a.html", "-o", output, "--format", spec, in: folder)
            #expect(run.code == 0, "\(run.error)")
            #expect(try inspect(output, in: folder, "%m %w %h") == says)
        }
    }

    /// An additional file has its own format. A scale's thumbnail is made from the finer drawing.
    @Test func besideOthers() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            let run = try Offstage.run(
                "render", "a.html", "-o", "a.png", "--format", "thumb:100x100", "--also", "thumb:50x50", "--also",
                "webp",
                "--also", "2x", in: folder)
            #expect(run.code == 0, "\(run.error)")
            let sizes = [
                "a.png": "100 10", "a.thumb-50x50.png": "50 5", "a.webp": "400 40", "a@2x.thumb-100x100.png": "100 10",
            ]
            for (name, size) in sizes { #expect(try inspect(name, in: folder, "%w %h") == size, "\(name)") }
            let two = try Offstage.run(
                "render", "a.html", "-o", "a.png", "--format", "thumb:100x100", "--also", "png", in: folder)
            #expect(two.error == "offstage: two files of a.html would both be a.png; leave one --also out\n")
        }
    }

    @Test func standardOutput() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            let run = try Offstage.run("render", "a.html", "-o", "-", "--format", "thumb:100x100", in: folder)
            #expect(run.code == 0, "\(run.error)")
            try folder.write("a.png", run.output)
            #expect(try inspect("a.png", in: folder, "%m %w %h") == "PNG 100 10")
        }
    }

    @Test func aRow() throws {
        try withFolder { folder in
            try folder.write(
                "rows.jsonl",
                #"""
                {"identifier": "a", "html": "<p>x", "format": "thumb:100x100"}
                {"identifier": "b", "html": "<p>x", "format": null}
                """#)
            let run = try Offstage.run(
                "render", "--manifest", "rows.jsonl", "--out", "out", "--format", "thumb:9x9:jpeg", in: folder)
            #expect(run.code == 0, "\(run.error)")
            #expect(folder.files("out") == ["a.png", "b.png"])
            #expect(try inspect("out/a.png", in: folder, "%w") == "100")
            #expect(try inspect("out/b.png", in: folder, "%w") == "400")
        }
    }

    /// In a request, the name's extension is also the default.
    @Test func aRequest() throws {
        try withFolder { folder in
            let requests = [
                #"{"id": 1, "html": "<p>x", "output": "a.jpg", "format": "thumb:100x100"}"#,
                #"{"id": 2, "html": "<p>x", "output": "b", "format": "thumb:100x100"}"#,
                #"{"id": 3, "html": "<p>x", "output": "c.gif", "format": "thumb:100x100:webp"}"#,
                #"{"id": 4, "html": "<p>x", "output": "d.gif", "format": "thumb:100x100"}"#,
            ]
            let run = try Offstage.run(
                "pipe", "--out", "out", stdin: Data(requests.map { $0 + "\n" }.joined().utf8), in: folder)
            #expect(folder.files("out") == ["a.jpg", "b", "c.gif"], "\(run.text) \(run.error)")
            #expect(try inspect("out/a.jpg", in: folder, "%m %w") == "JPEG 100")
            #expect(try inspect("out/b", in: folder, "%m %w") == "PNG 100")
            #expect(try inspect("out/c.gif", in: folder, "%m %w") == "WEBP 100")
            let last = try #require(try run.objects.last { $0["id"] as? Int == 4 })
            #expect((last["error"] as? String)?.contains("has an unknown extension") == true)
        }
    }

    /// The service gives the format that the client accepts.
    @Test func anAnswer() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            let types = [("thumb:100x100", "image/webp"), ("thumb:100x100:jpeg", "image/jpeg")]
            for (spec, type) in types {
                let answer = try service.draw(row(), "format=\(spec)", ["Accept": "image/webp"])
                #expect(answer.status == 200, "\(answer.text)")
                #expect(answer.headers["content-type"] == type)
                #expect(answer.headers["offstage-size"] == "100x10")
            }
            let refused = try service.draw(row(), "format=thumb:100x100", ["Accept": "text/html"])
            #expect(refused.code == "not-acceptable")
            #expect(try service.stop().code == 0)
        }
    }
}
