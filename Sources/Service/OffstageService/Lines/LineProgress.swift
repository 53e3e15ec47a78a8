import Synchronization

/// Counts a session's unanswered lines, for its transport. Use it from any thread.
final class LineProgress: Sendable {
    private let count = Atomic(0)

    /// True while the session owes answers: meanwhile, the program may be silent.
    var isWorking: Bool { count.load(ordering: .acquiring) > 0 }

    func add(_ number: Int) { count.add(number, ordering: .acquiringAndReleasing) }
}
