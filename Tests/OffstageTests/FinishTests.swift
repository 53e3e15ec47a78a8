import Offstage
import Testing

@Suite(.timeLimit(.minutes(15)))
struct FinishTests {
    @Test func finishingWaitsForWhatIsPendingAndThenEndsTheEngine() async {
        let gate = Gate()
        let engine = FakeEngine(gate: gate)
        let renderer = Renderer(engine: engine)
        let tasks = renderer.ask(for: "running", "waiting")
        await engine.started.wait(for: 1)
        let finish = Task.immediate { await renderer.finish() }
        await gate.open()
        await finish.value
        for task in tasks { #expect(await reason(task) == nil) }
        #expect(await engine.finished.entries == ["running", "waiting", "shut down"])
    }

    @Test func finishingRefusesWhatIsPendingAndEndsWhatRuns() async {
        let gate = Gate()
        let engine = FakeEngine(gate: gate)
        let renderer = Renderer(engine: engine)
        let tasks = renderer.ask(for: "running", "waiting")
        await engine.started.wait(for: 1)
        let finish = Task.immediate { await renderer.finish(.cancelled) }
        // The gate is closed: the answers do not wait for the drawing.
        for task in tasks { #expect(await reason(task) == .cancelled) }
        // The engine shuts down before its drawing ends, so that it can stop the drawing.
        await engine.finished.wait(for: 1)
        #expect(await engine.finished.entries == ["shut down"])
        await gate.open()
        await finish.value
        #expect(await engine.finished.entries == ["shut down", "running", "shut down"])
    }

    @Test func whatIsAskedForAfterwardsIsRefused() async {
        let gate = Gate()
        let engine = FakeEngine(gate: gate)
        let renderer = Renderer(engine: engine)
        _ = renderer.ask(for: "running")
        let finish = Task.immediate { await renderer.finish() }
        await #expect(throws: RenderError(identifier: "late", reason: .finished)) {
            try await renderer.picture(for: FakeRequest(identifier: "late"))
        }
        await gate.open()
        await finish.value
        #expect(await reason(renderer.ask(for: "later")[0]) == .finished)
        #expect(await engine.started.entries == ["running"])
    }

    @Test func aSecondFinishCancelsWhatAFirstOneWaitsForAndTheEngineEndsOnce() async {
        let engine = FakeEngine()
        let renderer = Renderer(engine: engine)
        let lease = renderer.suspend()
        let tasks = renderer.ask(for: "waiting")
        let first = Task.immediate { await renderer.finish() }
        await renderer.finish(.cancelled)
        await first.value
        #expect(await reason(tasks[0]) == .cancelled)
        #expect(await engine.finished.entries == ["shut down"])
        lease.end()
    }

    @Test func nothingIsKeptAliveByARendererThatIsLetGo() async throws {
        weak var request: Token?
        weak var engine: Token?
        do {
            let tokens = (request: Token(), engine: Token())
            (request, engine) = tokens
            let renderer = Renderer(engine: FakeEngine(token: tokens.engine))
            _ = try await renderer.picture(for: FakeRequest(identifier: "drawn", token: tokens.request))
            renderer.isSuspended = true
            renderer.task(for: FakeRequest(identifier: "cancelled", token: tokens.request)).cancel()
            _ = renderer.suspend(for: .seconds(3600))
            await renderer.finish()
        }
        // The last operation is released on its own thread.
        while request != nil || engine != nil { await Task.yield() }
    }
}
