import COffstageWire
import Foundation
import Offstage

/// The peaks of a sound and its facts, as they are in memory and in the store.
package struct DecodedSound: Sendable {
    package let pyramid: PeakPyramid
    package let facts: SoundFacts
    /// Of the sound's file, and its length, so that a longer one that begins with it can be recognized.
    let digest: Digest
    let byteCount: Int
    /// For the store: a head of `headSize` bytes, then the records.
    package let file: Data
    /// Of the worker that decoded it; nil for a sound from the store.
    var trust: DrawingTrust?

    static let headSize = 1024
    /// Another one for another layout.
    private static let magic: UInt64 = 0x0002_534B_4145_504F

    /// The facts in the head of a file.
    private struct Head {
        var magic = DecodedSound.magic
        var report = offstage_sound_report()
        var framesPerPeak: UInt32 = 0
        var byteCount: UInt64 = 0
        var digest: Digest
    }

    /// The head of a file.
    ///
    /// - Parameter report: of the worker, untrusted.
    /// - Returns: nil for a report that is none.
    static func head(report: Data, framesPerPeak: Int, of sound: Sound) -> Data? {
        guard report.count == MemoryLayout<offstage_sound_report>.size else { return nil }
        var head = Head(digest: sound.digest)
        head.report = report.withUnsafeBytes { $0.loadUnaligned(as: offstage_sound_report.self) }
        head.framesPerPeak = UInt32(clamping: framesPerPeak)
        head.byteCount = UInt64(sound.size)
        let bytes = withUnsafeBytes(of: head) { Data($0) }
        return bytes.count > headSize ? nil : bytes + Data(count: headSize - bytes.count)
    }

    /// From a file, which may be anything: its peaks must be those of all of its frames.
    package init?(_ file: Data) {
        guard file.count > Self.headSize else { return nil }
        let head = file.withUnsafeBytes { $0.loadUnaligned(as: Head.self) }
        let report = withUnsafeBytes(of: head.report) { Data($0) }
        guard head.magic == Self.magic, head.framesPerPeak > 0, let facts = SoundFacts(report) else { return nil }
        let records = file.dropFirst(Self.headSize)
        let step = Peaks.trackCount(channels: facts.channels) * Peaks.recordSize
        // The same division as in the worker: the last peak may have fewer frames.
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

    /// The file without the last peak, which may not be complete.
    var wholePeaks: Data {
        let step = Peaks.trackCount(channels: facts.channels) * Peaks.recordSize
        return file.prefix(file.count - step)
    }
}
