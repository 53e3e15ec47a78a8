import Foundation
import Testing

/// `--areas`: the positions of a picture's links, and its text.
@Suite struct AreaOptionTests {
    private static let document = """
        <!doctype html><meta charset=utf-8><style>body { margin: 0 } a { position: absolute; background: red }</style>
        <p id=top style='margin:0;height:60px'>Read <a href='https://example.org/?a=1&amp;b="2"' \
        style='left:20px;top:30px;width:50px;height:10px'></a>
        """

    private func result(_ arguments: [String], in folder: Folder) throws -> [String: Any] {
        let outcome = try Child([Offstage.path, "render", "--json"] + arguments, folder: folder.path).wait()
        #expect(outcome.code == 0, "\(outcome.error)")
        return try #require(try outcome.objects.first)
    }

    @Test func resultsTellThem() throws {
        try withFolder { folder in
            try folder.write("a.html", Self.document)
            let plain = try result(["a.html", "-o", "a.png"], in: folder)
            #expect(plain["areas"] == nil && plain["text"] == nil)
            let arguments = ["--cache", "cache", "a.html", "-o", "b.png", "--areas", "--padding", "5", "--scale", "2"]
            let told = try result(arguments, in: folder)
            #expect(told["text"] as? String == "Read")
            let areas = try #require(told["areas"] as? [[String: Any]])
            #expect(areas.count == 2)
            #expect(areas[0]["identifier"] as? String == "top")
            #expect(areas[1]["target"] as? String == "https://example.org/?a=1&b=\"2\"")
            let numbers = ["x", "y", "width", "height"].map { areas[1][$0] as? Double }
            #expect(numbers == [25, 35, 50, 10])
            // The areas are cached with the picture.
            let kept = try result(arguments, in: folder)
            #expect(kept["kept"] as? Bool == true)
            #expect(kept["areas"] as? NSArray == areas as NSArray)
            #expect(kept["text"] as? String == "Read")
        }
    }

    @Test func thePictureIsTheSame() throws {
        try withFolder { folder in
            try folder.write("a.html", Self.document)
            _ = try result(["a.html", "-o", "a.png"], in: folder)
            _ = try result(["a.html", "-o", "b.png", "--areas"], in: folder)
            #expect(try folder.data("a.png") == folder.data("b.png"))
        }
    }

    @Test func aRowCanAskForThem() throws {
        try withFolder { folder in
            try folder.write(
                "rows.jsonl",
                #"{"identifier": "a", "html": "<a href=x>one</a>", "areas": true}"# + "\n"
                    + #"{"identifier": "b", "html": "<a href=x>two</a>"}"# + "\n")
            let outcome = try Offstage.run(
                "render", "--manifest", "rows.jsonl", "--out", "out", "--results", "r.jsonl", "-q", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            let lines = String(decoding: try folder.data("r.jsonl"), as: UTF8.self).split(separator: "\n")
            #expect(lines.map { $0.contains("\"text\":\"one\"") } == [true, false])
            #expect(lines.map { $0.contains("\"target\":\"x\"") } == [true, false])
            #expect(lines.map { $0.contains("\"label\":\"one\"") } == [true, false])
        }
    }
}
