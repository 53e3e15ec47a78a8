import Foundation
import OffstageWorkers
import Synchronization

/// Collects the peaks that a worker sends while it decodes.
final class PeakCollector: Sendable {
    private struct State {
        /// The bytes after the space for the header, as in the store.
        var file: Data
        var rate = 0
        var channels = 0
        /// False after an invalid part, or one too many. Nothing more is collected then.
        var isTrue = true
    }

    private let state: Mutex<State>
    /// Space for the header, and the known peaks.
    private let beginning: Data
    private let framesPerPeak: Int
    private let bounds: SoundBounds
    private let report: (@Sendable (SoundProgress) -> Void)?

    /// - Parameters:
    ///   - bounds: the sound's bounds.
    ///   - known: a sound with which this one begins.
    init(
        framesPerPeak: Int, bounds: SoundBounds, known: DecodedSound?, report: (@Sendable (SoundProgress) -> Void)?
    ) {
        beginning = known?.wholePeaks ?? Data(count: DecodedSound.headSize)
        state = Mutex(State(file: beginning))
        self.framesPerPeak = framesPerPeak
        self.bounds = bounds
        self.report = report
    }

    /// Adds a part, which is untrusted: even consistent parts can produce peaks that contradict the report.
    func take(_ part: WorkerPart) {
        let progress = state.withLock { state -> SoundProgress? in
            if part.number == 0 { state = State(file: beginning) }
            let (rate, channels) = (Int(min(part.numbers[0], UInt64(Int32.max))), Int(min(part.numbers[1], 33)))
            if part.number == 0 { (state.rate, state.channels) = (rate, channels) }
            let size = state.file.count - DecodedSound.headSize + part.bytes.count
            state.isTrue =
                state.isTrue && (rate, channels) == (state.rate, state.channels)
                && size <= bounds.bytes(channels: max(1, channels))
            guard state.isTrue else {
                state.file = Data()
                return nil
            }
            state.file.append(part.bytes)
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

    /// The collected bytes after a header of `DecodedSound.headSize` bytes; nil if they are invalid. Empties the
    /// collector, so that they need not be copied: the peaks of a long sound are most of its memory.
    func takeFile(_ head: Data) -> Data? {
        state.withLock { state in
            guard state.isTrue, state.file.count >= DecodedSound.headSize else { return nil }
            state.file.replaceSubrange(0..<DecodedSound.headSize, with: head)
            let file = state.file
            state = State(file: Data())
            return file
        }
    }
}
