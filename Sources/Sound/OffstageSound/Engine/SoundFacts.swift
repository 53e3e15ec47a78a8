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
    /// The number of decoded frames, or the number in the header.
    public var frames: Int
    /// Bits per sample: 8 to 64; nil if it has no meaning for the format.
    public var bits: Int?
    /// LUFS, ITU-R BS.1770; nil if it was not measured, or for silence.
    public var loudness: Double?
    /// LU, EBU Tech 3342; nil if it was not measured, or for a sound of less than 3 s.
    public var loudnessRange: Double?
    /// The true peak, which can be between samples (ITU-R BS.1770), in decibels relative to full scale. Players clip it
    /// if it is more than 0. Nil if it was not measured, or for silence.
    public var truePeak: Double?
    /// The number of runs of clipped samples in all channels.
    public var clippedRuns: Int
    /// The time of the first clipped sample in seconds; nil if none is clipped.
    public var firstClipped: Double?
    /// The number of clipped runs in the last peak, which may be incomplete.
    var lastClippedRuns: Int
    /// The sound tracks of a container; empty for other files. At most 16.
    public var tracks: [SoundTrack]
    /// Empty if the sound is complete.
    public var warnings: [DrawingWarning]

    /// Seconds.
    public var duration: Double { Double(frames) / Double(rate) }

    /// The duration as `1:02:03.4`.
    public var time: String { Self.time(duration) }

    /// Reads a worker's report. Untrusted, so it may be any bytes.
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
        let hasRange = isMeasured && report.frames >= 3 * UInt64(report.rate)
        loudnessRange = hasRange && (0..<200).contains(report.loudness_range) ? report.loudness_range : nil
        let hasPeak = isMeasured && report.true_peak > 0 && report.true_peak < 1e9
        truePeak = hasPeak ? 20 * log10(report.true_peak) : nil
        clippedRuns = Int(min(report.clips, report.frames * UInt64(report.channels)))
        lastClippedRuns = Int(min(report.last_clips, UInt64(clippedRuns)))
        firstClipped = clippedRuns > 0 ? Double(min(report.first_clip, report.frames)) / Double(rate) : nil
        tracks = withUnsafeBytes(of: report.tracks) { bytes in
            bytes.bindMemory(to: offstage_sound_track.self).prefix(Int(report.track_count)).map(SoundTrack.init)
        }
        warnings = Self.warnings(report)
        if let firstClipped {
            let places = clippedRuns == 1 ? "1 place" : "\(clippedRuns) places"
            warnings.append(
                DrawingWarning(.soundClipped, places, reason: "the first one at \(Self.time(firstClipped))"))
        }
    }

    private static func warnings(_ report: offstage_sound_report) -> [DrawingWarning] {
        var warnings: [DrawingWarning] = []
        let promised = Double(report.promised_frames) / Double(report.rate)
        let decoded = Double(report.frames) / Double(report.rate)
        // Formats coded in blocks may announce up to a block too much.
        if promised > decoded + 0.2 {
            let reason = "\(time(decoded)) of \(time(promised)) could be decoded"
            warnings.append(DrawingWarning(.soundDamaged, "its end", reason: reason))
        } else if report.is_damaged != 0 {
            warnings.append(DrawingWarning(.soundDamaged, "a part", reason: "\(time(decoded)) could be decoded"))
        } else if report.has_false_length != 0 || (promised > 0 && decoded > promised + 0.2) {
            let reason = "the sound is \(time(decoded)) long"
            warnings.append(DrawingWarning(.soundLength, "its header", reason: reason))
        }
        if report.has_odd_samples != 0 { warnings.append(DrawingWarning(.soundSamples, "some samples")) }
        return warnings
    }

    /// Formats a time like `1:02:03.4`.
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
        func add(_ name: String, _ value: Double?) {
            if let value { facts[name] = .number((value * 10).rounded() / 10) }
        }
        add("loudness", loudness)
        add("loudnessRange", loudnessRange)
        add("truePeak", truePeak)
        if clippedRuns > 0 { facts["clippedRuns"] = .number(Double(clippedRuns)) }
        if let firstClipped { facts["firstClipped"] = .number((firstClipped * 1000).rounded() / 1000) }
        return facts
    }
}

extension DrawingWarning.Code {
    /// The file is damaged or truncated. The picture shows the decodable part.
    public static let soundDamaged = Self("sound-damaged", "missing because the file is damaged: ")
    /// A length in the file is wrong. The picture shows the whole sound.
    public static let soundLength = Self("sound-length", "a wrong length is in ").with { $0.isDefect = false }
    /// Floating-point samples that are not numbers are shown as silence.
    public static let soundSamples = Self("sound-samples", "not valid numbers: ")
    /// Samples are clipped, in the file or because they exceed full scale. The picture shows them at full scale.
    public static let soundClipped = Self("sound-clipped", "clipped at full scale: ").with { $0.isDefect = false }
    /// Markers or regions are after the end of the sound, where nothing is drawn.
    public static let soundMarkers = Self("sound-markers", "after the end of the sound: ")
    /// The file changed while it was decoded.
    public static let soundChanged = Self("sound-changed", "changed while it was decoded: ").with {
        $0.isLasting = false
    }

    /// All codes of sound drawings.
    public static let sounds: [Self] = [
        .soundDamaged, .soundLength, .soundSamples, .soundClipped, .soundMarkers, .soundChanged,
    ]
}
