import SeededRandom
import Testing

@testable import Offstage

struct WaitingLineTests {
    private let one = RenderClient("one")
    private let other = RenderClient("other")

    @Test func prioritiesThatChangeForHoursFillNoMemoryAndTheOrderHolds() {
        var chance = SeededGenerator(seed: 7)
        var line = WaitingLine()
        var priorities: [Int: RenderPriority] = [:]
        for _ in 0..<50_000 {
            let number = Int.random(in: 0..<20, using: &chance)
            let priority = RenderPriority.allCases.randomElement(using: &chance)!
            line.set(number, to: .init(priority: priority, clients: [chance.oneIn(2) ? one : other]))
            line.set(number, to: .init(priority: priority, clients: [one]))
            priorities[number] = priority
        }
        #expect(line.count == 20)
        #expect(line.entryCount <= 5 * 4 * (2 * 40 + 65))
        // Too few requests for the rule against starving to apply.
        let order = priorities.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
        #expect((0..<16).map { _ in line.takeFirst() } == Array(order.prefix(16)))
    }

    @Test func whatIsTakenOutIsNotTakenAgain() {
        var line = WaitingLine()
        for number in [3, 1, 2] { line.set(number, to: .init(priority: .normal, clients: [one])) }
        line.set(1, to: .init(priority: .low, clients: [one]))
        line.set(1, to: .init(priority: .normal, clients: [one]))
        #expect([line.takeFirst(), line.takeFirst(), line.takeFirst(), line.takeFirst()] == [1, 2, 3, nil])
        #expect(line.leastWanted() == nil)
    }
}
