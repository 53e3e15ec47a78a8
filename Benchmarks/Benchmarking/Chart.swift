import Foundation

/// A run's results as values for `chart.html`, which Offstage draws.
public enum Chart {
    /// A line of JSON for `offstage render --data`.
    public static func data(of results: Results) throws -> Data {
        let machine = results.machine
        let versions = results.versions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        let about =
            ["\(results.date.prefix(10))", machine.processor, "\(machine.cores) cores", "\(machine.memoryMiB) MiB"]
            + versions + (results.isQuick ? ["a quick run"] : [])
        let row = [
            "identifier": "chart", "title": "Offstage benchmarks", "about": about.joined(separator: " · "),
            "sections": costs(results) + aims(results) + results.series.map(line).joined(),
        ]
        return try JSONEncoder().encode(row) + Data("\n".utf8)
    }

    /// Milliseconds per row, all on one scale, with a line from the best to the worst repetition.
    private static func costs(_ results: Results) -> String {
        let measures = results.measures.filter { $0.unit == "ms a row" }
        guard let most = measures.map(\.statistics.high).max(), most > 0 else { return "" }
        let bars = measures.map { measure in
            let numbers = measure.statistics
            let whisker = place("u", from: numbers.low / most, to: numbers.high / most)
            return bar(measure, "<i style=\"width: \(percent(numbers.median / most))\"></i>" + whisker)
        }
        return
            "<h2>Milliseconds a row <small>median; the line goes from the best repetition to the worst</small></h2>\n"
            + bars.joined()
    }

    /// Shows how close each figure is to its target, which is in the middle.
    private static func aims(_ results: Results) -> String {
        let bars = results.measures.compactMap { measure -> String? in
            guard let aim = measure.aim, let isReached = measure.reachesAim, aim > 0 else { return nil }
            let median = measure.statistics.median
            let part = measure.better == .lower ? median / aim : aim / max(median, .leastNonzeroMagnitude)
            let shade = isReached ? "reached" : "missed"
            return bar(
                measure,
                "<i class=\"\(shade)\" style=\"width: \(percent(min(part / 2, 1)))\"></i><s style=\"left: 50%\"></s>")
        }
        if bars.isEmpty { return "" }
        return "<h2>Aims <small>the mark is the aim; a shorter bar is better</small></h2>\n" + bars.joined()
    }

    private static func bar(_ measure: Measure, _ track: String) -> String {
        """
        <div class="bar"><span>\(escaped(measure.title))</span><div class="track">\(track)</div>\
        <b>\(short(measure.statistics.median)) \(escaped(measure.unit))</b></div>

        """
    }

    private static func place(_ tag: String, from low: Double, to high: Double) -> String {
        "<\(tag) style=\"left: \(percent(low)); width: \(percent(high - low))\"></\(tag)>"
    }

    /// A series as a line whose scale starts at 0.
    private static func line(_ series: Results.Series) -> String {
        let (width, height) = (800.0, 150.0)
        guard let right = series.points.map({ $0[0] }).max(), let top = series.points.map({ $0[1] }).max(),
            right > 0, top > 0
        else { return "" }
        let points = series.points.map { point in
            String(format: "%.1f %.1f", point[0] / right * width, height - point[1] / top * (height - 14))
        }
        return """
            <h2>\(escaped(series.title)) <small>\(escaped(series.y)) over \(escaped(series.x))</small></h2>
            <svg viewBox="0 0 \(Int(width)) \(Int(height) + 16)">
            <line x1="0" x2="\(Int(width))" y1="14" y2="14"/><line x1="0" x2="\(Int(width))" y1="150" y2="150"/>
            <text x="0" y="10">\(short(top)) \(escaped(series.y))</text>
            <text x="\(Int(width))" y="164" text-anchor="end">\(short(right)) \(escaped(series.x))</text>
            <path d="M\(points.joined(separator: "L"))"/></svg>

            """
    }

    private static func percent(_ part: Double) -> String { String(format: "%.2f%%", part * 100) }

    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
    }
}
