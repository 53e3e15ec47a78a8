import COffstageWire
import Foundation
import Offstage

/// The peaks of a sound and its facts, in the form used in memory and in the store.
package struct DecodedSound: Sendable {
    package let pyramid: PeakPyramid
    package let facts: SoundFacts
    /// The digest of the sound's file, and its length, to recognize a longer file that begins with it.
    let digest: Digest
    let byteCount: Int
    /// The form for the store: a header of `headSize` bytes, then the records.
    package let file: Data
    /// The trust in the worker that decoded it; nil for a sound from the store.
    var trust: DrawingTrust?

    static let headSize = 1024
    /// Change this together with the layout.
    private static let magic: UInt64 = 0x0002_534B_4145_504F

    /// The facts in a file's header.
    private struct Head {
        var magic = DecodedSound.magic
        var report = offstage_sound_report()
        var framesPerPeak: UInt32 = 0
        var byteCount: UInt64 = 0
        var digest: Digest
    }

    /// Makes a file's header.
    ///
    /// - Parameter report: the worker's report, untrusted.
    /// - Returns: nil if the report is invalid.
    static func head(report: Data, framesPerPeak: Int, of sound: Sound) -> Data? {
        guard report.count == MemoryLayout<offstage_sound_report>.size else { return nil }
        var head = Head(digest: sound.digest)
        head.report = report.withUnsafeBytes { $0.loadUnaligned(as: offstage_sound_report.self) }
        head.framesPerPeak = UInt32(clamping: framesPerPeak)
        head.byteCount = UInt64(sound.size)
        let bytes = withUnsafeBytes(of: head) { Data($0) }
        return bytes.count > headSize ? nil : bytes + Data(count: headSize - bytes.count)
    }

    /// Reads a file, which may contain anything. It must contain the peaks of all of its frames.
    package init?(_ file: Data) {
        guard file.count > Self.headSize else { return nil }
        let head = file.withUnsafeBytes { $0.loadUnaligned(as: Head.self) }
        let report = withUnsafeBytes(of: head.report) { Data($0) }
        guard head.magic == Self.magic, head.framesPerPeak > 0, let facts = SoundFacts(report) else { return nil }
        let records = file.dropFirst(Self.headSize)
        let step = Peaks.trackCount(channels: facts.channels) * Peaks.recordSize
        // Divide as the worker does: the last peak may have fewer frames.
        let (whole, rest) = facts.frames.quotientAndRemainder(dividingBy: Int(head.framesPerPeak))
        guard records.count == (whole + (rest > 0 ? 1 : 0)) * step else { return nil }
        self.facts = facts
        self.file = file
        digest = head.digest
        byteCount = Int(clamping: head.byteCount)
        pyramid = PeakPyramid(
            Peaks(
                rate: facts.rate, channels: facts.channels, framesPerPeak: Int(head.framesPerPeak), records: records))
    }

    /// The file without the last peak, which may be incomplete.
    var wholePeaks: Data {
        let step = Peaks.trackCount(channels: facts.channels) * Peaks.recordSize
        return file.prefix(file.count - step)
    }
}
