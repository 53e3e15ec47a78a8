import Offstage
import Testing

/// Requests of several types share one renderer: its queue, priorities, groups and suspension.
@Suite(.timeLimit(.minutes(5)))
struct LaneTests {
    private let gate = Gate()

    /// The order in which the two engines started drawings.
    private func started(_ renderer: Renderer) -> Task<[String], Never> {
        Task { [events = renderer.events(buffering: .max)] in
            var names: [String] = []
            for await event in events where event.kind == .started { names.append(event.identifier) }
            return names
        }
    }

    private func renderer(_ widths: (one: Int, other: Int) = (1, 1), width: Int? = nil) -> Renderer {
        var configuration = RendererConfiguration()
        configuration.width = width
        return Renderer(
            engines: [FakeEngine(capacity: widths.one, gate: gate), ContentEngine(capacity: widths.other, gate: gate)],
            configuration: configuration)
    }

    private func one(_ name: String) -> any DrawingRequest { FakeRequest(identifier: name) }
    private func other(_ name: String) -> any DrawingRequest { ContentRequest(identifier: name) }

    @Test func eachRequestIsDrawnByItsEngine() async throws {
        await gate.open()
        let renderer = renderer()
        #expect(try await renderer.picture(for: one("a")).size == PixelSize(width: 1, height: 1))
        #expect(try await renderer.picture(for: other("a")).size == PixelSize(width: 20, height: 10))
        await renderer.finish()
    }

    @Test func aRequestWithoutAnEngineFails() async throws {
        let renderer = Renderer(engine: ContentEngine())
        let error = await #expect(throws: RenderError.self) { try await renderer.picture(for: one("a")) }
        guard case .unavailable(let reason)? = error?.reason else {
            Issue.record("\(error!)")
            return
        }
        #expect(reason.problem == "the renderer has no engine for a request of type FakeRequest")
        await renderer.finish()
    }

    @Test func equalKeysOfDifferentTypesAreDifferentWork() async throws {
        await gate.open()
        let renderer = renderer()
        renderer.isSuspended = true
        let tasks = [
            renderer.task(for: FakeRequest(identifier: "a", key: "k")),
            renderer.task(for: ContentRequest(identifier: "b", key: "k")),
        ]
        renderer.isSuspended = false
        #expect(try await tasks[0].picture.size != tasks[1].picture.size)
        await renderer.finish()
        #expect(renderer.counters.joined == 0)
    }

    @Test func theMostUrgentGoesFirstWhicheverEngineDrawsIt() async {
        await gate.open()
        let renderer = renderer(width: 1)
        let order = started(renderer)
        renderer.isSuspended = true
        for (name, priority) in [("a", RenderPriority.low), ("b", .high), ("c", .normal)] {
            _ = renderer.task(for: one("one \(name)"), options: RenderOptions(priority: priority))
            _ = renderer.task(for: other("other \(name)"), options: RenderOptions(priority: priority))
        }
        renderer.isSuspended = false
        await renderer.finish()
        #expect(await order.value == ["one b", "other b", "one c", "other c", "one a", "other a"])
    }

    @Test func anEngineWithoutRoomDoesNotHoldUpTheOther() async {
        let renderer = renderer((one: 1, other: 2), width: 3)
        let order = started(renderer)
        renderer.isSuspended = true
        for number in 1...3 {
            _ = renderer.task(for: one("one \(number)"), options: RenderOptions(priority: .high))
            _ = renderer.task(for: other("other \(number)"))
        }
        renderer.isSuspended = false
        while renderer.runningCount < 3 { await Task.yield() }
        #expect(renderer.waitingCount == 3)
        await gate.open()
        await renderer.finish()
        #expect(Set(await order.value.prefix(3)) == ["one 1", "other 1", "other 2"])
    }

    @Test func allEnginesTogetherKeepTheRenderersWidth() async {
        let renderer = renderer((one: 2, other: 2), width: 3)
        for number in 1...4 {
            _ = renderer.task(for: one("one \(number)"))
            _ = renderer.task(for: other("other \(number)"))
        }
        while renderer.runningCount < 3 { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
        #expect(renderer.runningCount == 3)
        await gate.open()
        await renderer.finish()
        #expect(renderer.counters.drawn == 8)
    }

    @Test func theOldestHasItsTurnThoughAnotherEnginesUrgentOnesKeepComing() async {
        await gate.open()
        let renderer = renderer(width: 1)
        let order = started(renderer)
        renderer.isSuspended = true
        _ = renderer.task(for: one("low"), options: RenderOptions(priority: .low))
        for number in 1...40 {
            _ = renderer.task(for: other("high \(number)"), options: RenderOptions(priority: .high))
        }
        renderer.isSuspended = false
        await renderer.finish()
        #expect(await order.value.firstIndex(of: "low") == 16)
    }

    @Test func suspensionAndCancelMeanAllEngines() async {
        let renderer = renderer()
        renderer.isSuspended = true
        let options = RenderOptions(group: "list")
        let tasks = [
            renderer.task(for: one("a"), options: options), renderer.task(for: other("b"), options: options),
            renderer.task(for: other("c")),
        ]
        for _ in 0..<50 { await Task.yield() }
        #expect(renderer.runningCount == 0 && renderer.waitingCount == 3)
        renderer.cancel(group: "list")
        #expect(await reason(tasks[0]) == .cancelled)
        #expect(await reason(tasks[1]) == .cancelled)
        await gate.open()
        renderer.isSuspended = false
        #expect(await reason(tasks[2]) == nil)
        await renderer.finish()
    }

    @Test func theLimitOfWaitingRequestsIsOneForAllEngines() async {
        var configuration = RendererConfiguration()
        configuration.maximumWaiting = 2
        let renderer = Renderer(engines: [FakeEngine(), ContentEngine()], configuration: configuration)
        renderer.isSuspended = true
        let low = renderer.task(for: other("low"), options: RenderOptions(priority: .low))
        let first = renderer.task(for: one("a"))
        let second = renderer.task(for: one("b"))
        #expect(await reason(low) == .queueFull(limit: 2))
        renderer.isSuspended = false
        #expect(await reason(first) == nil)
        #expect(await reason(second) == nil)
        await renderer.finish()
    }
}
