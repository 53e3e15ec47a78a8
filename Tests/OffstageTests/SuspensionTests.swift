import Offstage
import Testing

@Suite(.timeLimit(.minutes(15)))
struct SuspensionTests {
    let engine = FakeEngine(capacity: 2)

    @Test func nothingStartsWhileSuspendedAndAllIsDrawnAfter() async {
        let renderer = Renderer(engine: engine)
        renderer.isSuspended = true
        #expect(renderer.isSuspended)
        let tasks = renderer.ask(for: "0", "1", "2", "3")
        await expectNothingStarts()
        renderer.isSuspended = false
        for task in tasks { #expect(await reason(task) == nil) }
        #expect(await engine.started.entries.count == 4)
    }

    @Test func whatRunsIsFinishedWhileSuspended() async throws {
        let gate = Gate()
        let engine = FakeEngine(gate: gate)
        let renderer = Renderer(engine: engine)
        let tasks = renderer.ask(for: "running", "waiting")
        await engine.started.wait(for: 1)
        let lease = renderer.suspend()
        await gate.open()
        #expect(try await tasks[0].picture.identifier == "running")
        for _ in 0..<200 { await Task.yield() }
        #expect(await engine.started.entries == ["running"])
        lease.end()
        #expect(try await tasks[1].picture.identifier == "waiting")
    }

    @Test func theStrictestLimitAppliesAndItsEndStartsTheOthers() async throws {
        let gate = Gate()
        let engine = FakeEngine(capacity: 3, gate: gate)
        let renderer = Renderer(engine: engine)
        let (one, two) = (renderer.limitDrawings(to: 1), renderer.limitDrawings(to: 2))
        let tasks = renderer.ask(for: "0", "1", "2")
        await engine.started.wait(for: 1)
        for _ in 0..<200 { await Task.yield() }
        #expect(!renderer.isSuspended)
        #expect(renderer.runningCount == 1)
        one.end()
        await engine.started.wait(for: 2)
        for _ in 0..<200 { await Task.yield() }
        #expect(renderer.runningCount == 2)
        two.end()
        await engine.started.wait(for: 3)
        await gate.open()
        for task in tasks { #expect(await reason(task) == nil) }
    }

    @Test func theLastLeaseThatEndsLetsItGoOn() async {
        let renderer = Renderer(engine: engine)
        let leases = [renderer.suspend(), renderer.suspend()]
        renderer.isSuspended = true
        let tasks = renderer.ask(for: "0")
        leases[0].end()
        // Ending a lease twice has the effect of ending it once: the other lease stays.
        leases[0].end()
        #expect(leases.map(\.isActive) == [false, true])
        renderer.isSuspended = false
        #expect(renderer.isSuspended)
        await expectNothingStarts()
        leases[1].end()
        #expect(!renderer.isSuspended)
        #expect(await reason(tasks[0]) == nil)
    }

    @Test func theSimpleFormHoldsOneLeaseHoweverOftenItIsSet() {
        let renderer = Renderer(engine: engine)
        renderer.isSuspended = true
        renderer.isSuspended = true
        let lease = renderer.suspend()
        lease.end()
        #expect(renderer.isSuspended)
        renderer.isSuspended = false
        #expect(!renderer.isSuspended)
    }

    @Test func aLeaseThatIsLetGoHasEnded() async {
        let renderer = Renderer(engine: engine)
        do {
            let lease = renderer.suspend()
            #expect(lease.isActive && renderer.isSuspended)
        }
        #expect(!renderer.isSuspended)
    }

    @Test func aLeaseEndsByItselfWhenItsTimeIsOver() async {
        let clock = ManualClock()
        var configuration = RendererConfiguration()
        configuration.clock = clock
        let renderer = Renderer(engine: engine, configuration: configuration)
        let short = renderer.suspend(for: .seconds(1))
        let long = renderer.suspend(for: .seconds(3))
        let tasks = renderer.ask(for: "0")
        clock.advance(by: .milliseconds(999))
        await expectNothingStarts()
        clock.advance(by: .milliseconds(1))
        while short.isActive { await Task.yield() }
        #expect(long.isActive && renderer.isSuspended)
        await expectNothingStarts()
        clock.advance(by: .seconds(2))
        // Nothing ends this lease explicitly; it expires.
        #expect(await reason(tasks[0]) == nil)
        #expect(!long.isActive && !renderer.isSuspended)
    }

    @Test func whatIsImmediatePassesAndTheRestWaits() async throws {
        let renderer = Renderer(engine: engine)
        let lease = renderer.suspend()
        let waiting = renderer.ask(for: "waiting", options: RenderOptions(priority: .veryHigh))
        let immediate = renderer.ask(for: "immediate", options: RenderOptions(isImmediate: true))
        #expect(try await immediate[0].picture.identifier == "immediate")
        #expect(await engine.started.entries == ["immediate"])
        lease.end()
        _ = try await waiting[0].picture
    }

    @Test func whatIsImmediateWaitsWhereTheRendererDoesNotAllowIt() async {
        var configuration = RendererConfiguration()
        configuration.allowsImmediate = false
        let renderer = Renderer(engine: engine, configuration: configuration)
        let lease = renderer.suspend()
        let tasks = renderer.ask(for: "immediate", options: RenderOptions(isImmediate: true))
        await expectNothingStarts()
        lease.end()
        #expect(await reason(tasks[0]) == nil)
    }

    /// Yields, so that anything that could start now would start.
    private func expectNothingStarts() async {
        for _ in 0..<200 { await Task.yield() }
        #expect(await engine.started.entries == [])
    }
}
