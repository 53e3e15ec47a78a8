import Foundation
import Offstage
import Testing

@testable import OffstageService

/// A session answers each line once, whatever happens around it, and its memory is bounded. Nothing is drawn in these
/// tests.
@Suite struct LineSessionTests {
    @Test func nothingIsReadBeyondTheLimit() async throws {
        let transport = await Transport(limit: 3)
        let run = transport.run()
        for index in 1...50 { transport.send(request("\(index)")) }
        // The fourth line is read and waits for a slot; later commands wait, too.
        try await transport.until("four are read") { transport.reads == 4 }
        for _ in 1...2000 { await Task.yield() }
        #expect(transport.reads == 4)
        transport.leave()
        run.cancel()
        let outcome = await run.value
        #expect(outcome.isCutShort)
        #expect(transport.lines == [])
    }

    /// The maximum number of requests is in progress, but commands are still executed.
    @Test func commandsPassAFullSession() async throws {
        let transport = await Transport(limit: 2)
        let run = transport.run()
        transport.send(request("1"), request("2"), cancel("1"), request("3"), cancel("2"), cancel("3"))
        transport.end()
        let ids = try await transport.ids(6)
        #expect(Set(ids) == ["1", "2", "3", "cancel 1", "cancel 2", "cancel 3"])
        let outcome = await run.value
        #expect(outcome.lines == 6 && outcome.failed == 0 && !outcome.isCutShort)
    }

    /// A line can end the session's own suspension even if earlier requests have no slot.
    @Test(arguments: [false, true]) func aFullSessionCanResume(isOrdered: Bool) async throws {
        let transport = await Transport(limit: 2, isOrdered: isOrdered)
        let run = transport.run()
        transport.send(#"{"id": "s", "command": "suspend", "seconds": 3600}"#)
        // Two requests for the same picture count as one that waits.
        transport.send(request("1"), request("1b").replacing("<p>1b", with: "<p>1"))
        transport.send(request("2"), request("3"), #"{"id": "r", "command": "resume"}"#)
        transport.send(cancel("1"), cancel("1b"))
        transport.end()
        let results = try await transport.results(8)
        let byID = Dictionary(uniqueKeysWithValues: results.map { ($0["id"] as? String ?? "", $0) })
        for id in ["2", "3"] {
            #expect(byID[id]?["code"] as? String == "queue-full")
            #expect(
                (byID[id]?["error"] as? String)?.hasSuffix(
                    "the maximum of 2 requests in progress wait because this program suspended the queue; "
                        + "resume it, then send this request again") == true, "\(byID[id] ?? [:])")
        }
        #expect(byID["r"]?["status"] as? String == "done")
        if isOrdered { #expect(results.compactMap { $0["line"] as? Int } == Array(1...8)) }
        let outcome = await run.value
        #expect(outcome.failed == 2 && !outcome.isCutShort)
    }

    /// Another client's suspension does not depend on our lines, so a client that sends too much waits, as usual.
    @Test func aForeignSuspensionRefusesNothing() async throws {
        let transport = await Transport(limit: 1)
        let run = transport.run()
        transport.send(request("1"), request("2"), cancel("1"))
        try await transport.until("the second is read") { transport.reads == 2 }
        for _ in 1...2000 { await Task.yield() }
        #expect(transport.lines == [])
        transport.leave()
        run.cancel()
        _ = await run.value
    }

    @Test func inOrder() async throws {
        let transport = await Transport(isOrdered: true)
        let run = transport.run()
        transport.send(request("1"), "no JSON", request("2"), cancel("2"), #"{"id": "s", "command": "stats"}"#)
        try await transport.until("five are read") { transport.reads == 5 }
        #expect(transport.lines == [])
        transport.send(cancel("1"))
        transport.end()
        #expect(try await transport.results(6).map { $0["line"] as? Int } == [1, 2, 3, 4, 5, 6])
        #expect(await run.value.failed == 1)
    }

    /// The client does not read answers: the session stops reading invalid lines once it owes the maximum number of
    /// answers.
    @Test func aFloodOfCommands() async throws {
        let transport = await Transport(limit: 1)
        transport.take(false)
        let run = transport.run()
        for _ in 1...1000 { transport.send(#"{"command": "resume"}"#) }
        try await transport.until("the session is full") { transport.reads > 100 }
        for _ in 1...2000 { await Task.yield() }
        #expect(transport.reads <= 103)
        transport.take(true)
        transport.end()
        _ = try await transport.results(1000)
        #expect(await run.value.lines == 1000)
    }

    @Test(arguments: [false, true]) func whenTheTransportGoesAllIsWithdrawn(byWriting: Bool) async throws {
        let transport = await Transport(limit: 100)
        let run = transport.run()
        transport.send(#"{"id": "s", "command": "suspend", "seconds": 3600}"#)
        for index in 1...20 { transport.send(request("\(index)")) }
        try await transport.until("all wait") { transport.renderer.waitingCount == 20 }
        transport.lease.end()
        #expect(transport.renderer.isSuspended)
        if byWriting {
            transport.leave()
            transport.send("no JSON")
        } else {
            run.cancel()
        }
        #expect(await run.value.isCutShort)
        #expect(transport.renderer.waitingCount == 0)
        #expect(!transport.renderer.isSuspended)
        #expect(transport.renderer.counters.started == 0)
        #expect(transport.lines.count == 1)
    }

    @Test func theEndEndsItsSuspensionsOnly() async throws {
        let transport = await Transport()
        let run = transport.run()
        transport.send(#"{"id": "s", "command": "suspend"}"#, request("1", "\"deadline\": 0.01"))
        transport.end()
        #expect(try await transport.ids(2) == ["s", "1"])
        #expect(await run.value.failed == 1)
        #expect(transport.renderer.isSuspended)
        transport.lease.end()
        #expect(!transport.renderer.isSuspended)
    }

    /// A command for a request that is not in the queue yet applies as soon as it is.
    @Test func ordersThatComeEarly() async throws {
        let transport = await Transport(limit: 1000)
        let run = transport.run()
        for index in 1...300 { transport.send(request("\(index)"), cancel("\(index)")) }
        transport.end()
        let ids = try await transport.ids(600)
        #expect(Set(ids).count == 600)
        #expect(await run.value.failed == 0)
        #expect(transport.renderer.waitingCount == 0)
    }

    /// The service has no folder for files and does not allow reading any.
    @Test func filesAreRefused() async throws {
        let transport = await Transport()
        let run = transport.run()
        transport.send(
            request("1", "\"output\": \"a.png\""), #"{"id": "2", "file": "a.html"}"#, request("3", "\"css\": \"a.css\"")
        )
        transport.end()
        let results = try await transport.results(3)
        #expect(results.allSatisfy { $0["code"] as? String == "invalid" })
        #expect(results[1]["error"] as? String == "line 2: \"file\" names a file, but requests cannot name files here")
        #expect(await run.value.failed == 3)
    }
}
