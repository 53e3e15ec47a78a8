/// How soon a request is drawn, among those that wait.
///
/// Requests of one priority are drawn in the order in which they arrived; clients (`RenderOptions.client`) take turns. No
/// request waits for ever: after a higher priority has gone before the one with the oldest request 16 times in a row, that one
/// has a turn.
public enum RenderPriority: Int, Sendable, Hashable, Comparable, CaseIterable {
    case veryLow, low, normal, high, veryHigh

    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
