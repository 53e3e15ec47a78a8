import Foundation

extension Results {
    /// Every measure with its median, its lowest and highest sample, the number of samples, and its target.
    public var table: String {
        var table = TextTable(["measure", "median", "low", "high", "n", "unit", "aim"], numbers: [1, 2, 3, 4])
        for measure in measures {
            let numbers = measure.statistics
            table.add([
                measure.name, short(numbers.median), short(numbers.low), short(numbers.high), "\(numbers.count)",
                measure.unit, aim(of: measure),
            ])
        }
        return table.text + leftOut.map { "left out: \($0.workload): \($0.reason)\n" }.joined()
    }

    private func aim(of measure: Measure) -> String {
        guard let aim = measure.aim, let isReached = measure.reachesAim else { return "" }
        return "\(measure.better == .lower ? "≤" : "≥") \(short(aim)) \(isReached ? "reached" : "missed")"
    }
}

extension [Thresholds.Verdict] {
    /// Each ratio, with its recorded value, its limit and its current value.
    public var table: String {
        var table = TextTable(["ratio", "recorded", "limit", "now", "change", ""], numbers: [1, 2, 3, 4])
        for verdict in self {
            table.add([
                verdict.ratio.name, short(verdict.ratio.recorded), short(verdict.ratio.limit), short(verdict.value),
                String(format: "%+.0f %%", verdict.change * 100), verdict.isWithin ? "" : "WORSE",
            ])
        }
        return table.text
    }
}
