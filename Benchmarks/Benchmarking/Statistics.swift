import Foundation

/// Summary statistics of a set of samples.
public struct Statistics: Sendable, Hashable {
    private let sorted: [Double]

    /// Nil without samples.
    public init?(_ samples: [Double]) {
        if samples.isEmpty { return nil }
        sorted = samples.sorted()
    }

    public var count: Int { sorted.count }
    public var low: Double { sorted[0] }
    public var high: Double { sorted[sorted.count - 1] }
    public var sum: Double { sorted.reduce(0, +) }

    /// The middle sample; if the number of samples is even, the mean of the two in the middle.
    public var median: Double {
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// The smallest sample such that at least this part of all samples is not above it (nearest rank).
    ///
    /// - Parameter part: 0…1; 0.99 for the 99th percentile.
    public func percentile(_ part: Double) -> Double {
        let rank = (min(max(part, 0), 1) * Double(sorted.count)).rounded(.up)
        return sorted[max(Int(rank), 1) - 1]
    }
}
