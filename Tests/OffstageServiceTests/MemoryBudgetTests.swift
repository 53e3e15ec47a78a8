import Testing

@testable import OffstageService

/// Memory that all clients share, although their number is unknown.
@Suite struct MemoryBudgetTests {
    /// Takes as much as the budget gives, in pieces.
    private func fill(_ account: MemoryBudget.Account, piece: Int = 1) -> MemoryBudget.Charge {
        let charge = account.charge()
        while (try? charge.grow(by: piece)) != nil {}
        return charge
    }

    @Test func oneClientGetsHalf() {
        let budget = MemoryBudget(limit: 1000)
        let greedy = fill(budget.account(ClientShare(name: "a")))
        #expect(greedy.bytes == 500)
        // A second charge of the same client gets nothing more, but another client gets its part of the rest.
        #expect(fill(budget.account(ClientShare(name: "a"))).bytes == 0)
        #expect(fill(budget.account(ClientShare(name: "b"))).bytes == 250)
    }

    /// Eight clients that take all they can get leave as much for others as each of them has.
    @Test func manyGreedyClientsLeaveRoom() throws {
        let budget = MemoryBudget(limit: 9000)
        let charges = (0..<8).map { budget.account(ClientShare(name: "\($0)")).charge() }
        for _ in 0..<9000 { for charge in charges { try? charge.grow(by: 1) } }
        #expect(charges.allSatisfy { (998...1002).contains($0.bytes) }, "\(charges.map(\.bytes))")
        try budget.account(ClientShare(name: "good")).charge().grow(by: 400)
    }

    @Test func weightsCount() {
        let budget = MemoryBudget(limit: 1000)
        #expect(fill(budget.account(ClientShare(name: "a", weight: 4))).bytes == 800)
    }

    @Test func bytesAreFreeAgain() throws {
        let budget = MemoryBudget(limit: 1000)
        do {
            let charge = budget.account(ClientShare(name: "a")).charge()
            try charge.grow(by: 400)
            #expect(budget.used == 400)
            try charge.resize(to: 100)
            #expect(budget.used == 100)
        }
        #expect(budget.used == 0)
    }

    @Test func refusalsNameTheCause() {
        let budget = MemoryBudget(limit: 1000)
        let greedy = fill(budget.account(ClientShare(name: "a")))
        #expect(throws: MemoryBudget.Refusal.share) {
            try budget.account(ClientShare(name: "a")).charge().grow(by: 200)
        }
        #expect(throws: MemoryBudget.Refusal.total) {
            try budget.account(ClientShare(name: "b")).charge().grow(by: 600)
        }
        #expect(throws: MemoryBudget.Refusal.total) {
            try budget.account(ClientShare(name: "c")).charge().grow(by: .max)
        }
        withExtendedLifetime(greedy) {}
    }
}
