import Synchronization

/// The number of times that a file was written. Any thread may count.
final class SaveCount: Sendable {
    private let number = Atomic(0)

    func note() { number.add(1, ordering: .relaxed) }
    var count: Int { number.load(ordering: .relaxed) }
}
