/// One figure of a benchmark, with one sample per repetition.
public struct Measure: Sendable, Hashable {
    public enum Direction: String, Sendable, Hashable, Codable { case lower, higher }

    /// The name used in thresholds, such as `rows.scale-1`.
    public var name: String
    /// A short title for people.
    public var title: String
    public var unit: String
    /// The direction of better samples: lower (default) or higher.
    public var better: Direction
    /// The target: an upper bound, or a lower bound if higher is better. Nil for none.
    public var aim: Double?
    /// The samples, in the order in which they were taken. There is at least one.
    public var samples: [Double]

    public init(
        _ name: String, _ title: String, unit: String, better: Direction = .lower, aim: Double? = nil,
        samples: [Double]
    ) {
        precondition(!samples.isEmpty)
        self.name = name
        self.title = title
        self.unit = unit
        self.better = better
        self.aim = aim
        self.samples = samples
    }

    public var statistics: Statistics { Statistics(samples)! }
    /// The best sample. Other programs on the machine can only make a figure worse, so the best sample is affected
    /// least.
    public var best: Double { better == .lower ? statistics.low : statistics.high }

    /// True if the median reaches the target; nil without a target.
    public var reachesAim: Bool? {
        aim.map { better == .lower ? statistics.median <= $0 : statistics.median >= $0 }
    }
}

/// Collects measures in the order of their first appearance.
public struct Measures: Sendable {
    public private(set) var all: [Measure] = []

    public init() {}

    /// Adds a sample to a measure, and creates the measure if it does not exist.
    public mutating func add(
        _ name: String, _ title: String, unit: String, better: Measure.Direction = .lower, aim: Double? = nil,
        _ sample: Double
    ) {
        if let index = all.firstIndex(where: { $0.name == name }) {
            all[index].samples.append(sample)
        } else {
            all.append(Measure(name, title, unit: unit, better: better, aim: aim, samples: [sample]))
        }
    }
}
