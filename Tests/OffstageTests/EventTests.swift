import Offstage
import Testing

@Suite(.timeLimit(.minutes(15)))
struct EventTests {
    /// An event as text, such as `2 joined b`.
    private func text(_ event: RenderEvent) -> String {
        "\(event.request.map { "\($0) " } ?? "")\(event.kind) \(event.identifier)"
    }

    @Test func everyStepIsToldInOrderToEveryObserver() async throws {
        let engine = FakeEngine(errors: ["bad": .empty])
        let renderer = Renderer(engine: engine)
        let streams = [renderer.events(), renderer.events()]
        renderer.isSuspended = true
        let start = ContinuousClock.now
        let tasks = ["a", "b"].map { renderer.task(for: FakeRequest(identifier: $0, key: "same")) }
        _ = renderer.ask(for: "bad", "gone")
        renderer.cancel(identifier: "gone")
        renderer.isSuspended = false
        for task in tasks { _ = try await task.picture }
        await renderer.finish()
        for stream in streams {
            var events: [RenderEvent] = []
            for await event in stream { events.append(event) }
            #expect(
                events.map(text) == [
                    "1 submitted a", "2 submitted b", "2 joined b", "3 submitted bad", "4 submitted gone",
                    "4 cancelled gone", "1 started a", "1 drawn a", "3 started bad",
                    "3 failed(\(DrawingError.empty)) bad",
                ])
            #expect(events.map(\.time).allSatisfy { start <= $0 && $0 <= .now })
            #expect(events.map(\.time) == events.map(\.time).sorted())
        }
        var counters = RenderCounters()
        (counters.submitted, counters.joined, counters.started, counters.drawn) = (4, 1, 2, 1)
        (counters.cancelled, counters.failed) = (1, 1)
        #expect(renderer.counters == counters)
    }

    @Test func aSlowObserverMissesTheOldestAndTheCountersMissNothing() async {
        let renderer = Renderer(engine: FakeEngine())
        let stream = renderer.events(buffering: 3)
        renderer.isSuspended = true
        for number in 0..<10 { _ = renderer.ask(for: "\(number)") }
        await renderer.finish(.cancelled)
        var events: [String] = []
        for await event in stream { events.append(text(event)) }
        #expect(events == ["8 cancelled 7", "9 cancelled 8", "10 cancelled 9"])
        #expect(renderer.counters.submitted == 10 && renderer.counters.cancelled == 10)
    }

    @Test func anObserverThatComesTooLateSeesTheEnd() async {
        let renderer = Renderer(engine: FakeEngine())
        await renderer.finish()
        for await event in renderer.events() { Issue.record("\(event)") }
    }

    @Test func aRendererThatIsLetGoEndsTheStream() async {
        var stream: AsyncStream<RenderEvent>?
        do {
            let renderer = Renderer(engine: FakeEngine())
            stream = renderer.events()
        }
        for await event in stream! { Issue.record("\(event)") }
    }
}
