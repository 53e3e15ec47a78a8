import Foundation
import Synchronization
import Testing

@testable import OffstageService

/// A small amount of memory for a client's lines and results.
final class LittleMemory: LineMemory {
    private let limit: Int
    private let state = Mutex((used: 0, most: 0))

    init(_ limit: Int) { self.limit = limit }

    var used: Int { state.withLock { $0.used } }
    /// The largest number of bytes that were in use.
    var most: Int { state.withLock { $0.most } }

    private func take(_ bytes: Int) -> Bool {
        state.withLock { state in
            if state.used + bytes > limit { return false }
            state.used += bytes
            state.most = max(state.most, state.used)
            return true
        }
    }

    func reserve(_ bytes: Int) -> (any LineReservation)? { take(bytes) ? Reservation(self, bytes) : nil }

    private final class Reservation: LineReservation {
        private let memory: LittleMemory
        private let bytes: Mutex<Int>

        init(_ memory: LittleMemory, _ bytes: Int) {
            self.memory = memory
            self.bytes = Mutex(bytes)
        }

        deinit {
            let bytes = bytes.withLock { $0 }
            memory.state.withLock { $0.used -= bytes }
        }

        func grow(by count: Int) -> Bool {
            guard memory.take(count) else { return false }
            bytes.withLock { $0 += count }
            return true
        }
    }
}

/// Lines and results take memory from the client's share and free it again.
@Suite struct LineMemoryTests {
    private static func long(_ id: String, _ bytes: Int, _ more: String = "") -> String {
        request(id, "\"selector\": \"\(String(repeating: "x", count: bytes))\"" + more)
    }

    @Test func aLineIsChargedAsItArrives() {
        let memory = LittleMemory(100)
        var splitter = LineSplitter(limit: 1000, memory: memory)
        #expect(splitter.split(Data("1234".utf8)).isEmpty && memory.used == 4)
        #expect(splitter.split(Data("567890".utf8)).isEmpty && memory.used == 10)
        var lines = splitter.split(Data("\nab\n \n\n".utf8))
        #expect(lines.map(\.number) == [1, 2] && memory.used == 12)
        lines = []
        #expect(memory.used == 0)
        // Announced bytes do not reserve memory.
        #expect(splitter.split(Data(repeating: 0x78, count: 100)).isEmpty && memory.used == 100)
        splitter.add(Data("yz\nnext\n".utf8))
        guard case .needsMemory = splitter.next() else {
            Issue.record("it has memory")
            return
        }
        guard case .needsMemory = splitter.next() else {
            Issue.record("it has memory")
            return
        }
        let given = splitter.skipLine()
        #expect(given.number == 5 && given.content == .noMemory && memory.used == 0)
        guard case .line(let next) = splitter.next() else {
            Issue.record("no line")
            return
        }
        #expect(next.number == 6 && next.content == .bytes(Data("next".utf8)))
    }

    /// The memory is freed in time.
    @Test func aLineGoesOnWhenThereIsMemory() {
        let memory = LittleMemory(10)
        var other = memory.reserve(5)
        var splitter = LineSplitter(limit: 1000, memory: memory)
        splitter.add(Data("12345678\n".utf8))
        guard case .needsMemory = splitter.next() else {
            Issue.record("it has memory")
            return
        }
        #expect(other != nil)
        other = nil
        guard case .line(let line) = splitter.next() else {
            Issue.record("no line")
            return
        }
        #expect(line.content == .bytes(Data("12345678".utf8)) && memory.used == 8)
    }

    /// Other sessions use the memory, and nothing in this session will free any.
    @Test func aLineWithoutMemoryIsAnswered() async throws {
        let memory = LittleMemory(2000)
        let transport = await Transport(isOrdered: true, memory: memory)
        let run = transport.run()
        transport.send(Self.long("1", 3000), #"{"id": "2", "command": "stats"}"#)
        transport.end()
        let results = try await transport.results(2)
        #expect(results[0]["line"] as? Int == 1 && results[0]["code"] as? String == "memory-full")
        #expect(
            results[0]["error"] as? String
                == "line 1: no memory is left for the line: this client's lines in progress and unread results use up its "
                + "share; read the results, then send the line again, or send smaller lines")
        #expect(results[1]["status"] as? String == "done")
        #expect(await run.value.failed == 1)
        #expect(memory.used == 0)
    }

    /// The session's own earlier requests use the memory, so the line waits for them, as it would for a slot.
    @Test func aLineWaitsForTheSessionsOwnMemory() async throws {
        let memory = LittleMemory(3000)
        let transport = await Transport(memory: memory)
        let run = transport.run()
        for id in 1...6 { transport.send(Self.long("\(id)", 2000, ", \"deadline\": 0.05")) }
        transport.end()
        let results = try await transport.results(6)
        #expect(results.allSatisfy { $0["code"] as? String == "late" }, "\(transport.lines)")
        #expect(await run.value.failed == 6)
        #expect(memory.used == 0)
        #expect(memory.most > 2000)
    }

    /// The earlier requests wait for a command that is in a later line.
    @Test func aLineDoesNotWaitForTheSessionsOwnSuspension() async throws {
        let transport = await Transport(memory: LittleMemory(3000))
        let run = transport.run()
        transport.send(#"{"id": "s", "command": "suspend", "seconds": 3600}"#, Self.long("1", 2000))
        try await transport.until("the first waits") { transport.renderer.waitingCount == 1 }
        transport.send(Self.long("2", 2000), #"{"id": "r", "command": "resume"}"#, cancel("1"))
        transport.end()
        let results = try await transport.results(5)
        let codes = Dictionary(
            uniqueKeysWithValues: results.map { ($0["id"] as? String ?? "-", $0["code"] as? String ?? "done") })
        // A result has no id if the line's content was not read.
        #expect(codes == ["s": "done", "1": "cancelled", "-": "memory-full", "r": "done", "cancel 1": "done"])
        _ = await run.value
    }

    /// A request keeps its memory until its result has been written, not only until it is known.
    @Test func aRequestHasMemoryUntilItsResultIsWritten() async throws {
        let memory = LittleMemory(1 << 20)
        let transport = await Transport(memory: memory)
        transport.take(false)
        let run = transport.run()
        transport.send(Self.long("1", 3000, ", \"width\": 0"))
        transport.end()
        // Memory for the line and its result.
        try await transport.until("the result waits") { memory.used > 3100 }
        transport.take(true)
        _ = try await transport.results(1)
        _ = await run.value
        #expect(memory.used == 0)
    }

    /// The client does not read its results, so no more lines are read than there is memory for.
    @Test(arguments: [false, true]) func unreadResultsStopReading(isOrdered: Bool) async throws {
        let memory = LittleMemory(2000)
        let transport = await Transport(isOrdered: isOrdered, memory: memory)
        transport.take(false)
        let run = transport.run()
        for _ in 1...90 { transport.send(#"{"command": "resume"}"#) }
        transport.end()
        try await transport.until("the memory is used up") { memory.used > 1800 }
        for _ in 1...2000 { await Task.yield() }
        #expect(transport.reads < 20)
        transport.take(true)
        let results = try await transport.results(90)
        #expect(results.allSatisfy { $0["code"] as? String == "invalid" })
        #expect(await run.value.lines == 90)
        #expect(memory.used == 0)
    }
}
