/// The priority of a request among the waiting requests.
///
/// Requests of the same priority are drawn in the order of their arrival, with a fair share for each client
/// (`RenderOptions.client`). No request waits forever: after 16 requests of higher priorities in a row, the priority
/// with the oldest request is served.
///
/// Requests of the lowest priority leave one of several slots free, so that a new request of a higher priority can
/// start at once.
public enum RenderPriority: Int, Sendable, Hashable, Comparable, CaseIterable {
    case veryLow, low, normal, high, veryHigh

    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
