import Foundation
import Testing

/// The commands that a program sends to `offstage pipe` between its requests.
@Suite struct PipeCommandTests {
    private static let suspend = #"{"id": "suspend", "command": "suspend", "seconds": 600}"#
    private static let resume = #"{"id": "resume", "command": "resume"}"#

    @Test func requestsAreCancelled() throws {
        try withFolder { folder in
            let pipe = try PipeProgram("--out", "out", in: folder)
            pipe.send(
                Self.suspend, request("1"), request("2", #""identifier": "chat/1""#, color: "blue"),
                request("3", #""identifier": "chat/2""#, color: "lime"),
                request("4", #""identifier": "mail/1""#, color: "navy"), request("5", #""group": "g""#, color: "teal"),
                request("6", #""identifier": "other""#, color: "gray"),
                #"{"id": "a", "command": "cancel", "request": "1"}"#,
                #"{"id": "b", "command": "cancel", "prefix": "chat/"}"#,
                #"{"id": "c", "command": "cancel", "identifier": "mail/1"}"#,
                #"{"id": "d", "command": "cancel", "group": "g"}"#,
                #"{"id": "e", "command": "cancel", "identifier": "chat"}"#)
            let counts = try "abcde".map { try pipe.result(String($0)).object["requests"] as? Int }
            #expect(counts == [1, 2, 1, 1, 0])
            for id in 1...5 { #expect(try pipe.result("\(id)").code == "cancelled") }
            pipe.send(Self.resume)
            let (outcome, results) = try pipe.end()
            #expect(results.count == 13)
            #expect(results.first { $0.id == "6" }?.status == "drawn")
            #expect(folder.files("out") == ["other.png"])
            // The cancelled requests do not count as failures.
            #expect(outcome.code == 0, "\(outcome.error)")
        }
    }

    /// Requests can be moved even before they have reached the queue.
    @Test func requestsAreMoved() throws {
        try withFolder { folder in
            let pipe = try PipeProgram("--jobs", "1", "--no-cache", in: folder)
            pipe.send(Self.suspend)
            for index in 1...28 {
                let priority = index > 14 ? "very-high" : "low"
                pipe.send(
                    request("\(index)", "\"identifier\": \"row/\(index)\"", color: "rgb(\(index),0,0)"),
                    "{\"command\": \"reprioritise\", \"request\": \"\(index)\", \"priority\": \"\(priority)\"}")
            }
            pipe.send(
                #"{"id": "b", "command": "reprioritise", "prefix": "row/2", "priority": "very-high"}"#)
            _ = try pipe.untilWaiting(28)
            #expect(try pipe.result("b").object["requests"] as? Int == 10)
            pipe.send(Self.resume)
            let order = try pipe.end().results.compactMap { $0.id.flatMap { Int($0) } }
            #expect(order.count == 28)
            // Neighbours may swap places in the output.
            let soon = order.prefix(17)
            #expect(soon.contains(2) && (15...28).allSatisfy(soon.contains), "\(order)")
        }
    }

    @Test func aSuspensionEndsByItself() throws {
        try withFolder { folder in
            let pipe = try PipeProgram("--no-cache", in: folder)
            pipe.send(#"{"id": "s", "command": "suspend", "seconds": 0.2}"#, request("1"))
            #expect(try pipe.result("1").status == "drawn")
            pipe.send(Self.resume)
            #expect(try pipe.result("resume").object["expired"] as? Bool == true)
            pipe.send(#"{"id": "again", "command": "resume"}"#)
            #expect(try pipe.result("again").code == "invalid")
            #expect(try pipe.end().outcome.code == 1)
        }
    }

    @Test func suspensionsHaveNames() throws {
        try withFolder { folder in
            let pipe = try PipeProgram("--no-cache", in: folder)
            pipe.send(
                #"{"id": "a", "command": "suspend", "name": "scroll"}"#, #"{"id": "b", "command": "suspend"}"#,
                #"{"id": "c", "command": "suspend", "name": "scroll"}"#,
                #"{"id": "d", "command": "resume", "name": "scroll"}"#, #"{"id": "e", "command": "resume"}"#)
            #expect(try pipe.result("a").object["seconds"] as? Double == 60)
            #expect(try pipe.result("d").object["suspended"] as? Bool == true)
            #expect(try pipe.result("e").object["suspended"] as? Bool == false)
            #expect(try pipe.end().outcome.code == 0)
        }
    }

    /// The suspension ends, because no client is left that could end it.
    @Test func theEndOfTheInputEndsSuspensions() throws {
        try withFolder { folder in
            let pipe = try PipeProgram("--no-cache", in: folder)
            pipe.send(Self.suspend, request("1"), #"{"id": "finish", "command": "finish"}"#)
            let (outcome, results) = try pipe.end()
            #expect(outcome.code == 0)
            #expect(results.map(\.id) == ["suspend", "1", "finish"])
        }
    }

    @Test func finishIsAnsweredBehindAllBeforeIt() throws {
        try withFolder { folder in
            let pipe = try PipeProgram("--no-cache", in: folder)
            for index in 1...20 { pipe.send(request("\(index)", color: "rgb(\(index),9,9)")) }
            pipe.send("no JSON", #"{"id": "finish", "command": "finish"}"#)
            let results = try pipe.results(22)
            #expect(results.last?.id == "finish")
            #expect(results.last?.object["lines"] as? Int == 21)
            #expect(results.last?.object["failed"] as? Int == 1)
            pipe.send(request("after"))
            #expect(try pipe.result("after").status == "drawn")
            #expect(try pipe.end().outcome.code == 1)
        }
    }

    @Test func prefetchedPicturesAreKept() throws {
        try withFolder { folder in
            let pipe = try PipeProgram("--out", "out", in: folder)
            let html = row("olive")
            pipe.send(#"{"id": "p", "command": "prefetch", "identifier": "a", "html": "\#(html)", "also": "webp"}"#)
            #expect(try pipe.result("p").object["kept"] as? Bool == false)
            #expect(folder.files("out") == [])
            pipe.send(#"{"id": "a", "identifier": "a", "html": "\#(html)", "also": "webp"}"#)
            #expect(try pipe.result("a").isCached)
            #expect(folder.files("out") == ["a.png", "a.webp"])
            pipe.send(#"{"id": "q", "command": "prefetch", "html": "\#(html)", "output": "b.png"}"#)
            #expect(try pipe.result("q").code == "invalid")
            #expect(try pipe.end().outcome.code == 1)
            let without = try PipeProgram("--no-cache", in: folder)
            without.send(#"{"id": "p", "command": "prefetch", "html": "\#(html)"}"#)
            #expect(
                try without.result("p").error == "line 1: there is no cache, so prefetch has no effect")
            #expect(try without.end().outcome.code == 1)
        }
    }

    @Test func statsTellWhatThereIs() throws {
        try withFolder { folder in
            let pipe = try PipeProgram("--limit", "10", in: folder)
            pipe.send(request("1"))
            _ = try pipe.result("1")
            pipe.send(request("again"), Self.suspend)
            for index in 1...4 { pipe.send(request("w\(index)", color: "rgb(9,9,\(index))")) }
            _ = try pipe.result("again")
            let stats = try pipe.untilWaiting(4)
            #expect(stats["underWay"] as? Int == 4)
            #expect(stats["running"] as? Int == 0)
            #expect(stats["suspended"] as? Bool == true)
            let counters = try #require(stats["counters"] as? [String: Int])
            #expect(counters["drawn"] == 1 && counters["stored"] == 1 && counters["hitsOnDisk"] == 1)
            #expect((stats["store"] as? [String: Int])?["pictures"] == 1)
            #expect(stats["residentBytes"] as? Int ?? 0 > 1_000_000)
            #expect(try pipe.end().outcome.code == 0)
        }
    }

    @Test func aDeadlineIsKept() throws {
        try withFolder { folder in
            let pipe = try PipeProgram("--no-cache", in: folder)
            pipe.send(Self.suspend, request("1", #""deadline": 0.1"#), request("2", #""deadline": 3600"#))
            let late = try pipe.result("1")
            #expect(late.code == "late")
            #expect(late.error == "line 2: not drawn within its deadline of 0.1 s; raise the deadline")
            pipe.send(Self.resume)
            #expect(try pipe.result("2").status == "drawn")
            #expect(try pipe.end().outcome.code == 1)
        }
    }
}
