import Offstage
import Testing

@Suite(.timeLimit(.minutes(15)))
struct CoalescingTests {
    private func request(_ identifier: String, _ key: String? = "same") -> FakeRequest {
        FakeRequest(identifier: identifier, width: 7, key: key)
    }

    @Test func theSameIsDrawnOnceForAllAndEachGetsItUnderItsOwnName() async throws {
        let gate = Gate()
        let engine = FakeEngine(capacity: 2, gate: gate)
        let renderer = Renderer(engine: engine)
        let first = renderer.task(for: request("first"))
        await engine.started.wait(for: 1)
        let others = ["second", "third"].map { renderer.task(for: request($0)) }
        await gate.open()
        #expect(try await first.picture.identifier == "first")
        #expect(try await others[0].picture.identifier == "second")
        #expect(try await others[1].picture.size.width == 7)
        #expect(await engine.started.entries == ["first"])
        #expect(renderer.counters.joined == 2)
        // A finished drawing cannot be joined.
        #expect(try await renderer.picture(for: request("fourth")).identifier == "fourth")
        #expect(await engine.started.entries == ["first", "fourth"])
    }

    @Test func whatHasNoKeyOrAnotherIsDrawnForItself() async throws {
        let engine = FakeEngine()
        let renderer = Renderer(engine: engine)
        renderer.isSuspended = true
        for (identifier, key) in [("a", nil), ("a", nil), ("a", "1"), ("a", "2"), ("a", "1")] {
            _ = renderer.task(for: request(identifier, key))
        }
        renderer.isSuspended = false
        await renderer.finish()
        #expect(await engine.started.entries.count == 4)
    }

    @Test func anErrorIsForAllAndNamesEach() async throws {
        let engine = FakeEngine(errors: ["first": .empty])
        let renderer = Renderer(engine: engine)
        renderer.isSuspended = true
        let tasks = ["first", "second"].map { renderer.task(for: request($0)) }
        renderer.isSuspended = false
        await #expect(throws: RenderError(identifier: "first", reason: .empty)) { try await tasks[0].picture }
        await #expect(throws: RenderError(identifier: "second", reason: .empty)) { try await tasks[1].picture }
    }

    @Test(arguments: [0, 1])
    func waitingWorkGoesOnUntilAllHaveCancelled(first: Int) async throws {
        let engine = FakeEngine()
        let renderer = Renderer(engine: engine)
        renderer.isSuspended = true
        let kept = ["a", "b"].map { renderer.task(for: request($0, "kept")) }
        let dropped = ["c", "d"].map { renderer.task(for: request($0, "dropped")) }
        kept[first].cancel()
        dropped[first].cancel()
        dropped[1 - first].cancel()
        #expect(await reason(kept[first]) == .cancelled)
        for task in dropped { #expect(await reason(task) == .cancelled) }
        renderer.isSuspended = false
        #expect(try await kept[1 - first].picture.size.width == 7)
        await renderer.finish()
        #expect(await engine.started.entries == ["a"])
    }

    @Test func workThatRunsForNobodyIsJoinedByWhoComesThen() async throws {
        let gate = Gate()
        let engine = FakeEngine(capacity: 2, gate: gate)
        let renderer = Renderer(engine: engine)
        let task = renderer.task(for: request("first"))
        await engine.started.wait(for: 1)
        task.cancel()
        #expect(await reason(task) == .cancelled)
        let next = renderer.task(for: request("next"))
        await gate.open()
        #expect(try await next.picture.identifier == "next")
        #expect(await engine.started.entries == ["first"])
    }

    @Test func whoAsksForChangedContentIsNotGivenADrawingThatBeganBefore() async throws {
        let (gate, version) = (Gate(), Version())
        let engine = VersionedEngine(version: version, gate: gate)
        let renderer = Renderer(engine: engine)
        let row = VersionedRow(identifier: "row", width: 20)
        let before = renderer.task(for: row)
        await engine.started.wait(for: 1)
        version.raise()
        let after = renderer.task(for: row)
        let lease = renderer.suspend()
        await gate.open(for: "row")
        #expect(try await before.picture.size.height == 1)
        // The second request waits in the queue like any other.
        for _ in 0..<100 { await Task.yield() }
        #expect(await engine.started.entries.count == 1)
        lease.end()
        await gate.open()
        #expect(try await after.picture.size.height == 2)
        #expect(await engine.started.entries.count == 2)
    }

    @Test func whoJoinsADrawingThatFailsIsDrawnForAgain() async throws {
        let gate = Gate()
        let engine = FakeEngine(gate: gate, errors: ["first": .empty])
        let renderer = Renderer(engine: engine)
        let first = renderer.task(for: request("first"))
        await engine.started.wait(for: 1)
        let second = renderer.task(for: request("second"))
        await gate.open()
        #expect(await reason(first) == .empty)
        #expect(try await second.picture.identifier == "second")
        await renderer.finish()
        #expect(await engine.started.entries == ["first", "second"])
    }

    @Test func thePriorityIsTheHighestOfThoseWhoWait() async {
        let engine = FakeEngine()
        let renderer = Renderer(engine: engine)
        renderer.isSuspended = true
        func ask(_ identifier: String, _ priority: RenderPriority, _ key: String?) -> RenderTask<[RenderedPicture]> {
            renderer.task(for: request(identifier, key), options: RenderOptions(priority: priority))
        }
        let rising = [ask("rising", .low, "1"), ask("", .high, "1")]
        let falling = [ask("falling", .low, "2"), ask("", .veryHigh, "2")]
        let lowered = [ask("lowered", .veryLow, "3"), ask("", .veryHigh, "3")]
        _ = ask("normal", .normal, nil)
        falling[1].cancel()
        lowered[1].setPriority(.veryLow)
        renderer.isSuspended = false
        await renderer.finish()
        #expect(await engine.started.entries == ["rising", "normal", "falling", "lowered"])
        withExtendedLifetime((rising, lowered)) {}
    }

    @Test func oneWhoIsInAHurryTakesTheOthersAlong() async throws {
        let engine = FakeEngine()
        let renderer = Renderer(engine: engine)
        let lease = renderer.suspend()
        let waiting = renderer.task(for: request("waiting"))
        let immediate = renderer.task(for: request("immediate"), options: RenderOptions(isImmediate: true))
        #expect(try await immediate.picture.identifier == "immediate")
        #expect(try await waiting.picture.identifier == "waiting")
        lease.end()
    }

    @Test func whoIsInAHurryNoMoreLeavesTheOthersSuspended() async throws {
        let gate = Gate()
        let engine = FakeEngine(gate: gate)
        let renderer = Renderer(engine: engine)
        let running = renderer.task(for: FakeRequest(identifier: "running"))
        await engine.started.wait(for: 1)
        let lease = renderer.suspend()
        let waiting = renderer.task(for: request("waiting"))
        renderer.task(for: request("immediate"), options: RenderOptions(isImmediate: true)).cancel()
        await gate.open()
        _ = try await running.picture
        for _ in 0..<200 { await Task.yield() }
        #expect(await engine.started.entries == ["running"])
        lease.end()
        _ = try await waiting.picture
    }
}
