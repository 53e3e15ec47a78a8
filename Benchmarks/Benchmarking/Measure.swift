/// One figure of a benchmark, with a sample a repetition.
public struct Measure: Sendable, Hashable {
    public enum Direction: String, Sendable, Hashable, Codable { case lower, higher }

    /// What thresholds call it: `rows.scale-1`.
    public var name: String
    /// In a few words, for people.
    public var title: String
    public var unit: String
    /// Which samples are the better ones; default the lower ones.
    public var better: Direction
    /// What it should reach: at most so much, or at least where higher is better. Nil where nobody said.
    public var aim: Double?
    /// At least one; in the order in which they were taken.
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
    /// The best sample. Whatever else runs on a machine only makes a figure worse, so that this one has least of it.
    public var best: Double { better == .lower ? statistics.low : statistics.high }

    /// Whether the median is as good as the aim; nil without one.
    public var reachesAim: Bool? {
        aim.map { better == .lower ? statistics.median <= $0 : statistics.median >= $0 }
    }
}

/// Collects measures in the order in which they come up first.
public struct Measures: Sendable {
    public private(set) var all: [Measure] = []

    public init() {}

    /// Adds a sample to a measure, which is made where it is not there yet.
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
