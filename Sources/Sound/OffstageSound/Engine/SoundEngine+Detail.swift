import COffstageWire
import Foundation
import Offstage
import OffstageWorkers
import Synchronization

extension SoundEngine {
    /// Finer peaks of the visible part, if the picture needs them. They are decoded for each picture, because those of
    /// a whole sound would be larger than its samples.
    ///
    /// - Parameter sound: the decoded sound.
    /// - Returns: nil if the sound's peaks are fine enough.
    func detail(of sound: DecodedSound, for request: Waveform) async throws(DrawingError) -> PeakDetail? {
        let facts = sound.facts
        // A vector file has no px, so its lines are as fine as on an ordinary screen.
        let unit = request.medium == .pixels ? request.scale : 1
        guard
            let plan = PeakDetail.Plan(
                for: request.style, unit: unit, rate: facts.rate, duration: facts.duration,
                usual: sound.pyramid.peaks.framesPerPeak)
        else { return nil }
        var job = try SoundSource.job(
            for: request.sound, framesPerPeak: plan.framesPerPeak, limits: request.limits, mode: .peaks,
            track: request.track, knownPeaks: plan.first, peakLimit: plan.count)
        let step = Peaks.trackCount(channels: facts.channels) * Peaks.recordSize
        // The part may end with an incomplete peak.
        job.budget.partBytes = min(job.budget.partBytes, plan.count * step)
        let records = Mutex(Data())
        job.takePart = { part in
            records.withLock { records in
                if part.number == 0 { records = Data() }
                records.append(part.bytes)
            }
        }
        let result = try await workers(for: request.sound).value(of: job) { answer throws(DrawingError) in
            let found = records.withLock { $0 }
            guard let decoded = SoundFacts(answer.report) else { throw SoundProblem.untrue }
            // If the file has changed since, the sound's own peaks are drawn.
            guard decoded.rate == facts.rate, decoded.channels == facts.channels, found.count >= step else {
                return PeakDetail?.none
            }
            let peaks = Peaks(
                rate: facts.rate, channels: facts.channels, framesPerPeak: plan.framesPerPeak,
                records: found.prefix(found.count / step * step))
            return PeakDetail(
                pyramid: PeakPyramid(peaks), start: Double(plan.first * plan.framesPerPeak) / Double(facts.rate),
                trust: answer.trust)
        }
        guard case .success(let detail) = result else { return nil }
        return detail
    }
}
