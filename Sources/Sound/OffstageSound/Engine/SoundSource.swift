import COffstageWire
import Foundation
import Offstage
import OffstageWorkers

/// Sounds as a worker source. The worker's answers are peaks; the host draws them.
struct SoundSource: WorkerSource {
    let program: WorkerProgram

    static let common = SoundSource(program: WorkerProgram("offstage-sound"))
    /// For formats with large libraries, such as AAC and the sound of videos.
    ///
    /// A decoder's libraries can be links through Debian's alternatives, such as `libblas.so.3`.
    static let rare = SoundSource(program: WorkerProgram("offstage-sound-more", files: ["/etc/alternatives"]))

    func job(for request: Waveform) throws(DrawingError) -> WorkerJob {
        try Self.job(
            for: request.sound, framesPerPeak: request.decodedFramesPerPeak, limits: request.limits, mode: .peaks,
            track: request.track)
    }

    /// The type of query to a worker about a sound.
    enum Mode: Sendable, Hashable {
        case peaks
        /// Decodes the sound, and measures its loudness.
        case loudness
        /// Reads only the header.
        case head
    }

    static func job(
        for sound: Sound, framesPerPeak: Int, limits: SoundLimits, mode: Mode, track: Int?, knownPeaks: Int = 0,
        knownFacts: SoundFacts? = nil, peakLimit: Int = 0
    ) throws(DrawingError) -> WorkerJob {
        let start = sound.start
        guard let kind = start.kind else {
            throw sound.size == 0 ? .empty : sound.isUndecoded ? SoundProblem.undecodedKind : SoundProblem.unknownKind
        }
        if let track, !kind.isRare, track > 1 { throw SoundProblem.noTrack(1) }
        // Also checked when the peaks are cached.
        try limits.budget.check(sound.size)
        var options = offstage_sound_options()
        options.version = UInt32(OFFSTAGE_SOUND_VERSION)
        options.library = kind.library
        options.frames_per_peak = UInt32(clamping: max(1, framesPerPeak))
        options.is_info = mode == .head ? 1 : 0
        options.measures_loudness = mode == .loudness ? 1 : 0
        options.frame_limit = limits.frames
        options.start = UInt64(start.offset)
        options.known_peaks = UInt64(knownPeaks)
        options.peak_limit = UInt64(peakLimit)
        options.track = UInt32(clamping: track ?? 0)
        if let knownFacts {
            options.known_clips = UInt64(knownFacts.clippedRuns - knownFacts.lastClippedRuns)
            let first = (knownFacts.firstClipped ?? 0) * Double(knownFacts.rate)
            options.first_known_clip = UInt64(first.rounded())
        }
        let bytes = withUnsafeBytes(of: options) { Data($0) }
        var job = WorkerJob(document: Data(), options: bytes, budget: limits.budget)
        let bounds = SoundBounds(of: sound, kind, framesPerPeak: framesPerPeak, limits)
        job.budget.partBytes = min(limits.budget.partBytes, bounds.bytes())
        (job.document, job.file) = try sound.document()
        return job
    }

    /// Never called, because the engine draws the peaks itself.
    func drawing(from answer: WorkerAnswer, for request: Waveform) throws(DrawingError) -> Drawing {
        throw SoundProblem.damaged
    }

    func error(for failure: WorkerFailure, of request: Waveform) -> DrawingError {
        SoundProblem.error(for: failure, limits: request.limits)
    }

    func fingerprint(of request: Waveform) -> Fingerprint? {
        var fingerprint = Self.peaksFingerprint(
            of: request.sound.digest, request.decodedFramesPerPeak, track: request.track)
        fingerprint.add("drawing", "waveform \(WaveformPainter.version)")
        fingerprint.add("style", "\(request.style.description) \(request.scale)")
        if case .vector = request.medium {
            let perSecond = request.peaksPerSecond.map { " \($0)/s" } ?? ""
            fingerprint.add("data", "\(request.framesPerPeak)\(perSecond)")
        }
        fingerprint.add(request.margins)
        return fingerprint.build()
    }

    /// Identifies everything that decides the peaks.
    static func peaksFingerprint(of sound: Digest, _ framesPerPeak: Int, track: Int?) -> Fingerprint.Builder {
        var fingerprint = Fingerprint.Builder()
        fingerprint.add("engine", "sound \(OFFSTAGE_SOUND_VERSION)")
        fingerprint.add("libraries", libraries)
        fingerprint.add("sound", sound)
        fingerprint.add("peaks", "\(framesPerPeak)")
        if let track { fingerprint.add("track", "\(track)") }
        return fingerprint
    }

    /// The installed decoding libraries. An update invalidates peaks.
    static let libraries = WorkerProgram.identity(of: programs, libraries: libraryNames, plugins: plugins)
    static let programs = ["offstage-sound", "offstage-sound-more"]
    static let libraryNames = [
        "libsndfile", "libmpg123", "libFLAC", "libvorbis", "libopus", "libebur128", "libgstreamer-1.0", "libavcodec",
        "libfaad", "libwavpack",
    ]
    /// Libraries that the worker loads if they are installed.
    static let plugins = [
        "libav", "faad", "isomp4", "matroska", "mpegtsdemux", "audioparsers", "audioconvert", "opus", "vorbis",
        "mpg123", "flac", "alaw", "mulaw", "wavpack", "a52dec",
    ].map { "gstreamer-1.0/libgst\($0).so" }
}
