import Synchronization

/// The budget for bytes that the service keeps for clients: headers, bodies as they arrive, waiting documents, and
/// answers that clients read slowly. Memory and temporary files have separate budgets.
///
/// A client may use as much as remains free after that, times its weight. So a single client gets half, and each of
/// `n` greedy clients gets 1/(n+1), with as much left for others. The number of clients need not be known. (This is the
/// dynamic threshold of shared packet buffers, Choudhury and Hahne 1998.) Use it from any thread.
final class MemoryBudget: Sendable {
    private struct State {
        var used = 0
        var clients: [String: Int] = [:]
    }

    /// Bytes.
    let limit: Int
    private let state = Mutex(State())
    private let onRelease: (@Sendable (Int) -> Void)?

    /// - Parameters:
    ///   - limit: the bytes of all clients together.
    ///   - onRelease: receives the number of freed bytes, on any thread.
    init(limit: Int, onRelease: (@Sendable (Int) -> Void)? = nil) {
        (self.limit, self.onRelease) = (limit, onRelease)
    }

    /// The bytes in use.
    var used: Int { state.withLock { $0.used } }

    func account(_ client: ClientShare) -> Account { Account(budget: self, client: client) }

    /// A client's part of the budget.
    struct Account: Sendable {
        fileprivate let budget: MemoryBudget
        fileprivate let client: ClientShare

        /// A charge without bytes.
        func charge() -> Charge { Charge(self) }
    }

    enum Refusal: Error {
        /// The client's share is used up.
        case share
        /// Other clients use up the memory.
        case total
    }

    /// Bytes charged to a client, until this object ends.
    final class Charge: Sendable {
        private let account: Account
        private let count = Mutex(0)

        fileprivate init(_ account: Account) { self.account = account }

        deinit { account.budget.release(count.withLock { $0 }, account) }

        var bytes: Int { count.withLock { $0 } }

        /// - Throws: `Refusal`. Then nothing is charged.
        func grow(by bytes: Int) throws(Refusal) {
            try account.budget.take(bytes, account)
            count.withLock { $0 += bytes }
        }

        func resize(to bytes: Int) throws(Refusal) {
            let difference = bytes - self.bytes
            if difference > 0 { return try grow(by: difference) }
            account.budget.release(-difference, account)
            count.withLock { $0 += difference }
        }
    }

    private func take(_ bytes: Int, _ account: Account) throws(Refusal) {
        let refusal: Refusal? = state.withLock { state in
            let own = state.clients[account.client.name, default: 0]
            let (free, isOver) = (limit - state.used).subtractingReportingOverflow(bytes)
            guard !isOver, free >= 0, own + bytes <= account.client.weight * free else {
                return own > 0 && bytes > limit / 16 - own ? .share : .total
            }
            state.used += bytes
            state.clients[account.client.name] = own + bytes
            return nil
        }
        if let refusal { throw refusal }
    }

    private func release(_ bytes: Int, _ account: Account) {
        if bytes == 0 { return }
        state.withLock { state in
            state.used -= bytes
            let left = state.clients[account.client.name, default: 0] - bytes
            state.clients[account.client.name] = left > 0 ? left : nil
        }
        onRelease?(bytes)
    }
}

/// A client that uses a budget.
struct ClientShare: Sendable {
    var name: String
    /// Relative: a client of weight 3 can take three times as much as one of weight 1.
    var weight = 1
}

extension Problem {
    init(_ refusal: MemoryBudget.Refusal) {
        switch refusal {
        case .share:
            self.init(
                429, "memory-share-used",
                "this client has used its share of the service's memory; wait for the answers to earlier requests",
                headers: ["Retry-After": "1"])
        case .total:
            self.init(
                503, "memory-used", "all of the service's memory for requests is in use; try again later",
                headers: ["Retry-After": "1"])
        }
    }
}
