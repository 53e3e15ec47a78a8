import Offstage
import Testing

@Suite(.timeLimit(.minutes(15)))
struct QueueLimitTests {
    private func renderer(_ engine: FakeEngine, maximumWaiting: Int) -> Renderer {
        var configuration = RendererConfiguration()
        configuration.maximumWaiting = maximumWaiting
        return Renderer(engine: engine, configuration: configuration)
    }

    @Test func theOldestOfTheLowestPriorityMakesRoom() async {
        let engine = FakeEngine()
        let renderer = renderer(engine, maximumWaiting: 3)
        renderer.isSuspended = true
        let high = renderer.ask(for: "high", options: RenderOptions(priority: .high))
        let low = renderer.ask(for: "low 1", "low 2", options: RenderOptions(priority: .low))
        let equal = renderer.ask(for: "low 3", options: RenderOptions(priority: .low))
        #expect(await reason(low[0]) == .queueFull(limit: 3))
        let normal = renderer.ask(for: "normal")
        #expect(await reason(low[1]) == .queueFull(limit: 3))
        // A request with a lower priority than all waiting ones fails itself.
        let lowest = renderer.ask(for: "lowest", options: RenderOptions(priority: .veryLow))
        #expect(await reason(lowest[0]) == .queueFull(limit: 3))
        renderer.isSuspended = false
        for task in high + equal + normal { #expect(await reason(task) == nil) }
        #expect(await engine.started.entries == ["high", "normal", "low 3"])
        #expect(renderer.counters.failed == 3)
    }

    @Test func joiningNeedsNoRoomAndWhoJoinedLosesItTogether() async {
        let renderer = renderer(FakeEngine(), maximumWaiting: 1)
        renderer.isSuspended = true
        let tasks = ["a", "b"].map { renderer.task(for: FakeRequest(identifier: $0, key: "same")) }
        #expect(tasks.allSatisfy { !$0.isOver })
        _ = renderer.ask(for: "other")
        for task in tasks { #expect(await reason(task) == .queueFull(limit: 1)) }
        renderer.isSuspended = false
        await renderer.finish()
    }

    @Test func whatStartsAtOnceDoesNotWait() async {
        let gate = Gate()
        let engine = FakeEngine(capacity: 3, gate: gate)
        let renderer = renderer(engine, maximumWaiting: 1)
        let tasks = renderer.ask(for: "0", "1", "2", "3")
        await engine.started.wait(for: 3)
        #expect(tasks.allSatisfy { !$0.isOver })
        await gate.open()
        for task in tasks { #expect(await reason(task) == nil) }
    }

    /// A second request of the lowest priority waits although a slot is free. When another such request arrives, the
    /// queue is full and the second one is refused.
    @Test func theLowestPriorityWaitsBesideAFreePlace() async {
        let gate = Gate()
        let engine = FakeEngine(capacity: 2, gate: gate)
        let renderer = renderer(engine, maximumWaiting: 1)
        let lowest = RenderOptions(priority: .veryLow)
        let ahead = renderer.ask(for: "0", "1", options: lowest)
        await engine.started.wait(for: 1)
        let more = renderer.ask(for: "2", options: lowest)
        #expect(await reason(ahead[1]) == .queueFull(limit: 1))
        let urgent = renderer.ask(for: "urgent")
        await engine.started.wait(for: 2)
        #expect(await engine.started.entries == ["0", "urgent"])
        #expect(!more[0].isOver)
        await gate.open()
        for task in [ahead[0], more[0], urgent[0]] { #expect(await reason(task) == nil) }
    }

    @Test func theErrorSaysWhatToDo() {
        #expect(
            "\(DrawingError.queueFull(limit: 3))"
                == "3 requests are already waiting, and this one was the least urgent; try again later")
        #expect("\(DrawingError.finished)" == "the renderer is finished; make another one")
    }
}
