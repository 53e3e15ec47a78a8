import SeededRandom
import Testing

@testable import Offstage

@Suite(.timeLimit(.minutes(15)))
struct QueuePropertyTests {
    @Test func whateverIsAskedInWhateverOrderTheQueueDoesAsItsModel() async {
        for seed in Seed.some(200) {
            var tokens: [() -> Token?] = []
            do {
                var trial = QueueTrial(seed: seed)
                tokens = await trial.run(steps: 60)
                // The other seeds would fail in the same way.
                if trial.hasFailed { return }
            }
            // The last operation is released on its own thread.
            let deadline = ContinuousClock.now + .seconds(240)
            while tokens.contains(where: { $0() != nil }), ContinuousClock.now < deadline { await Task.yield() }
            #expect(tokens.allSatisfy { $0() == nil }, "something is kept alive, seed \(seed)")
        }
    }

    @Test func fromManyThreadsAtOnceEveryRequestIsAnsweredOnceAndNothingStartsWhileSuspended() async {
        for seed in Seed.some(10) {
            var configuration = RendererConfiguration()
            configuration.maximumWaiting = seed % 2 == 0 ? nil : 20
            configuration.allowsImmediate = false
            let renderer = Renderer(engine: FakeEngine(capacity: 3), configuration: configuration)
            let answers = Record<String>()
            await withTaskGroup(of: Void.self) { group in
                for worker in 0..<6 {
                    group.addTask {
                        var chance = SeededGenerator(seed: seed &+ UInt64(worker))
                        for step in 0..<150 {
                            await Self.step(renderer, "\(worker)/\(step)", &chance, answers)
                        }
                    }
                }
            }
            await renderer.finish(seed % 3 == 0 ? .cancelled : .drawn)
            let counters = renderer.counters
            #expect(answers.entries.count == counters.submitted, "seed \(seed)")
            #expect(Set(answers.entries).count == counters.submitted, "seed \(seed)")
            #expect(counters.started == counters.drawn, "seed \(seed)")
            #expect(!renderer.isSuspended, "seed \(seed)")
        }
    }

    private static func step(
        _ renderer: Renderer, _ identifier: String, _ chance: inout SeededGenerator,
        _ answers: Record<String>
    ) async {
        let number = Int.random(in: 1...900, using: &chance)
        switch Int.random(in: 0..<20, using: &chance) {
        case 0..<12:
            let key = chance.oneIn(2) ? nil : "\(number % 10)"
            let options = RenderOptions(priority: .allCases[number % 5], isImmediate: chance.oneIn(9), group: key)
            let request = FakeRequest(identifier: identifier, key: key)
            _ = renderer.submit(request, options) { _ in answers.note(identifier) }
        case 12..<14: renderer.queue.cancel(requests: [number])
        case 14..<16: renderer.queue.setPriority(.allCases[number % 5], ofRequest: number)
        case 16: renderer.cancel(group: "\(number % 10)")
        case 17 where chance.oneIn(5): renderer.cancel(identifiersWithPrefix: "\(number % 6)/")
        case 18:
            let lease = renderer.suspend(for: chance.oneIn(2) ? .seconds(60) : nil)
            let before = renderer.counters.started
            for _ in 0..<5 { await Task.yield() }
            #expect(renderer.counters.started == before)
            lease.end()
        default: await Task.yield()
        }
    }
}
