import Foundation

/// The results of one benchmark run. `results.schema.json` describes their JSON form.
public struct Results: Sendable, Hashable, Codable {
    public static let format = 1

    public struct Machine: Sendable, Hashable, Codable {
        public var processor: String
        public var cores: Int
        public var memoryMiB: Int
        public var kernel: String

        public init(processor: String, cores: Int, memoryMiB: Int, kernel: String) {
            self.processor = processor
            self.cores = cores
            self.memoryMiB = memoryMiB
            self.kernel = kernel
        }
    }

    /// A measurement that was skipped.
    public struct LeftOut: Sendable, Hashable, Codable {
        public var workload: String
        public var reason: String

        public init(workload: String, reason: String) {
            self.workload = workload
            self.reason = reason
        }
    }

    /// One figure divided by another, for a chart.
    public struct Series: Sendable, Hashable, Codable {
        public var name: String
        public var title: String
        public var x: String
        public var y: String
        /// Pairs of x and y values.
        public var points: [[Double]]

        public init(name: String, title: String, x: String, y: String, points: [[Double]]) {
            self.name = name
            self.title = title
            self.x = x
            self.y = y
            self.points = points
        }
    }

    public var format = Results.format
    /// The date in ISO 8601.
    public var date: String
    /// True for a quick run, with fewer and smaller repetitions. Its figures are only approximate.
    public var isQuick: Bool
    public var machine: Machine
    /// The versions of programs and libraries, by name.
    public var versions: [String: String]
    public var measures: [Measure]
    public var series: [Series]
    public var leftOut: [LeftOut]

    private enum CodingKeys: String, CodingKey {
        case format, date, machine, versions, measures, series, leftOut
        case isQuick = "quick"
    }

    public init(
        date: Date, isQuick: Bool, machine: Machine, versions: [String: String], measures: [Measure],
        series: [Series] = [], leftOut: [LeftOut] = []
    ) {
        self.date = ISO8601DateFormatter().string(from: date)
        self.isQuick = isQuick
        self.machine = machine
        self.versions = versions
        self.measures = measures
        self.series = series
        self.leftOut = leftOut
    }

    public subscript(name: String) -> Measure? { measures.first { $0.name == name } }

    public func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }

    /// - Throws: `BenchmarkError` with the file's name.
    public init(contentsOf path: String) throws {
        self = try decode(Self.self, from: path)
        if format != Self.format {
            throw BenchmarkError("\(path) has format \(format), not \(Self.format); measure again")
        }
    }
}

extension Measure: Codable {
    private enum Key: String, CodingKey { case name, title, unit, better, aim, samples, median, low, high }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let samples = try values.decode([Double].self, forKey: .samples)
        if samples.isEmpty {
            throw DecodingError.dataCorruptedError(forKey: .samples, in: values, debugDescription: "no samples")
        }
        self.init(
            try values.decode(String.self, forKey: .name), try values.decode(String.self, forKey: .title),
            unit: try values.decode(String.self, forKey: .unit),
            better: try values.decode(Direction.self, forKey: .better),
            aim: try values.decodeIfPresent(Double.self, forKey: .aim), samples: samples)
    }

    /// Includes values that follow from the samples, for readers of the file.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(name, forKey: .name)
        try values.encode(title, forKey: .title)
        try values.encode(unit, forKey: .unit)
        try values.encode(better, forKey: .better)
        try values.encodeIfPresent(aim, forKey: .aim)
        try values.encode(samples, forKey: .samples)
        try values.encode(statistics.median, forKey: .median)
        try values.encode(statistics.low, forKey: .low)
        try values.encode(statistics.high, forKey: .high)
    }
}
