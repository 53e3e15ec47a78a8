import Foundation
import OffstageWorkers
import Synchronization

/// Collects the peaks that a worker sends while it decodes.
final class PeakCollector: Sendable {
    private struct State {
        /// After the place of the head in the store.
        var file: Data
        var rate = 0
        var channels = 0
    }

    private let state: Mutex<State>
    /// The head's place, and the peaks that are known.
    private let beginning: Data
    private let framesPerPeak: Int
    private let report: (@Sendable (SoundProgress) -> Void)?

    /// - Parameter known: a sound with which this one begins.
    init(framesPerPeak: Int, known: DecodedSound?, report: (@Sendable (SoundProgress) -> Void)?) {
        beginning = known?.wholePeaks ?? Data(count: DecodedSound.headSize)
        state = Mutex(State(file: beginning))
        self.framesPerPeak = framesPerPeak
        self.report = report
    }

    /// Untrusted: parts that do not belong together become peaks that the report's facts refuse.
    func take(_ part: WorkerPart) {
        let progress = state.withLock { state -> SoundProgress? in
            if part.number == 0 { state = State(file: beginning) }
            state.file.append(part.bytes)
            state.rate = Int(min(part.numbers[0], UInt64(Int32.max)))
            state.channels = Int(min(part.numbers[1], 33))
            guard report != nil, state.rate > 0, (1...32).contains(state.channels) else { return nil }
            let step = Peaks.trackCount(channels: state.channels) * Peaks.recordSize
            let records = state.file.dropFirst(DecodedSound.headSize)
            let peaks = Peaks(
                rate: state.rate, channels: state.channels, framesPerPeak: framesPerPeak,
                records: records.prefix(records.count / step * step))
            return SoundProgress(
                share: part.total > 0 ? min(1, Double(part.done) / Double(part.total)) : 0, peaks: peaks)
        }
        if let progress { report?(progress) }
    }

    /// The collected bytes after a head of `DecodedSound.headSize` bytes. The collector is empty afterwards, so that they are not
    /// copied: those of a long sound are the most of its memory.
    func takeFile(_ head: Data) -> Data {
        state.withLock { state in
            state.file.replaceSubrange(0..<DecodedSound.headSize, with: head)
            let file = state.file
            state = State(file: Data())
            return file
        }
    }
}
