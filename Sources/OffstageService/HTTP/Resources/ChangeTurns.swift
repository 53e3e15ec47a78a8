/// Lets one change of an identifier's picture wait for the end of another. A change checks its condition and then
/// writes, and waits for the store in both; without turns, several changes could find the same state and all succeed.
@MainActor
final class ChangeTurns {
    /// The waiting changes, by the identifiers that are being changed.
    private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

    /// Waits for the turn of a change. It has to end with `leave`.
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
        // The turn passes on: a change that arrives now waits.
        let next = others.removeFirst()
        waiting[identifier] = others
        next.resume()
    }
}
