import Foundation

/// Ratios between measures of the same run, which are valid on any machine, and the allowed increase of each.
public struct Thresholds: Sendable, Hashable, Codable {
    public struct Ratio: Sendable, Hashable, Codable {
        public var name: String
        /// The measure that must not become worse. Lower must be better.
        public var of: String
        /// The measure of the same run to divide by: fixed work, or another workload.
        public var to: String
        /// The recorded ratio: one measure's best sample divided by the other's.
        public var recorded: Double
        /// The allowed increase as a fraction of `recorded`: 0.25 for a quarter.
        public var margin: Double

        public init(name: String, of: String, to: String, recorded: Double, margin: Double) {
            self.name = name
            self.of = of
            self.to = to
            self.recorded = recorded
            self.margin = margin
        }

        public var limit: Double { recorded * (1 + margin) }

        /// - Throws: an error if the run lacks one of the measures.
        public func value(in results: Results) throws(BenchmarkError) -> Double {
            try Self.measure(of, in: results).best / Self.measure(to, in: results).best
        }

        private static func measure(_ name: String, in results: Results) throws(BenchmarkError) -> Measure {
            guard let measure = results[name] else {
                throw BenchmarkError("the run has no measure '\(name)'; run the workload that has it")
            }
            if measure.better != .lower || measure.best <= 0 {
                throw BenchmarkError("'\(name)' cannot be compared: a measure is a cost above 0")
            }
            return measure
        }
    }

    public struct Verdict: Sendable, Hashable {
        public var ratio: Ratio
        public var value: Double

        public var isWithin: Bool { value <= ratio.limit }
        /// The relative change from the recorded value; below 0 is better.
        public var change: Double { value / ratio.recorded - 1 }
    }

    public var format = 1
    /// True for ratios of quick runs, in which less work does not take proportionally less time.
    public var isQuick: Bool
    public var ratios: [Ratio]

    private enum CodingKeys: String, CodingKey {
        case format, ratios
        case isQuick = "quick"
    }

    public init(isQuick: Bool = false, ratios: [Ratio]) {
        self.isQuick = isQuick
        self.ratios = ratios
    }

    /// - Throws: `BenchmarkError` with the file's name.
    public init(contentsOf path: String) throws(BenchmarkError) {
        self = try decode(Self.self, from: path)
        if format != 1 { throw BenchmarkError("\(path) has format \(format), not 1") }
    }

    /// Compares every ratio with a run.
    ///
    /// - Throws: an error if a quick run is compared with thresholds of a full run, or the reverse, or if a measure
    ///   is missing.
    public func verdicts(on results: Results) throws(BenchmarkError) -> [Verdict] {
        if results.isQuick != isQuick {
            throw BenchmarkError("the thresholds are of runs \(isQuick ? "with" : "without") --quick; this one is not")
        }
        var verdicts: [Verdict] = []
        for ratio in ratios { verdicts.append(Verdict(ratio: ratio, value: try ratio.value(in: results))) }
        return verdicts
    }

    /// The same ratios with a run's values, rounded to three digits.
    public func recorded(from results: Results) throws(BenchmarkError) -> Thresholds {
        var new = self
        new.isQuick = results.isQuick
        for index in ratios.indices {
            new.ratios[index].recorded = rounded(try ratios[index].value(in: results), digits: 3)
        }
        return new
    }

    /// The workloads whose measures are compared: the first part of each name.
    public var workloads: Set<String> {
        Set(ratios.flatMap { [$0.of, $0.to] }.map { String($0.prefix { $0 != "." }) })
    }

    public func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return try encoder.encode(self) + Data("\n".utf8)
    }
}

/// Rounds to this many significant digits.
func rounded(_ value: Double, digits: Int) -> Double {
    if value == 0 || !value.isFinite { return value }
    return Double(String(format: "%.\(max(digits, 1) - 1)e", value)) ?? value
}
