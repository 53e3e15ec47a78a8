import Foundation
import Testing

/// Where `offstage pipe` writes files.
@Suite struct PipeOutputTests {
    @Test func placesBelowTheFolder() throws {
        try withFolder { folder in
            try FileManager.default.createSymbolicLink(
                atPath: try folder.make("out").path("link"), withDestinationPath: folder.path)
            let pipe = try PipeProgram("--out", "out", "--ordered", in: folder)
            pipe.send(
                request("1", #""output": "a/b.png""#), request("2", #""output": "\#(folder.path("out/c.webp"))""#),
                request("3", #""output": "plain", "also": "jpeg""#),
                request("4", #""output": "d.img", "format": "jpeg""#),
                request("5", #""identifier": "e", "inline": true"#),
                request("6", #""identifier": "f", "output": null"#),
                request("7"), request("8", #""output": "link/g.png""#),
                request("9", #""output": "h.png", "inline": true"#))
            let (outcome, results) = try pipe.end()
            #expect(outcome.code == 1)
            #expect(
                results.map(\.path) == [
                    "out/a/b.png", "out/c.webp", "out/plain", "out/d.img", nil, nil, nil, nil, "out/h.png",
                ])
            #expect(results[7].code == "not-written")
            #expect(results[7].error?.contains("through a symbolic link, out/link/g.png is outside out") == true)
            #expect(results[8].data == (try folder.data("out/h.png")))
            #expect(
                folder.files("out").filter { !$0.hasPrefix("link") } == [
                    "a/b.png", "c.webp", "d.img", "h.png", "plain", "plain.jpg",
                ])
            #expect(try folder.data("out/c.webp").starts(with: Data("RIFF".utf8)))
            #expect(try folder.data("out/d.img").starts(with: [0xFF, 0xD8]))
        }
    }

    @Test func anyPlaceForARootFolder() throws {
        try withFolder { folder in
            let pipe = try PipeProgram("--out", "/", in: folder)
            pipe.send(request("1", #""output": "\#(folder.path("a.png"))""#))
            #expect(try pipe.result("1").path == folder.path("a.png"))
            #expect(try pipe.end().outcome.code == 0)
            #expect(folder.files() == ["a.png"])
        }
    }

    @Test func noFolderNoFiles() throws {
        try withFolder { folder in
            let pipe = try PipeProgram(in: folder)
            pipe.send(request("1", #""identifier": "a""#), request("2", #""output": "a.png""#))
            #expect(try pipe.result("1").status == "drawn")
            #expect(try pipe.result("2").code == "invalid")
            _ = try pipe.end()
            #expect(folder.files() == [])
        }
    }

    /// If two requests have the same path, the file is the later one's picture, even if that is drawn first.
    @Test func theLaterRequestHasThePlace() throws {
        try withFolder { folder in
            let pipe = try PipeProgram("--out", "out", "--no-cache", in: folder)
            pipe.send(
                #"{"id": "s", "command": "suspend", "seconds": 600}"#,
                request("old", #""output": "a.png""#, color: "red"),
                request("new", #""output": "a.png", "immediate": true"#, color: "lime"))
            #expect(try pipe.result("new").status == "drawn")
            pipe.send(#"{"command": "resume"}"#)
            let (outcome, results) = try pipe.end()
            #expect(outcome.code == 0)
            let old = results.first { $0.id == "old" }
            #expect(old?.code == "superseded")
            #expect(old?.error == "line 2: a later request has written out/a.png")
            #expect(try folder.picture("out/a.png")[3, 3] == [0, 255, 0, 255])
        }
    }

    /// An earlier request does not replace a later one's cached picture, whose file is already there.
    @Test func aKeptPictureIsNotReplacedByAnEarlierRequests() throws {
        try withFolder { folder in
            let pipe = try PipeProgram("--out", "out", in: folder)
            pipe.send(request("first", #""output": "a.png""#, color: "lime"))
            _ = try pipe.result("first")
            pipe.send(
                #"{"id": "s", "command": "suspend", "seconds": 600}"#,
                request("old", #""output": "a.png""#, color: "red"),
                request("new", #""output": "a.png""#, color: "lime"))
            #expect(try pipe.result("new").isCached)
            pipe.send(#"{"command": "resume"}"#)
            let (outcome, results) = try pipe.end()
            #expect(outcome.code == 0)
            #expect(results.first { $0.id == "old" }?.code == "superseded")
            #expect(try folder.picture("out/a.png")[3, 3] == [0, 255, 0, 255])
        }
    }

    @Test(arguments: [
        (["pipe", "a.html"], "pipe reads requests from standard input; leave out 'a.html'"),
        (["pipe", "--out", ""], "--out needs the name of a folder; . is the working folder"),
        (["pipe", "--limit", "0"], "--limit takes a whole number from 1 to 100000, not '0'"),
        (["pipe", "--width", "x"], "--width takes a whole number from 1 to 32767, or fit, not 'x'"),
    ])
    func wrongUse(arguments: [String], says: String) throws {
        let outcome = try Child([Offstage.path] + arguments, folder: "/").wait()
        #expect(outcome.code == 2)
        #expect(outcome.error == "offstage: \(says)\n")
        #expect(outcome.text == "")
    }
}
