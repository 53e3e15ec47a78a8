import Synchronization

/// Tracks whether PostgreSQL is available, and reports each change once.
final class SharedHealth: Sendable {
    private let current = Mutex((isWell: true, mismatches: 0))
    private let report: @Sendable (String) -> Void

    init(_ report: @escaping @Sendable (String) -> Void) { self.report = report }

    var state: (isWell: Bool, mismatches: Int) { current.withLock { $0 } }

    func note(_ error: SharedError) {
        let isNew = current.withLock { state in
            defer { state.isWell = false }
            return state.isWell
        }
        if isNew { report("pictures are not shared for now: \(error)") }
    }

    func isWell() {
        let isNew = current.withLock { state in
            defer { state.isWell = true }
            return !state.isWell
        }
        if isNew { report("pictures are shared again") }
    }

    func mismatch(_ count: Int) {
        current.withLock { $0.mismatches += count }
        report(
            "\(count) pictures differ from those that another machine of this class has drawn; "
                + "the earlier ones are kept")
    }
}
