import Foundation
import Testing

/// What `offstage pipe` does when something around it fails or ends.
@Suite struct PipeFaultTests {
    private static let suspend = #"{"id": "suspend", "command": "suspend", "seconds": 3600}"#

    /// While the maximum number of requests is waiting, nothing more is read, so the writer has to wait.
    @Test func aFastWriterHasToWait() throws {
        try withFolder { folder in
            let pipe = try PipeProgram("--limit", "10", "--no-cache", in: folder)
            // Each page waits for a script that never signals that it is ready.
            let filling = String(repeating: " ", count: 2000)
            var line = ""
            for index in 1...2000 {
                line =
                    "{\"id\": \"\(index)\", \"html\": \"<html data-offstage=wait><p>\(index)\(filling)\", "
                    + "\"javascript\": true, \"timeout\": 3600}"
                pipe.send(line)
            }
            // The bytes in the pipe, those that are read at once, and the lines in progress.
            let most = 2 * 65_536 + 12 * line.utf8.count
            var (before, unchanged) = (-1, 0)
            #expect(
                eventually {
                    _ = pipe.child.hasEnded
                    unchanged = pipe.child.sent == before ? unchanged + 1 : 0
                    before = pipe.child.sent
                    return unchanged > 100
                })
            #expect(pipe.child.sent < most, "\(pipe.child.sent) bytes of \(2000 * line.utf8.count)")
            #expect(pipe.child.sent > 10 * line.utf8.count)
            // The reader leaves while nothing is being written.
            pipe.child.closeOutput()
            let outcome = try pipe.child.wait()
            #expect(outcome.code == 1)
            #expect(
                outcome.error
                    == "offstage: standard output was closed before all requests were answered; the others are not drawn\n"
            )
        }
    }

    /// If a program has suspended drawing, its requests do not block the stream, because its command to resume is in
    /// the same stream.
    @Test func aFullPipeCanBeResumed() throws {
        try withFolder { folder in
            let pipe = try PipeProgram("--limit", "10", "--no-cache", "--out", "out", in: folder)
            pipe.send(Self.suspend)
            for index in 1...30 { pipe.send(request("\(index)", color: "rgb(\(index),0,0)")) }
            pipe.send(#"{"id": "resume", "command": "resume"}"#)
            pipe.child.endInput()
            let outcome = try pipe.child.wait()
            #expect(outcome.code == 1)
            let objects = try outcome.objects
            #expect(objects.count { $0["status"] as? String == "drawn" } == 10)
            #expect(objects.count { $0["code"] as? String == "queue-full" } == 20)
            #expect(objects.count { $0["status"] as? String == "done" } == 2)
        }
    }

    /// If a program sends requests but does not read the results, no more is drawn than may be in progress.
    @Test func aReaderThatWaits() throws {
        try withFolder { folder in
            try #require(mkfifo(folder.path("go"), 0o600) == 0)
            // A line that is larger than a pipe's buffer.
            let lines = (1...100).map {
                request(
                    "\($0)", #""inline": true, "format": "raw", "output": "\#($0)""#, color: "rgb(\($0),0,0)",
                    height: 50)
            }
            try folder.write("requests", lines.joined(separator: "\n"))
            let script = #""$0" pipe --limit 5 --no-cache --out out < requests | (read -r go < go; cat)"#
            let child = try Child(["sh", "-c", script, Offstage.path], folder: folder.path)
            var (before, unchanged) = (-1, 0)
            #expect(
                eventually {
                    let count = folder.files("out").count
                    unchanged = count == before && count > 0 ? unchanged + 1 : 0
                    before = count
                    return unchanged > 100
                })
            // One result is being written.
            #expect((5...6).contains(before))
            try folder.write("go", "\n")
            let outcome = try child.wait()
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(try outcome.objects.count == 100)
        }
    }

    @Test func aReaderThatGoesEndsItAll() throws {
        try withFolder { folder in
            let pipe = try PipeProgram("--out", "out", "--no-cache", in: folder)
            for index in 1...500 {
                pipe.send(request("\(index)", "\"identifier\": \"\(index)\"", color: "rgb(\(index % 256),1,1)"))
            }
            _ = try pipe.results(20)
            let processes = ProcessTable.descendants(of: pipe.child.id)
            #expect(processes.contains { $0.name == "WebKitWebProces" })
            pipe.child.closeOutput()
            #expect(try pipe.child.wait().code == 1)
            #expect(processes.filter(\.isThere) == [])
            #expect(folder.files("out").count < 500)
            #expect(folder.files("out").allSatisfy { $0.hasSuffix(".png") })
        }
    }

    /// A program that leaves after receiving all its answers loses nothing.
    @Test func aReaderThatGoesInTheEnd() throws {
        try withFolder { folder in
            let pipe = try PipeProgram("--no-cache", in: folder)
            pipe.send(request("1"))
            _ = try pipe.result("1")
            pipe.child.closeOutput()
            let outcome = try pipe.child.wait()
            #expect(outcome.code == 0)
            #expect(outcome.error == "")
        }
    }

    @Test(arguments: [SIGTERM, SIGINT]) func aSignalEndsIt(signal: Int32) throws {
        try withFolder { folder in
            let pipe = try PipeProgram("--no-cache", in: folder)
            for index in 1...100 { pipe.send(request("\(index)", color: "rgb(\(index),2,2)")) }
            _ = try pipe.results(3)
            let processes = ProcessTable.descendants(of: pipe.child.id)
            kill(pipe.child.id, signal)
            #expect(try pipe.child.wait().code == 128 + signal)
            #expect(processes.filter(\.isThere) == [])
        }
    }

    /// Each request is answered, and each picture is the right one.
    @Test func killedWebProcessesCostNothing() throws {
        try withFolder { folder in
            let pipe = try PipeProgram("--jobs", "2", "--no-cache", "--limit", "20", in: folder)
            for index in 1...300 {
                pipe.send(request("\(index)", #""inline": true"#, color: "rgb(\(index % 256),\(index / 256),7)"))
            }
            pipe.child.endInput()
            var killed = 0
            while !pipe.child.hasEnded, killed < 4 {
                let count = pipe.child.text(0).split(separator: "\n").count
                if count > 50 * (killed + 1),
                    let victim = ProcessTable.descendants(of: pipe.child.id).first(where: {
                        $0.name == "WebKitWebProces"
                    })
                {
                    kill(victim.id, SIGKILL)
                    killed += 1
                }
                usleep(2000)
            }
            let (outcome, results) = try pipe.end()
            #expect(killed >= 3)
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(Set(results.map(\.id)).count == 300 && results.count == 300)
            for result in results {
                let index = try #require(result.line)
                let data = try #require(result.data)
                #expect(try Picture(data)[3, 3] == [UInt8(index % 256), UInt8(index / 256), 7, 255])
            }
        }
    }

    @Test func aMachineWithoutAnEngine() throws {
        try withFolder { folder in
            let pipe = try PipeProgram(environment: ["PATH": folder.path], in: folder)
            pipe.send(request("1"), request("2", color: "blue"), #"{"id": "stats", "command": "stats"}"#)
            let (outcome, results) = try pipe.end()
            #expect(outcome.code == 3)
            #expect(
                outcome.error
                    == "offstage: Xvfb cannot be started: No such file or directory; install the Debian package xvfb\n")
            #expect(results.count == 3)
            #expect(results.filter { $0.code == "unavailable" }.map(\.id).compactMap { $0 }.sorted() == ["1", "2"])
        }
    }

    /// The fault costs the drawings in progress. The next drawing starts another display.
    @Test func theEndOfTheDisplay() throws {
        try withFolder { folder in
            let pipe = try PipeProgram("--no-cache", "--limit", "50", "--jobs", "2", in: folder)
            for index in 1...300 {
                pipe.send(request("\(index)", #""inline": true"#, color: "rgb(3,\(index % 256),\(index / 256))"))
            }
            _ = try pipe.results(50)
            let display = try #require(ProcessTable.descendants(of: pipe.child.id).first { $0.name == "Xvfb" })
            kill(display.id, SIGKILL)
            let (outcome, results) = try pipe.end()
            #expect(outcome.code == 0 || outcome.code == 1, "\(outcome.code): \(outcome.error)")
            #expect(results.compactMap(\.line).sorted() == Array(1...300))
            let failed = results.filter { $0.status == "failed" }
            #expect(failed.allSatisfy { $0.code == "unavailable" } && failed.count <= 4, "\(failed.map(\.error))")
            for result in results where result.status == "drawn" {
                let index = try #require(result.line)
                #expect(
                    try Picture(try #require(result.data))[3, 3] == [3, UInt8(index % 256), UInt8(index / 256), 255])
            }
        }
    }
}
