/// How soon a request is drawn, among those that wait.
///
/// Requests of one priority are drawn in the order in which they were asked for. None waits for ever: when a
/// later request has gone before an earlier one of lower priority 16 times in a row, the one that has waited longest is
/// next, whatever its priority.
public enum RenderPriority: Int, Sendable, Hashable, Comparable, CaseIterable {
    case veryLow, low, normal, high, veryHigh

    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
