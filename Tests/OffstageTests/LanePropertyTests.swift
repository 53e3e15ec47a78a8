import SeededRandom
import Testing

@testable import Offstage

/// Random sequences of events against the queue's state, with several lanes.
@Suite(.timeLimit(.minutes(15)))
struct LanePropertyTests {
    private typealias State = QueueState<String, Int>

    @Test func noLaneAndNotAllTogetherRunMoreThanTheirWidthAndNothingIsLeft() {
        for seed in Seed.some(300) {
            var chance = SeededGenerator(seed: seed)
            let widths = (0..<Int.random(in: 1...4, using: &chance)).map { _ in Int.random(in: 1...3, using: &chance) }
            let width = Int.random(in: 1...6, using: &chance)
            var state = State(
                lanes: widths, width: width, maximumWaiting: chance.oneIn(3) ? 5 : nil,
                allowsImmediate: chance.oneIn(2), events: EventHub())
            var operations = 0
            var running: [Int] = []
            var answered = 0

            func settle() {
                let effects = state.takeEffects()
                operations += effects.slots
                answered += effects.answers.count
                if !effects.answers.isEmpty {
                    state.deliveries -= 1
                    _ = state.takeEffects()
                }
                for (lane, width) in widths.enumerated() {
                    #expect(state.lanes[lane].running <= width, "seed \(seed)")
                }
                #expect(running.count <= width && operations <= width, "seed \(seed)")
            }
            func begin() {
                if let job = state.take() { running.append(job.number) } else { operations -= 1 }
                settle()
            }
            func end(_ index: Int) {
                let number = running.remove(at: index)
                if state.complete(number, .success(number)) { state.startAnew(number) }
                settle()
                begin()
            }
            for _ in 0..<200 {
                switch Int.random(in: 0..<10, using: &chance) {
                case 0..<5:
                    let options = RenderOptions(
                        priority: .allCases.randomElement(using: &chance)!, isImmediate: chance.oneIn(6))
                    let number = state.open("\(seed)", options) { _ in }
                    let lane = Int.random(in: 0..<widths.count, using: &chance)
                    let key = chance.oneIn(2) ? nil : "\(lane) \(Int.random(in: 0..<4, using: &chance))"
                    state.enqueue(number, lane: lane, key: key, check: { _ in false }, { _ in .success(0) })
                    settle()
                case 5..<7 where operations > running.count: begin()
                case 7..<9 where !running.isEmpty: end(Int.random(in: 0..<running.count, using: &chance))
                default:
                    state.leases[1] = chance.oneIn(2) ? .random(in: 0...2, using: &chance) : nil
                    settle()
                }
            }
            state.leases = [:]
            settle()
            while operations > 0 || !running.isEmpty {
                if operations > running.count { begin() } else { end(0) }
            }
            #expect(state.isIdle && answered == state.lastNumber && state.waitingCount == 0, "seed \(seed)")
        }
    }
}
