import Foundation
import Offstage
import OffstageVector
import OffstageWorkers

/// Decodes sounds in jailed worker processes and draws their waveforms. Never uses the main actor.
///
/// A sound is decoded once: its peaks are in memory for a while, and in the renderer's store.
public final class SoundEngine: JailedEngine {
    private let workers: WorkerEngine<SoundSource>
    /// For formats with large libraries.
    private let rareWorkers: WorkerEngine<SoundSource>
    private let cache: PeakCache
    let decoding = Listeners<(identifier: String, progress: SoundProgress)>()
    public var capacity: Int { workers.capacity }

    /// Makes an engine. Nothing starts before the first drawing.
    ///
    /// - Parameters:
    ///   - workers: the maximum number of sounds at a time, each decoded in its own process. Default: one per
    ///     processor, at most 8.
    ///   - memory: the bytes of peaks to keep in memory. Default 64 MiB, about six hours of stereo.
    ///   - jail: the use of bubblewrap. Default `.wherePossible`.
    ///   - fresh: when a sound gets a worker that has decoded nothing before. Default `.never`.
    public convenience init(
        workers: Int = min(ProcessInfo.processInfo.activeProcessorCount, 8), memory: Int = 64 << 20,
        jail: WorkerJail = .wherePossible, fresh: FreshWorkers = .never
    ) {
        self.init(.common, workers: workers, memory: memory, jail: jail, fresh: fresh)
    }

    /// - Parameter common: the program for common formats.
    init(
        _ common: SoundSource, workers: Int, memory: Int = 64 << 20, jail: WorkerJail = .wherePossible,
        fresh: FreshWorkers = .never
    ) {
        self.workers = WorkerEngine(common, workers: workers, jail: jail, fresh: fresh)
        rareWorkers = WorkerEngine(.rare, workers: workers, jail: jail, fresh: fresh)
        cache = PeakCache(limit: memory)
    }

    /// Makes an engine with 64 MiB of peaks in memory. Nothing starts before the first drawing.
    ///
    /// - Parameters:
    ///   - workers: the maximum number of sounds at a time, each decoded in its own process.
    ///   - jail: the use of bubblewrap.
    ///   - fresh: when a sound gets a worker that has decoded nothing before.
    public convenience init(workers: Int, jail: WorkerJail, fresh: FreshWorkers) {
        self.init(workers: workers, memory: 64 << 20, jail: jail, fresh: fresh)
    }

    @MainActor public var restarts: Int { workers.restarts + rareWorkers.restarts }

    /// The number of decoded sounds, for measurements.
    public var decodings: Int { cache.decodings }

    /// The number of decoded sounds that began with a known sound, whose peaks were reused: recordings that have grown.
    public var continuations: Int { cache.continuations }

    /// Reports the progress of decoding the sounds of pictures.
    ///
    /// - Parameter report: called on workers' threads with a request's identifier. A sound whose peaks are cached is
    ///   not reported.
    /// - Returns: the observation, which ends when it is released.
    public func observeDecoding(
        _ report: @escaping @Sendable (_ identifier: String, SoundProgress) -> Void
    ) -> SoundObservation {
        SoundObservation(decoding.add { report($0.identifier, $0.progress) })
    }

    public func use(_ store: PictureStore) { cache.use(store) }

    public func draw(_ request: Waveform) async throws(DrawingError) -> Drawing {
        var painter = try WaveformPainter(checking: request)
        let request = try await zoomed(request)
        painter.request = request
        let sound = try await decoded(request, progress(of: request.identifier))
        let facts = sound.facts
        painter.detail = try await detail(of: sound, for: request)
        var drawing = try painter.drawing(of: sound.pyramid, duration: facts.duration)
        drawing.warnings = facts.warnings
        drawing.warnings += painter.markerWarnings(duration: facts.duration)
        if request.sound.hasChanged { drawing.warnings.append(DrawingWarning(.soundChanged, "the file")) }
        drawing.contents = [PictureContent(facts: facts.all)]
        drawing.trust = [sound.trust, painter.detail?.trust].compactMap { $0 }
        return drawing
    }

    /// Converts peaks per second, which depend on the sound's rate, to frames per peak in the request.
    private func zoomed(_ request: Waveform) async throws(DrawingError) -> Waveform {
        guard let count = request.peaksPerSecond, case .vector = request.medium else { return request }
        var zoomed = request
        zoomed.peaksPerSecond = nil
        let rate = try await facts(about: request, measuresLoudness: false).rate
        zoomed.framesPerPeak = Waveform.framesPerPeak(rate: rate, peaksPerSecond: count)
        return zoomed
    }

    private func progress(of identifier: String) -> (@Sendable (SoundProgress) -> Void)? {
        if decoding.isEmpty { return nil }
        return { [decoding] in decoding.tell((identifier, $0)) }
    }

    /// The peaks of a sound: from memory, from the store, or decoded. Cancelling the task ends the decoding.
    ///
    /// - Parameters:
    ///   - request: the sound and its limits; its style is ignored.
    ///   - progress: called on a worker's thread while the sound is decoded, with the peaks so far. Default nil.
    /// - Returns: the peaks, with coarser ones for every zoom.
    /// - Throws: the error of a sound that cannot be decoded.
    public func peaks(
        of request: Waveform, progress: (@Sendable (SoundProgress) -> Void)? = nil
    ) async throws(DrawingError) -> PeakPyramid {
        try await decoded(request, progress).pyramid
    }

    /// The sound of a request, if its peaks are in memory or in the store. Decodes nothing.
    package func stored(_ request: Waveform) async throws(DrawingError) -> DecodedSound? {
        _ = try SoundSource.common.job(for: request)
        let sound = await cache.stored(fingerprint(ofPeaks: request), request.peaksVariant)
        if let sound, sound.facts.duration > request.limits.soundSeconds { throw SoundProblem.tooLong(request.limits) }
        return sound
    }

    private func fingerprint(ofPeaks request: Waveform) -> Fingerprint {
        SoundSource.peaksFingerprint(of: request.sound.digest, request.decodedFramesPerPeak, track: request.track)
            .build()
    }

    private func decoded(
        _ request: Waveform, _ progress: (@Sendable (SoundProgress) -> Void)? = nil
    ) async throws(DrawingError) -> DecodedSound {
        // Checked before any lookup, because the limits also apply to cached results.
        _ = try SoundSource.common.job(for: request)
        let fingerprint = fingerprint(ofPeaks: request)
        let sound = try await cache.sound(fingerprint, for: request) { [self] known async throws(DrawingError) in
            try await decode(request, known, progress)
        }
        if sound.facts.duration > request.limits.soundSeconds { throw SoundProblem.tooLong(request.limits) }
        return sound
    }

    /// - Parameter known: a sound with which this one begins.
    private func decode(
        _ request: Waveform, _ known: DecodedSound?, _ progress: (@Sendable (SoundProgress) -> Void)?
    ) async throws(DrawingError) -> DecodedSound {
        let framesPerPeak = request.decodedFramesPerPeak
        var job = try SoundSource.job(
            for: request.sound, framesPerPeak: framesPerPeak, limits: request.limits, mode: .peaks,
            track: request.track,
            knownPeaks: max(0, (known?.pyramid.peaks.count ?? 0) - 1), knownFacts: known?.facts)
        let bounds = SoundBounds(
            of: request.sound, request.sound.kind, framesPerPeak: framesPerPeak, request.limits)
        let collector = PeakCollector(framesPerPeak: framesPerPeak, bounds: bounds, known: known, report: progress)
        job.takePart = { collector.take($0) }
        let result = try await workers(for: request.sound).value(of: job) { answer throws(DrawingError) in
            let head = DecodedSound.head(report: answer.report, framesPerPeak: framesPerPeak, of: request.sound)
            let facts = SoundFacts(answer.report)
            let fits = known.map { $0.facts.rate == facts?.rate && $0.facts.channels == facts?.channels } ?? true
            if fits, let file = head.flatMap(collector.takeFile), var sound = DecodedSound(file) {
                sound.trust = answer.trust
                return DecodedSound?.some(sound)
            }
            if known == nil { throw SoundProblem.untrue }
            return nil
        }
        switch result {
        case .success(let sound?): return sound
        // The known sound may be the beginning of a file that has since changed.
        case .success(nil): return try await decode(request, nil, progress)
        case .failure(let failure): throw SoundProblem.error(for: failure, limits: request.limits)
        }
    }

    /// Describes a sound.
    ///
    /// - Parameters:
    ///   - request: the sound; its style is ignored.
    ///   - measuresLoudness: true to decode the sound and measure its loudness, the range and the true peak, which
    ///     takes longer than a picture of it. False to read only the header, whose length may be wrong. Default true.
    /// - Returns: the facts.
    /// - Throws: `DrawingError` for a sound that cannot be drawn either.
    public func facts(about request: Waveform, measuresLoudness: Bool = true) async throws(DrawingError) -> SoundFacts {
        var job = try SoundSource.job(
            for: request.sound, framesPerPeak: 1 << 16, limits: request.limits,
            mode: measuresLoudness ? .loudness : .head, track: request.track)
        job.takePart = { _ in }
        let result = try await workers(for: request.sound).value(of: job) { answer throws(DrawingError) in
            guard let facts = SoundFacts(answer.report) else { throw SoundProblem.untrue }
            return facts
        }
        switch result {
        case .success(let facts): return facts
        case .failure(let failure): throw SoundProblem.error(for: failure, limits: request.limits)
        }
    }

    public func fingerprint(of request: Waveform) -> Fingerprint? { workers.fingerprint(of: request) }

    /// The protections of the workers of both programs, for `doctor`. Starts them if necessary.
    public func protections() async throws(EngineUnavailable) -> WorkerProtections {
        try await workers.protections().intersection(rareWorkers.protections())
    }

    public func shutDown() async {
        await workers.shutDown()
        await rareWorkers.shutDown()
    }

    func workers(for sound: Sound) -> WorkerEngine<SoundSource> {
        sound.kind?.isRare == true ? rareWorkers : workers
    }
}
