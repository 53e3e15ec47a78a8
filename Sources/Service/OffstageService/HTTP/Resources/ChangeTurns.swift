/// Makes changes to an identifier's picture wait for each other. A change first checks its condition and then writes,
/// and waits for the store each time. Without turns, several changes could find the same state and all succeed.
@MainActor
final class ChangeTurns {
    /// The waiting changes, by the identifiers that are being changed.
    private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

    /// Waits for a change's turn, which must end with `leave`.
    func enter(_ identifier: String) async {
        if waiting[identifier] == nil {
            waiting[identifier] = []
        } else {
            await withCheckedContinuation { waiting[identifier, default: []].append($0) }
        }
    }

    func leave(_ identifier: String) {
        guard var others = waiting[identifier], !others.isEmpty else {
            waiting[identifier] = nil
            return
        }
        // Pass the turn on directly, so that a change that arrives now has to wait.
        let next = others.removeFirst()
        waiting[identifier] = others
        next.resume()
    }
}
