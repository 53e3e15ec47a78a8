import Offstage
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(15)))
struct RenderQueueTests {
    @Test(arguments: [1, 2, 4])
    func asMuchRunsAtOnceAsTheEngineCanDrawAndNoMore(width: Int) async {
        let gate = Gate()
        let engine = FakeEngine(capacity: width, gate: gate)
        let renderer = Renderer(engine: engine)
        let tasks = (0..<40).map { renderer.task(for: FakeRequest(identifier: "\($0)")) }
        for number in 0..<40 {
            // At most `width` drawings run, and the next one starts only when one of them has ended.
            await engine.started.wait(for: min(40, number + width))
            for _ in 0..<20 { await Task.yield() }
            #expect(await engine.started.entries.count == min(40, number + width))
            await gate.open(for: "\(number)")
            #expect(await reason(tasks[number]) == nil)
        }
    }

    @Test func whatIsUrgentIsDrawnBeforeWhatCameEarlierAndEqualsInTheirOrder() async {
        let (engine, renderer) = suspended()
        for priority in RenderPriority.allCases {
            _ = renderer.ask(for: "\(priority) 1", "\(priority) 2", options: RenderOptions(priority: priority))
        }
        renderer.isSuspended = false
        await renderer.finish()
        let order: [RenderPriority] = [.veryHigh, .high, .normal, .low, .veryLow]
        #expect(await engine.started.entries == order.flatMap { ["\($0) 1", "\($0) 2"] })
    }

    @Test func aPriorityCanBeChangedWhileWaitingAndTheRequestKeepsItsAge() async {
        let (engine, renderer) = suspended()
        let tasks = renderer.ask(for: "0", "1", "2", "3", "4", "5")
        tasks[4].setPriority(.high)
        tasks[1].setPriority(.veryLow)
        tasks[3].setPriority(.high)
        // A request whose priority is lowered and restored keeps its old position.
        tasks[2].setPriority(.veryLow)
        tasks[2].setPriority(.normal)
        renderer.isSuspended = false
        await renderer.finish()
        #expect(await engine.started.entries == ["3", "4", "0", "2", "5", "1"])
    }

    @Test func prioritiesAreChangedByNameAndByGroup() async {
        let (engine, renderer) = suspended()
        _ = renderer.ask(for: "0", "1", "2")
        _ = renderer.ask(for: "3", "4", options: RenderOptions(group: "list"))
        renderer.setPriority(.low, group: "list")
        renderer.setPriority(.high, identifier: "4")
        renderer.setPriority(.veryLow, identifier: "1")
        renderer.isSuspended = false
        await renderer.finish()
        #expect(await engine.started.entries == ["4", "0", "2", "3", "1"])
    }

    @Test func whatIsLowIsDrawnThoughUrgentOnesKeepComing() async {
        let gate = Gate()
        let engine = FakeEngine(gate: gate)
        let renderer = Renderer(engine: engine)
        _ = renderer.ask(for: "first")
        await engine.started.wait(for: 1)
        _ = renderer.ask(for: "low", options: RenderOptions(priority: .veryLow))
        var running = "first"
        // An urgent request is always waiting.
        for number in 0..<40 {
            _ = renderer.ask(for: "\(number)", options: RenderOptions(priority: .veryHigh))
            await gate.open(for: running)
            await engine.started.wait(for: number + 2)
            running = await engine.started.entries.last!
        }
        // Sixteen urgent requests were drawn before it, after the first.
        #expect(await engine.started.entries.firstIndex(of: "low") == 17)
        await gate.open()
        await renderer.finish()
    }

    @Test(arguments: [1, 2, 3])
    func theLowestPriorityLeavesAPlaceFree(width: Int) async {
        let gate = Gate()
        let engine = FakeEngine(capacity: width, gate: gate)
        let renderer = Renderer(engine: engine)
        let ahead = (0..<5).map { renderer.ask(for: "ahead \($0)", options: RenderOptions(priority: .veryLow))[0] }
        let most = max(1, width - 1)
        await engine.started.wait(for: most)
        for _ in 0..<20 { await Task.yield() }
        #expect(await engine.started.entries.count == most)
        let urgent = renderer.ask(for: "urgent", options: RenderOptions(priority: .low))[0]
        // The urgent request is drawn in the free slot, or in the only slot as soon as that is free.
        if width == 1 { await gate.open(for: "ahead 0") }
        await engine.started.wait(for: most + 1)
        #expect(await engine.started.entries.last == "urgent")
        await gate.open()
        for task in ahead + [urgent] { #expect(await reason(task) == nil) }
    }

    /// Urgent requests keep both slots busy.
    @Test func theLowestPriorityIsDrawnThoughUrgentOnesUseAllPlaces() async {
        let gate = Gate()
        let engine = FakeEngine(capacity: 2, gate: gate)
        let renderer = Renderer(engine: engine)
        _ = renderer.ask(for: "0", "1")
        await engine.started.wait(for: 2)
        _ = renderer.ask(for: "low", options: RenderOptions(priority: .veryLow))
        for number in 2..<40 {
            _ = renderer.ask(for: "\(number)", options: RenderOptions(priority: .veryHigh))
            await gate.open(for: await engine.started.entries[number - 2])
            await engine.started.wait(for: number + 1)
        }
        #expect(await engine.started.entries.firstIndex(of: "low") == 18)
        await gate.open()
        await renderer.finish()
    }

    @Test func thousandsThatWaitDoNotStandBeforeAnUrgentOne() async {
        let (engine, renderer) = suspended()
        for number in 0..<3000 {
            _ = renderer.ask(for: "\(number)", options: RenderOptions(priority: .low))
        }
        for number in 0..<100 {
            _ = renderer.ask(for: "urgent", options: RenderOptions(priority: number < 50 ? .normal : .high))
        }
        renderer.isSuspended = false
        await renderer.finish()
        let entries = await engine.started.entries
        #expect(entries.count == 3100)
        // Every seventeenth slot is for the oldest request.
        #expect(entries.lastIndex(of: "urgent") == 105)
    }

    /// A suspended renderer that draws one request at a time.
    private func suspended() -> (FakeEngine, Renderer) {
        let engine = FakeEngine()
        let renderer = Renderer(engine: engine)
        renderer.isSuspended = true
        return (engine, renderer)
    }
}
