import Offstage
import Testing

/// Clients that share a renderer take turns within a priority.
@Suite(.timeLimit(.minutes(5)))
struct ClientTurnTests {
    private func options(_ client: String?, share: Int = 1, _ priority: RenderPriority = .normal) -> RenderOptions {
        RenderOptions(priority: priority, client: client.map { RenderClient($0, share: share) })
    }

    private func ask(_ renderer: Renderer, _ name: String, _ count: Int, _ options: RenderOptions) {
        for number in 1...count {
            _ = renderer.task(for: FakeRequest(identifier: "\(name)\(number)"), options: options)
        }
    }

    /// The identifiers in the order of their drawings, with one drawing at a time.
    private func order(maximumWaiting: Int? = nil, _ body: (Renderer) -> Void) async -> [String] {
        let engine = FakeEngine()
        var configuration = RendererConfiguration()
        configuration.maximumWaiting = maximumWaiting
        let renderer = Renderer(engine: engine, configuration: configuration)
        renderer.isSuspended = true
        body(renderer)
        renderer.isSuspended = false
        await renderer.finish()
        return await engine.started.entries
    }

    @Test func aClientWithManyRequestsDoesNotHoldUpOneWithFew() async {
        let order = await order { renderer in
            ask(renderer, "bulk ", 200, options("bulk"))
            ask(renderer, "page ", 2, options("page"))
            ask(renderer, "nameless ", 1, options(nil))
        }
        #expect(
            order.prefix(6) == ["bulk 1", "page 1", "nameless 1", "bulk 2", "page 2", "bulk 3"])
        #expect(order.count == 203)
    }

    @Test func aClientThatComesLaterIsNext() async {
        let gate = Gate()
        let engine = FakeEngine(gate: gate)
        let renderer = Renderer(engine: engine)
        ask(renderer, "bulk ", 50, options("bulk"))
        await engine.started.wait(for: 1)
        while renderer.waitingCount < 49 { await Task.yield() }
        for number in 1...3 {
            // The client makes one request at a time, as a person does.
            ask(renderer, "page \(number) ", 1, options("page"))
            // Make sure the request is waiting before another drawing ends.
            while renderer.waitingCount < 51 - number { await Task.yield() }
            await gate.open(for: number == 1 ? "bulk 1" : "bulk \(number)")
            await engine.started.wait(for: 2 * number)
            #expect(await engine.started.entries.last == "page \(number) 1")
            await gate.open(for: "page \(number) 1")
            await engine.started.wait(for: 2 * number + 1)
        }
        await gate.open()
        await renderer.finish()
    }

    @Test func aLargerShareGetsMoreTurns() async {
        let order = await order { renderer in
            ask(renderer, "small ", 40, options("small"))
            ask(renderer, "large ", 40, options("large", share: 3))
        }
        #expect(order.prefix(40).count { $0.hasPrefix("large") } == 30)
    }

    @Test func aHigherPriorityGoesFirstWhosever() async {
        let order = await order { renderer in
            ask(renderer, "bulk ", 10, options("bulk", .high))
            ask(renderer, "page ", 1, options("page"))
        }
        #expect(order.firstIndex(of: "page 1") == 10)
    }

    @Test func aPictureThatTwoClientsWaitForComesInTheFirstTurnOfEither() async {
        let order = await order { renderer in
            for number in 1...20 {
                let request = FakeRequest(identifier: "bulk \(number)", key: "\(number)")
                _ = renderer.task(for: request, options: options("bulk"))
            }
            _ = renderer.task(for: FakeRequest(identifier: "page", key: "20"), options: options("page"))
        }
        #expect(order.prefix(2) == ["bulk 1", "bulk 20"])
        #expect(order.count == 20)
    }

    @Test func whoSendsMostLosesAPlaceWhenThereIsNoRoom() async {
        let order = await order(maximumWaiting: 5) { renderer in
            ask(renderer, "page ", 2, options("page"))
            ask(renderer, "bulk ", 100, options("bulk"))
        }
        #expect(order.sorted() == ["bulk 100", "bulk 98", "bulk 99", "page 1", "page 2"])
    }

    @Test func withNoRoomAtAllWhatCannotStartIsRefused() async {
        let gate = Gate()
        let engine = FakeEngine(gate: gate)
        var configuration = RendererConfiguration()
        configuration.maximumWaiting = 0
        let renderer = Renderer(engine: engine, configuration: configuration)
        let first = renderer.ask(for: "first")
        await engine.started.wait(for: 1)
        let second = renderer.ask(for: "second", options: RenderOptions(priority: .veryHigh))
        #expect(await reason(second[0]) == .queueFull(limit: 0))
        await gate.open()
        #expect(await reason(first[0]) == nil)
        await renderer.finish()
    }
}
