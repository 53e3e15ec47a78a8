import Foundation
import Offstage
import OffstageSound

/// Reads sounds, for `offstage info`.
package enum SoundInspector {
    /// The option of `offstage info` for a sound's target loudness.
    package static let option = OptionTable.Option(
        "target", value: "LUFS", help: "Print the gain that brings a sound to this loudness, such as -16")

    /// - Throws: `UsageError` for a target that no sound can have.
    package static func target(_ options: ParsedOptions) throws(UsageError) -> Double? {
        try options.number(option.name, in: -70...0)
    }

    static func info(_ document: SourceDocument, _ options: ParsedOptions) async throws -> SourceInfo {
        let request = try SoundSettings(options, limit: nil).waveform(for: document, identifier: document.name)
        let facts = try await Inspection.engine(SoundEngine.self, options).facts(about: request)
        return SourceInfo(facts, target: try target(options))
    }
}

/// The change that brings a sound to another loudness.
private struct LoudnessTarget {
    /// The maximum true peak of a delivered sound according to EBU R 128, in decibels of full scale.
    private static let highest = -1.0

    let loudness: Double
    /// Decibels.
    let gain: Double
    /// The true peak with the gain, decibels of full scale.
    let truePeak: Double

    /// - Returns: nil for silence.
    init?(_ loudness: Double, of facts: SoundFacts) {
        guard let own = facts.loudness, let peak = facts.truePeak else { return nil }
        self.loudness = loudness
        gain = (loudness - own).tenths
        truePeak = (peak + gain).tenths
    }

    var isTooLoud: Bool { truePeak > Self.highest }

    var json: JSONValue {
        .object([
            "loudness": .number(loudness), "gain": .number(gain), "truePeak": .number(truePeak),
            "isTooLoud": .bool(isTooLoud),
        ])
    }

    var line: String {
        let sign = gain > 0 ? "+" : ""
        let line = "to \(loudness.shortest) LUFS: \(sign)\(gain) dB, then its true peak is \(truePeak) dBTP"
        return isTooLoud
            ? line + ", above \(Self.highest.shortest) dBTP; limit its peaks, or choose a lower target" : line
    }
}

extension Double {
    fileprivate var tenths: Double { (self * 10).rounded() / 10 + 0 }

    /// Whole numbers have no fraction.
    fileprivate var shortest: String { self == rounded() ? String(Int(self)) : String(self) }
}

extension DrawingWarning {
    /// The same format as in the results of `render --json`.
    fileprivate var jsonObject: JSONValue {
        var object = ["code": code.name, "subject": subject, "message": description]
        object["reason"] = reason
        return .object(object.mapValues(JSONValue.text))
    }
}

extension SoundTrack {
    fileprivate var json: JSONValue {
        var values: [String: JSONValue] = ["codec": .text(codec)]
        values["language"] = language.map(JSONValue.text)
        values["rate"] = rate.map(JSONValue.integer)
        values["channels"] = channels.map(JSONValue.integer)
        return .object(values)
    }

    fileprivate func line(_ number: Int) -> String {
        let words = [codec, rate.map { "\($0) Hz" }, channels.map(channelsText), language]
        return "track \(number): " + words.compactMap { $0 }.joined(separator: ", ")
    }
}

private func channelsText(_ count: Int) -> String { count == 1 ? "mono" : count == 2 ? "stereo" : "\(count) channels" }

extension SourceInfo {
    /// A sound.
    ///
    /// - Parameter target: the target loudness, LUFS; nil for none.
    fileprivate init(_ facts: SoundFacts, target: Double?) {
        var words = [facts.kind, facts.time, "\(facts.rate) Hz", channelsText(facts.channels)]
        if let bits = facts.bits { words.append("\(bits) bits") }
        if let loudness = facts.loudness { words.append("\(loudness.tenths) LUFS") }
        if let range = facts.loudnessRange { words.append("range \(range.tenths) LU") }
        if let peak = facts.truePeak { words.append("true peak \(peak.tenths) dBTP") }
        var lines = [words.joined(separator: ", ")]
        var values = facts.all.mapValues(JSONValue.init)
        if facts.tracks.count > 1 {
            values["tracks"] = .list(facts.tracks.map(\.json))
            lines += facts.tracks.enumerated().map { $1.line($0 + 1) }
        }
        if let target = target.flatMap({ LoudnessTarget($0, of: facts) }) {
            values["target"] = target.json
            lines.append(target.line)
        }
        if !facts.warnings.isEmpty { values["warnings"] = .list(facts.warnings.map(\.jsonObject)) }
        self.init(values: values, lines: lines + facts.warnings.map(\.description))
    }
}
