import Offstage
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CancellationTests {
    @Test func aWaitingRequestIsAnsweredAtOnceAndNeverDrawn() async throws {
        let gate = Gate()
        let engine = FakeEngine(gate: gate)
        let renderer = Renderer(engine: engine)
        async let running = renderer.image(for: FakeRequest(identifier: "running"))
        await engine.started.wait(for: 1)
        let waiting = Task.immediate { try await renderer.image(for: FakeRequest(identifier: "waiting")) }
        waiting.cancel()
        // The gate is shut: an answer that waited for its turn would never come.
        await #expect(throws: RenderError(identifier: "waiting", reason: .cancelled)) { try await waiting.value }
        await gate.open()
        _ = try await running
        _ = try await renderer.image(for: FakeRequest(identifier: "next"))
        #expect(await engine.started.entries == ["running", "next"])
    }

    @Test func aRunningRequestIsAnsweredAtOnceAndTheNextIsDrawnAfterIt() async throws {
        let gate = Gate()
        let engine = FakeEngine(gate: gate)
        let renderer = Renderer(engine: engine)
        let running = Task { try await renderer.image(for: FakeRequest(identifier: "running")) }
        await engine.started.wait(for: 1)
        running.cancel()
        await #expect(throws: RenderError(identifier: "running", reason: .cancelled)) { try await running.value }
        #expect(await engine.finished.entries == [])
        async let next = renderer.image(for: FakeRequest(identifier: "next", width: 7))
        await gate.open()
        #expect(try await next.size.width == 7)
        // The engine draws one at a time: what was cancelled kept its place to its end.
        #expect(await engine.finished.entries == ["running", "next"])
    }

    @Test func aTaskThatIsCancelledBeforeItAsksGetsNoPicture() async {
        let engine = FakeEngine()
        let renderer = Renderer(engine: engine)
        let gate = Gate()
        let task = Task {
            await gate.pass()
            return try await renderer.image(for: FakeRequest(identifier: "a"))
        }
        task.cancel()
        await gate.open()
        await #expect(throws: RenderError(identifier: "a", reason: .cancelled)) { try await task.value }
        #expect(await engine.started.entries == [])
    }

    @Test func workThatIsCancelledWhileSuspendedIsAnsweredAtOnceAndNeverRuns() async {
        let queue = RenderQueue(width: 1)
        queue.isSuspended = true
        let started = Journal()
        // At once up to their first wait: they stand in the queue when they are cancelled.
        let tasks = (0..<10).map { number in Task.immediate { await queue.run { await started.note("\(number)") } } }
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value == nil) }
        queue.isSuspended = false
        // One at a time and in order: had one of them run, it would stand before this one.
        await queue.run { await started.note("after") }
        #expect(await started.entries == ["after"])
    }
}
