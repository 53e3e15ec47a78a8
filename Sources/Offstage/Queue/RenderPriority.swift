/// The priority of a request among the waiting requests.
///
/// Requests of the same priority are drawn in the order of their arrival; clients (`RenderOptions.client`) take turns.
/// No request waits for ever: after higher priorities have come first 16 times in a row, the priority with the oldest
/// request has a turn.
///
/// Requests of the lowest priority leave one of several places free: a request of a higher priority that comes while they are
/// drawn need not wait for one of them to end.
public enum RenderPriority: Int, Sendable, Hashable, Comparable, CaseIterable {
    case veryLow, low, normal, high, veryHigh

    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
