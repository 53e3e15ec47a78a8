import Offstage
import Testing

@Suite(.timeLimit(.minutes(15)))
struct CancellationTests {
    @Test func aWaitingRequestIsAnsweredAtOnceAndNeverDrawn() async throws {
        let gate = Gate()
        let engine = FakeEngine(gate: gate)
        let renderer = Renderer(engine: engine)
        async let running = renderer.picture(for: FakeRequest(identifier: "running"))
        await engine.started.wait(for: 1)
        let waiting = Task.immediate { try await renderer.picture(for: FakeRequest(identifier: "waiting")) }
        waiting.cancel()
        // The gate is closed, so an answer that waited for the drawing would never arrive.
        await #expect(throws: RenderError(identifier: "waiting", reason: .cancelled)) { try await waiting.value }
        await gate.open()
        _ = try await running
        _ = try await renderer.picture(for: FakeRequest(identifier: "next"))
        #expect(await engine.started.entries == ["running", "next"])
    }

    @Test func aRunningRequestIsAnsweredAtOnceAndTheNextIsDrawnAfterIt() async throws {
        let gate = Gate()
        let engine = FakeEngine(gate: gate)
        let renderer = Renderer(engine: engine)
        let running = Task { try await renderer.picture(for: FakeRequest(identifier: "running")) }
        await engine.started.wait(for: 1)
        running.cancel()
        await #expect(throws: RenderError(identifier: "running", reason: .cancelled)) { try await running.value }
        #expect(await engine.finished.entries == [])
        async let next = renderer.picture(for: FakeRequest(identifier: "next", width: 7))
        await gate.open()
        #expect(try await next.size.width == 7)
        // The engine draws one request at a time, and a cancelled drawing occupies its slot until it ends.
        #expect(await engine.finished.entries == ["running", "next"])
    }

    @Test func aTaskThatIsCancelledBeforeItAsksGetsNoPicture() async {
        let engine = FakeEngine()
        let renderer = Renderer(engine: engine)
        let gate = Gate()
        let task = Task {
            await gate.pass()
            return try await renderer.picture(for: FakeRequest(identifier: "a"))
        }
        task.cancel()
        await gate.open()
        await #expect(throws: RenderError(identifier: "a", reason: .cancelled)) { try await task.value }
        #expect(await engine.started.entries == [])
        #expect(renderer.counters.submitted == 1 && renderer.counters.cancelled == 1)
        let second = Gate()
        let files = Task {
            await second.pass()
            return try await renderer.files(
                for: FakeRequest(identifier: "b"), as: [FileVariant(.png())])
        }
        files.cancel()
        await second.open()
        await #expect(throws: RenderError(identifier: "b", reason: .cancelled)) { try await files.value }
        #expect(renderer.counters.submitted == 2 && renderer.counters.cancelled == 2)
    }

    @Test func requestsThatAreCancelledWhileSuspendedAreAnsweredAtOnceAndNeverDrawn() async throws {
        let engine = FakeEngine()
        let renderer = Renderer(engine: engine)
        renderer.isSuspended = true
        let tasks = renderer.ask(for: "0", "1", "2", "3")
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await reason(task) == .cancelled) }
        renderer.isSuspended = false
        // Requests are drawn one at a time and in order, so a cancelled one would have been drawn before this one.
        _ = try await renderer.picture(for: FakeRequest(identifier: "after"))
        #expect(await engine.started.entries == ["after"])
        #expect(renderer.counters.cancelled == 4)
    }

    @Test func aRowsJobsAreCancelledByWhatTheirNamesBeginWith() async throws {
        try await expect(left: ["row/2", "rows"]) { $0.cancel(identifiersWithPrefix: "row/1") }
    }

    @Test func oneIsCancelledByItsName() async throws {
        try await expect(left: ["row/1/b", "row/2", "rows"]) { $0.cancel(identifier: "row/1") }
    }

    @Test func aGroupIsCancelled() async throws {
        try await expect(left: ["row/1/b", "rows"]) { $0.cancel(group: "list") }
    }

    @Test func allAreCancelled() async throws {
        try await expect(left: []) { $0.cancelAll() }
    }

    @Test func manyAreCancelledInOneStepAndNothingStartsInTheirPlaces() async {
        let gate = Gate()
        let engine = FakeEngine(gate: gate)
        let renderer = Renderer(engine: engine)
        let running = renderer.ask(for: "running")
        await engine.started.wait(for: 1)
        let waiting = renderer.ask(for: "a", "b", "c")
        let kept = renderer.ask(for: "kept")
        renderer.cancel(running + waiting)
        // Cancelling twice makes no difference.
        renderer.cancel(waiting)
        for task in running + waiting { #expect(await reason(task) == .cancelled) }
        await gate.open()
        #expect(await reason(kept[0]) == nil)
        #expect(await engine.started.entries == ["running", "kept"])
        #expect(renderer.counters.cancelled == 4)
    }

    @Test func cancellingWhatIsOverChangesNothing() async throws {
        let renderer = Renderer(engine: FakeEngine())
        let task = renderer.ask(for: "a")[0]
        let image = try await task.picture
        task.cancel()
        renderer.cancelAll()
        #expect(try await task.picture.pixmap === image.pixmap)
        #expect(renderer.counters.cancelled == 0)
    }

    /// Four requests wait, two of them in a group; some are cancelled, the others are drawn.
    private func expect(left: [String], after cancel: (Renderer) -> Void) async throws {
        let engine = FakeEngine()
        let renderer = Renderer(engine: engine)
        renderer.isSuspended = true
        let group = RenderOptions(group: "list")
        let tasks =
            renderer.ask(for: "row/1", options: group) + renderer.ask(for: "row/1/b")
            + renderer.ask(for: "row/2", options: group) + renderer.ask(for: "rows")
        cancel(renderer)
        for task in tasks where !left.contains(task.identifier) { #expect(await reason(task) == .cancelled) }
        renderer.isSuspended = false
        for task in tasks where left.contains(task.identifier) { #expect(await reason(task) == nil) }
        await renderer.finish()
        #expect(await engine.started.entries == left)
    }
}
