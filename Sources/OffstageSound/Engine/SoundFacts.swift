import COffstageWire
import Foundation
import Offstage

/// The facts about a sound.
public struct SoundFacts: Sendable, Hashable {
    /// `MP3`, `WAV`, `Opus`.
    public var kind: String
    /// Frames per second.
    public var rate: Int
    public var channels: Int
    /// Those that were decoded, or those that the head promises.
    public var frames: Int
    /// Of a sample: 8 to 64; nil if it has no meaning for the kind.
    public var bits: Int?
    /// LUFS, ITU-R BS.1770; nil if it was not measured, or for silence.
    public var loudness: Double?
    /// Empty for a whole sound.
    public var warnings: [DrawingWarning]

    /// Seconds.
    public var duration: Double { Double(frames) / Double(rate) }

    /// The duration as `1:02:03.4`.
    public var time: String { Self.time(duration) }

    /// Reads a worker's report. Untrusted: any bytes may come.
    init?(_ report: Data) {
        guard report.count == MemoryLayout<offstage_sound_report>.size else { return nil }
        let report = report.withUnsafeBytes { $0.loadUnaligned(as: offstage_sound_report.self) }
        guard report.rate > 0, report.rate <= UInt32(Int32.max), (1...32).contains(report.channels),
            report.frames < 1 << 50
        else { return nil }
        rate = Int(report.rate)
        channels = Int(report.channels)
        frames = Int(report.frames)
        bits = (8...64).contains(report.bits) ? Int(report.bits) : nil
        let name = withUnsafeBytes(of: report.kind) { $0.prefix { $0 >= 0x20 && $0 < 0x7F } }
        kind = String(decoding: name, as: UTF8.self)
        let isMeasured = report.has_loudness != 0 && report.loudness.isFinite && abs(report.loudness) < 200
        loudness = isMeasured ? report.loudness : nil
        warnings = Self.warnings(report)
    }

    private static func warnings(_ report: offstage_sound_report) -> [DrawingWarning] {
        var warnings: [DrawingWarning] = []
        let promised = Double(report.promised_frames) / Double(report.rate)
        let decoded = Double(report.frames) / Double(report.rate)
        // Kinds that are coded in blocks promise up to a block too much.
        if promised > decoded + 0.2 {
            let reason = "\(time(decoded)) of \(time(promised)) are there"
            warnings.append(DrawingWarning(.soundDamaged, "its end", reason: reason))
        } else if report.is_damaged != 0 {
            warnings.append(DrawingWarning(.soundDamaged, "a part", reason: "\(time(decoded)) could be decoded"))
        } else if report.has_false_length != 0 || (promised > 0 && decoded > promised + 0.2) {
            let reason = "\(time(decoded)) are there"
            warnings.append(DrawingWarning(.soundLength, "its head", reason: reason))
        }
        if report.has_odd_samples != 0 { warnings.append(DrawingWarning(.soundSamples, "its samples")) }
        return warnings
    }

    /// As `1:02:03.4`.
    static func time(_ seconds: Double) -> String {
        let tenths = Int((min(max(0, seconds), 1e12) * 10).rounded())
        let (whole, tenth) = (tenths / 10, tenths % 10)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let hours = whole / 3600
        let text = hours > 0 ? "\(hours):\(two(whole / 60 % 60))" : "\(whole / 60)"
        return "\(text):\(two(whole % 60)).\(tenth)"
    }

    /// The facts by name, for JSON.
    public var all: [String: SourceFact] {
        var facts: [String: SourceFact] = [
            "kind": .text(kind), "duration": .number((duration * 1000).rounded() / 1000),
            "rate": .number(Double(rate)), "channels": .number(Double(channels)),
        ]
        if let bits { facts["bits"] = .number(Double(bits)) }
        if let loudness { facts["loudness"] = .number((loudness * 10).rounded() / 10) }
        return facts
    }
}

extension DrawingWarning.Code {
    /// The file is damaged or was cut. The picture shows what could be decoded.
    public static let soundDamaged = Self("sound-damaged", "missing because the file is damaged: ")
    /// A length in the file is wrong. The picture shows the whole sound.
    public static let soundLength = Self("sound-length", "a wrong length is in ").with { $0.isDefect = false }
    /// Floating-point samples that are not numbers are shown as silence.
    public static let soundSamples = Self("sound-samples", "not all are numbers: ")
    /// The file changed while it was decoded.
    public static let soundChanged = Self("sound-changed", "changed while it was decoded: ").with {
        $0.isLasting = false
    }

    /// All codes that a drawing of a sound may have.
    public static let sounds: [Self] = [.soundDamaged, .soundLength, .soundSamples, .soundChanged]
}
