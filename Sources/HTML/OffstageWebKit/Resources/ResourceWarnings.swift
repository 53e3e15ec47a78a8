import Offstage

/// Warnings about the files that a document requests, in the order of the requests. The answers arrive in any order,
/// but results must be the same each time.
struct ResourceWarnings {
    /// The maximum number of warnings: a document may request a hundred thousand files.
    static let limit = 1_000
    /// Sorted by `request`.
    private var entries: [(request: Int, warning: DrawingWarning)] = []
    private var known: Set<DrawingWarning> = []

    var all: [DrawingWarning] { entries.map(\.warning) }

    func contains(_ code: DrawingWarning.Code, reason: String) -> Bool {
        entries.contains { $0.warning.code == code && $0.warning.reason == reason }
    }

    /// - Parameter request: the request's number.
    mutating func add(_ warning: DrawingWarning, request: Int) {
        guard entries.count < Self.limit, known.insert(warning).inserted else { return }
        let end = entries.lastIndex { $0.request <= request }.map { $0 + 1 } ?? 0
        entries.insert((request, warning), at: end)
    }
}
