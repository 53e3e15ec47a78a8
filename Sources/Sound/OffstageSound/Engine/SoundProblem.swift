import COffstageWire
import Foundation
import Offstage
import OffstageWorkers

/// The problems of sounds, in a user's terms.
enum SoundProblem {
    static let unknownKind = DrawingError.unusable(
        SourceProblem(
            "not-a-sound",
            "it is not a sound file of a known kind: WAV, AIFF, AU, W64, CAF, FLAC, Vorbis, Opus, MP3, "
                + "AAC, AC-3, WavPack, MP4, Matroska, WebM or MPEG-TS"))

    static let undecodedKind = DrawingError.unusable(
        SourceProblem(
            "undecoded-sound",
            "the sound of this kind of file cannot be decoded; convert it, for example with `ffmpeg -i FILE sound.flac`"
        ))

    /// - Parameter package: one of `offstage_sound_package`. Untrusted.
    private static func noDecoder(_ package: UInt64) -> DrawingError {
        let name =
            switch package {
            case UInt64(OFFSTAGE_SOUND_GOOD.rawValue): "good"
            case UInt64(OFFSTAGE_SOUND_BAD.rawValue): "bad"
            default: "libav"
            }
        return .unusable(
            SourceProblem(
                "no-sound-decoder",
                "no decoder for its sound is installed; install the Debian package gstreamer1.0-"
                    + (name == "libav" ? name : "plugins-\(name)")
                    + ", or convert the file, for example with `ffmpeg -i FILE sound.flac`"))
    }

    /// - Parameter count: the number of sound tracks in the file. Untrusted.
    static func noTrack(_ count: UInt64) -> DrawingError {
        let has = count == 1 ? "1 sound track" : "\(min(count, 1_000_000)) sound tracks"
        return .unusable(SourceProblem("no-such-track", "it has only \(has); use a lower --track number"))
    }

    static let damaged = DrawingError.unusable(
        SourceProblem("sound-damaged", "the file is damaged, and none of it can be decoded; save it again"))

    /// The worker's answer is wrong, not the document.
    static let untrue = DrawingError.untrueAnswer("the worker sent peaks that do not match the sound's length or file")

    static func tooLong(_ limits: SoundLimits) -> DrawingError {
        // Also catches NaN.
        let seconds = limits.soundSeconds > 0 ? Int(min(limits.soundSeconds, 1e9)) : 0
        return .unusable(
            SourceProblem("sound-too-long", "it is longer than the limit of \(seconds) s; cut it or raise the limit"))
    }

    static func error(for failure: WorkerFailure, limits: SoundLimits) -> DrawingError {
        switch failure.code {
        case OFFSTAGE_SOUND_DAMAGED.rawValue: return damaged
        case OFFSTAGE_SOUND_SILENT.rawValue:
            return .unusable(SourceProblem("no-samples", "the file has no samples; there is nothing to draw"))
        case OFFSTAGE_SOUND_TOO_MANY_CHANNELS.rawValue:
            let count = min(failure.numbers[0], UInt64(Int32.max))
            return .unusable(
                SourceProblem("too-many-channels", "it has \(count) channels; at most 32 can be drawn; save fewer"))
        case OFFSTAGE_SOUND_NO_DECODER.rawValue: return noDecoder(failure.numbers[0])
        case OFFSTAGE_SOUND_NO_TRACK.rawValue: return noTrack(failure.numbers[0])
        case OFFSTAGE_SOUND_OTHER_CODEC.rawValue: return undecodedKind
        case OFFSTAGE_SOUND_TOO_LONG.rawValue: return tooLong(limits)
        case OFFSTAGE_SOUND_BAD_OPTIONS.rawValue:
            return .engineFailed("the worker program is from another version of Offstage; reinstall it")
        default: return .engineFailed("the worker program failed with code \(failure.code)")
        }
    }
}
