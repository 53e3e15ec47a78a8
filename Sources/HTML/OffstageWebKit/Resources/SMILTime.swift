import Foundation

/// Clock values of SVG's animations.
enum SMILTime {
    /// Returns the seconds of a clock value such as `1.5s`, `200ms`, `01:30` or `2`; nil for anything else.
    static func seconds(_ text: String) -> Double? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if text.hasPrefix("-") { return seconds(String(text.dropFirst())).map { -$0 } }
        if text.hasPrefix("+") { return seconds(String(text.dropFirst())) }
        if text.contains(":") {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { number(String($0)) }
            guard (2...3).contains(parts.count), !parts.contains(nil) else { return nil }
            return parts.reduce(0) { $0 * 60 + ($1 ?? 0) }
        }
        for (unit, factor) in [("ms", 0.001), ("min", 60), ("h", 3600), ("s", 1)] where text.hasSuffix(unit) {
            return number(String(text.dropLast(unit.count))).map { $0 * factor }
        }
        return number(text)
    }

    private static func number(_ text: String) -> Double? {
        text.utf8.allSatisfy { $0 == UInt8(ascii: ".") || $0 &- 48 < 10 } ? Double(text) : nil
    }
}

/// The time in which an animation of an SVG element runs.
struct SMILTiming {
    private let begin, end, duration, count, total: String?
    private let isFrozen: Bool
    private let isSet: Bool

    /// - Parameter value: returns the value of an attribute; nil for one that is missing.
    init(isSet: Bool, _ value: (String) -> String?) {
        self.isSet = isSet
        (begin, end, duration) = (value("begin"), value("end"), value("dur"))
        (count, total) = (value("repeatCount"), value("repeatDur"))
        isFrozen = value("fill") == "freeze"
    }

    /// The seconds from the beginning to the end. Nil for an animation without an end.
    private var active: Double? {
        guard let duration = duration.flatMap(SMILTime.seconds), duration > 0 else { return nil }
        var active = duration
        if count != nil || total != nil {
            let repeats = count.map { Double($0.trimmingCharacters(in: .whitespaces)) ?? .infinity } ?? .infinity
            active = min(duration * repeats, total.map { SMILTime.seconds($0) ?? .infinity } ?? .infinity)
        }
        if let end = end.flatMap(SMILTime.seconds) { active = min(active, end - (start ?? 0)) }
        return active > 0 && active < .infinity ? active : nil
    }

    private var moments: [String] {
        (begin ?? "0").split(separator: ";").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
    }

    /// The first moment on the document's clock at which the animation begins. Nil for an animation that follows
    /// others, or waits for an event.
    private var start: Double? { moments.compactMap(SMILTime.seconds).min() }

    /// The attributes that put an animation at its end when the document's clock starts, and keep it there. Nil for an
    /// animation without an end.
    ///
    /// WebKit ignores animations that ended before the clock starts. So an animation that keeps its last value ends a
    /// moment later. A later animation still takes precedence over an earlier one, because its time is shorter.
    var ended: [String: String]? {
        let isConstant = isSet && duration == nil
        let hasEnd = end.flatMap(SMILTime.seconds) != nil
        guard isConstant || active != nil else { return nil }
        if isConstant ? hasEnd && !isFrozen : !isFrozen { return ["begin": "indefinite"] }
        let length: Double
        if let start {
            length = 1000 - min(max(start, -40_000), 40_000) / 100
        } else if moments.contains(where: { $0.contains(".end") || $0.contains(".begin") }) {
            length = 100
        } else {
            return ["begin": "indefinite"]
        }
        var changes = ["begin": text(1e-6 - length)]
        if hasEnd { changes["end"] = "indefinite" }
        if !isSet, let active, let duration = duration.flatMap(SMILTime.seconds) {
            changes["dur"] = text(length * duration / active)
            changes["repeatDur"] = text(length)
        } else if isSet, duration != nil {
            changes["dur"] = "indefinite"
        }
        return changes
    }

    private func text(_ seconds: Double) -> String { String(format: "%.9fs", seconds) }
}
