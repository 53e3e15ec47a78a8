import COffstageWire
import Foundation
import Offstage

/// The peaks of a sound and its facts, as they are in memory and in the store.
struct DecodedSound: Sendable {
    let pyramid: PeakPyramid
    let facts: SoundFacts
    /// For the store: a head of `headSize` bytes, then the records.
    let file: Data

    static let headSize = 256
    private static let magic = Data("Offstage peaks 1".utf8)

    /// The head of a file.
    ///
    /// - Parameter report: of the worker, untrusted; one that is too long is cut, and then refused.
    static func head(report: Data, framesPerPeak: Int) -> Data {
        var head = magic
        head.append(report)
        withUnsafeBytes(of: UInt32(clamping: framesPerPeak)) { head.append(contentsOf: $0) }
        return head.prefix(headSize) + Data(count: max(0, headSize - head.count))
    }

    /// From a file, which may be anything.
    init?(_ file: Data) {
        let size = MemoryLayout<offstage_sound_report>.size
        let head = Data(file.prefix(Self.headSize))
        guard head.count == Self.headSize, head.starts(with: Self.magic),
            let facts = SoundFacts(head[Self.magic.count..<Self.magic.count + size])
        else { return nil }
        let framesPerPeak = head.withUnsafeBytes {
            Int($0.loadUnaligned(fromByteOffset: Self.magic.count + size, as: UInt32.self))
        }
        let records = file.dropFirst(Self.headSize)
        let step = Peaks.trackCount(channels: facts.channels) * Peaks.recordSize
        guard framesPerPeak > 0, !records.isEmpty, records.count % step == 0 else { return nil }
        self.facts = facts
        self.file = file
        pyramid = PeakPyramid(
            Peaks(rate: facts.rate, channels: facts.channels, framesPerPeak: framesPerPeak, records: records))
    }
}
