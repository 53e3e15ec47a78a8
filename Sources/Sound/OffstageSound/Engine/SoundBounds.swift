import COffstageWire
import Foundation

/// The limits for a worker's messages about a sound, by the size of its file.
struct SoundBounds: Sendable {
    /// The number of frames in a codec's block, and of frames that a decoder adds at an end.
    private static let extraFrames = 1 << 16

    /// The maximum number of peaks of each track.
    let peaks: Int

    /// - Parameter kind: the sound's format, if known.
    init(of sound: Sound, _ kind: SoundKind?, framesPerPeak: Int, _ limits: SoundLimits) {
        let frames = min(sound.size, 1 << 40) * (kind?.framesPerByte ?? 1) + Self.extraFrames
        let allowed = Int(clamping: limits.frames)
        // The last of the known peaks, and the last of all, may have fewer frames.
        peaks = min(frames, allowed) / max(1, framesPerPeak) + 2
    }

    /// The maximum size of the peaks of all tracks, in bytes.
    func bytes(channels: Int = Int(OFFSTAGE_SOUND_CHANNELS)) -> Int {
        peaks * Peaks.trackCount(channels: channels) * Peaks.recordSize
    }
}

extension SoundLimits {
    /// The maximum number of frames. The rate is unknown, so this uses the highest rate of any sound.
    var frames: UInt64 { UInt64(max(0, min(soundSeconds, 1e9)) * 384_000) }
}

extension SoundKind {
    /// The maximum number of frames per byte of a file, for any codec, including silence, which some codecs compress to
    /// nearly nothing.
    fileprivate var framesPerByte: Int {
        switch self {
        // Mono with 2 bits per sample has 4, and the shortest MP3 frame, which WAV can contain, has 72.
        case .wav, .aiff, .au, .w64, .mp3: 128
        // Four blocks of 1,024 frames, each doubled by the extension, after a header of 7 bytes.
        case .aac, .ac3, .mpegTS: 1024
        // A block of FLAC has 65,535 frames in 12 bytes, one of WavPack 131,072 in 32, and a packet of Vorbis or Opus 4,096 in 2.
        case .flac, .ogg, .caf, .wavpack, .mp4, .matroska: 8192
        }
    }
}
