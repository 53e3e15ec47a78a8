import Foundation
import Testing

/// Invalid lines and requests that cannot be drawn: each has its result, and the stream continues.
@Suite struct PipeWrongLineTests {
    /// Errors that the schema also finds.
    private static let wrongRequests: [(line: String, says: String)] = [
        ("[]", "the line contains a list, not a JSON object"), ("7", "the line contains a number, not a JSON object"),
        ("{}", #"there is neither "html" nor "file"; give one of them"#),
        (#"{"html": "x", "file": "y"}"#, #""html" and "file" cannot be combined; use one"#),
        (#"{"html": "x", "id": 1.5}"#, #""id" takes text or a whole number, not 1.5"#),
        (#"{"html": "x", "id": 12345678901234567890}"#, #""id" takes text or a whole number, not 1.2345"#),
        (#"{"html": "x", "id": [1]}"#, #""id" takes text or a whole number, not a list"#),
        (#"{"html": "x", "widht": 1}"#, #"there is no key "widht"; did you mean width?"#),
        (#"{"html": "x", "width": "wide"}"#, #""width" takes a whole number or "fit", not "wide""#),
        (#"{"html": "x", "priority": "urgent"}"#, #""priority" takes very-low, low, normal, high or very-high, not"#),
        (#"{"html": "x", "deadline": 0}"#, #""deadline" takes seconds, more than 0 and up to 86400, not 0"#),
        (#"{"html": "x", "immediate": 1}"#, #""immediate" takes true or false, not 1"#),
        (#"{"html": "x", "inline": "yes"}"#, #""inline" takes true or false, not "yes""#),
        (#"{"html": "x", "output": 1}"#, #""output" takes the path of a picture, or null, not 1"#),
        (#"{"html": "x", "output": ""}"#, "is empty"), (#"{"identifier": "", "html": "x"}"#, "is empty"),
    ]
    private static let wrongCommands: [(line: String, says: String)] = [
        (
            #"{"command": "fly"}"#,
            #""command" takes suspend, resume, reprioritise, cancel, prefetch, annotate, stats or finish"#
        ),
        (#"{"command": 1}"#, "not 1"), (#"{"command": "stats", "all": true}"#, #"stats has no key "all""#),
        (#"{"command": "suspend", "seconds": -1}"#, #""seconds" takes a number, more than 0 and up to 86400"#),
        (#"{"command": "suspend", "name": 1}"#, #""name" takes text, not 1"#),
        (
            #"{"command": "cancel"}"#,
            #"cancel takes exactly one of "request", "identifier", "prefix" or "group", not 0"#
        ),
        (#"{"command": "cancel", "group": "a", "prefix": "b"}"#, "not 2"),
        (#"{"command": "cancel", "request": true}"#, #""request" takes the id of a request, not true"#),
        (#"{"command": "reprioritise", "group": "a"}"#, #"reprioritise needs a "priority""#),
        (#"{"command": "prefetch", "html": 1}"#, #""html" takes text, not a number"#),
    ]
    /// Errors that only the program finds.
    private static let wrongForTheProgram: [(line: String, says: String)] = [
        ("{\"html\": \"x\"", "the line is not valid JSON; a request is a JSON object on one line"),
        (#"{"html": "x", "width": 0}"#, #""width" takes a whole number from 1 to 32767, or fit, not '0'"#),
        (#"{"html": "x", "output": "../a.png"}"#, "contains . or .. as a part of its path; remove it"),
        (#"{"html": "x", "output": "/a.png"}"#, #""output" is "/a.png", which is not below --out out"#),
        (#"{"html": "x", "output": "a.bmp"}"#, #""output" has an unknown extension; use .png"#),
        (#"{"html": "x", "output": "a.png", "also": "png"}"#, "two files would have the path out/a.png"),
        (#"{"html": "x", "output": "page.png", "file": "x"}"#, #""html" and "file" cannot be combined"#),
        (#"{"html": " "}"#, "empty"), (#"{"file": "none.html"}"#, "cannot read none.html: No such file or directory"),
        (#"{"html": "x", "selector": "h1"}"#, "nothing visible in the document matches h1"),
        (#"{"command": "resume"}"#, #"there is no suspension "" to end"#),
        (#"{"file": "out/page.html", "output": "page.html", "format": "png"}"#, "would be replaced by its own picture"),
    ]

    @Test func eachHasAResultWithItsLine() throws {
        try withFolder { folder in
            try folder.write("out/page.html", row())
            let all = Self.wrongRequests + Self.wrongCommands + Self.wrongForTheProgram
            let pipe = try PipeProgram("--out", "out", "--ordered", in: folder)
            for wrong in all { pipe.send(wrong.line) }
            pipe.send(request("good"))
            let (outcome, results) = try pipe.end()
            #expect(outcome.code == 1)
            #expect(outcome.error == "")
            try #require(results.count == all.count + 1)
            for (index, wrong) in all.enumerated() {
                let result = results[index]
                #expect(result.status == "failed" && result.line == index + 1, "\(wrong.line)")
                #expect(result.error?.contains(wrong.says) == true, "\(result.error ?? "")")
            }
            #expect(results.last?.id == "good" && results.last?.status == "drawn")
            #expect(folder.files("out") == ["page.html"])
        }
    }

    @Test func theSchemasAgree() throws {
        let bad = Self.wrongRequests.map(\.line)
        #expect(try Schema.request.errors(in: bad).filter { $0 == nil }.count == 0)
        let commands = Self.wrongCommands.map(\.line)
        #expect(try Schema.command.errors(in: commands).filter { $0 == nil }.count == 0)
    }

    private static let goodRequests = [
        #"{"html": "x"}"#, #"{"id": 1, "html": "x"}"#, #"{"id": null, "html": "x"}"#, #"{"id": 1.0, "html": "x"}"#,
        #"{"id": -9223372036854775808, "html": "x", "inline": true}"#,
        #"{"id": "a", "identifier": "a/b", "html": "x", "output": null, "width": "fit", "also": ["webp"]}"#,
        #"{"html": "x", "priority": "very-low", "immediate": true, "group": "g", "deadline": 60, "refresh": true}"#,
        #"{"html": "x", "store": false, "deadline": 59.5, "output": "c/d.webp", "inline": true}"#,
    ]
    private static let goodCommands = [
        #"{"id": 1, "command": "suspend"}"#, #"{"command": "suspend", "seconds": 0.5, "name": "a"}"#,
        #"{"command": "resume", "name": "a"}"#, #"{"command": "resume"}"#,
        #"{"command": "reprioritise", "request": 1, "priority": "low"}"#, #"{"command": "cancel", "prefix": "a"}"#,
        #"{"command": "prefetch", "html": "x", "width": 100, "group": "g"}"#, #"{"command": "stats"}"#,
        #"{"id": "f", "command": "finish"}"#,
    ]

    @Test func whatTheSchemasAllowIsDone() throws {
        #expect(try Schema.request.errors(in: Self.goodRequests).compactMap { $0 } == [])
        #expect(try Schema.command.errors(in: Self.goodCommands).compactMap { $0 } == [])
        try withFolder { folder in
            let pipe = try PipeProgram("--out", "out", in: folder)
            for line in Self.goodRequests + Self.goodCommands { pipe.send(line) }
            let (outcome, results) = try pipe.end()
            #expect(outcome.code == 0, "\(results.compactMap(\.error))")
            #expect(results.count == Self.goodRequests.count + Self.goodCommands.count)
            #expect(results.contains { $0.object["id"] as? Int == .min })
            #expect(folder.files("out") == ["c/d.webp"])
        }
    }

    /// Each error has the line, and the identifier if it is valid, both in the message and as keys.
    @Test func theIdentifierIsNamed() throws {
        try withFolder { folder in
            try folder.write("out/there/x", "")
            let wrong = [
                #""html": "x", "width": 0"#, #""html": "x", "frob": 0"#, #""html": 5"#, #""html": " ""#,
                #""file": "none.html""#,
                #""html": "x", "priority": "so""#, #""html": "x", "output": "../x.png""#,
                #""html": "x", "css": "none.css""#,
                #""html": "<p>x", "selector": "i""#, #""html": "<img src=none.png>", "strict": true"#,
                #""html": "<p>x", "deadline": 0.000001"#, #""html": "<p>x", "output": "there""#,
            ]
            let lines =
                wrong.map { "{\"identifier\": \"a/b\", \($0)}\n" } + [
                    #"{"command": "prefetch", "identifier": "a/b", "html": "x", "width": 0}"# + "\n",
                    #"{"identifier": "../b", "html": "x"}"# + "\n",
                ]
            let outcome = try Offstage.run(
                "pipe", "--ordered", "--out", "out", stdin: Data(lines.joined().utf8), in: folder)
            let objects = try outcome.objects
            try #require(objects.count == lines.count)
            for (index, object) in objects.enumerated() {
                let error = object["error"] as? String ?? "none"
                let isRight = index < lines.count - 1
                #expect(object["status"] as? String == "failed", "\(lines[index])")
                #expect(error.hasPrefix(isRight ? "line \(index + 1) \"a/b\"" : "line \(index + 1): "), "\(error)")
                #expect(object["identifier"] as? String == (isRight ? "a/b" : nil), "\(error)")
            }
        }
    }

    @Test func bytesThatAreNoText() throws {
        try withFolder { folder in
            let lines: [UInt8] = Array("{\"html\": \"\u{7A}".utf8) + [0xFF, 0xFE] + Array("\"}\n".utf8)
            let input =
                Data(lines) + Data([0]) + Data("\n{\"id\": \"deep\", \"html\": ".utf8)
                + Data(repeating: UInt8(ascii: "["), count: 60_000) + Data("\n".utf8)
                + Data((request("good") + "\n").utf8)
            let outcome = try Offstage.run("pipe", "--ordered", "--no-cache", stdin: input, in: folder)
            #expect(outcome.code == 1)
            let results = try outcome.text.split(separator: "\n").map { try PipeResult(String($0)) }
            #expect(
                results.map(\.error) == [
                    "line 1: the line is not UTF-8; write it in UTF-8",
                    "line 2: the line is not valid JSON; a request is a JSON object on one line",
                    "line 3: the object has lists and objects nested more than 8 deep", nil,
                ])
            #expect(results.last?.id == "good")
        }
    }

    /// A line that is too long is not kept in memory, and is reported before its end arrives.
    @Test func aLineThatIsTooLong() throws {
        try withFolder { folder in
            let pipe = try PipeProgram("--max-input-bytes", "1000", "--no-cache", in: folder)
            pipe.send(request("before"))
            let piece = String(repeating: "x", count: 40_000)
            pipe.child.send("{\"html\": \"" + piece + piece)
            let long = try pipe.results(2).first { $0.line == 2 }
            #expect(
                long?.error
                    == "line 2: the line has more than 67536 bytes; pass the document as a file, or raise --max-input-bytes"
            )
            for _ in 1...500 { pipe.child.send(piece) }
            pipe.send("\"}", request("after"))
            let (outcome, results) = try pipe.end()
            #expect(outcome.code == 1)
            #expect(results.count == 3)
            #expect(results.first { $0.id == "after" }?.line == 3)
        }
    }
}
