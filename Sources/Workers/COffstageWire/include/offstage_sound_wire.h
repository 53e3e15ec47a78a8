// The options, parts and report of sound workers. Both ends are from the same build and on the same machine.
#ifndef OFFSTAGE_SOUND_WIRE_H
#define OFFSTAGE_SOUND_WIRE_H

#include <stdint.h>

/// Raise it with every change below, and with every change of a decoder that changes peaks.
#define OFFSTAGE_SOUND_VERSION 4

/// The maximum number of channels of a sound.
#define OFFSTAGE_SOUND_CHANNELS 32

/// A peak of one track: the lowest and the highest sample, two bytes each, and the root mean square as a fraction of the largest
/// absolute value, from 0 to 255. A mono sound has one track. Any other sound has its mix first (the sum of the channels divided
/// by their number, truncated towards zero), and then its channels. A part contains the peaks of all tracks, one time after the
/// other.
///
/// The peak of a channel with clipped samples has the highest sample first.
#define OFFSTAGE_SOUND_PEAK 5

/// The maximum number of sound tracks in a report. Further ones are only counted.
#define OFFSTAGE_SOUND_TRACKS 16

enum offstage_sound_library {
    /// WAV, AIFF, AU, W64, CAF, FLAC, Vorbis and Opus.
    OFFSTAGE_SOUND_SNDFILE = 1,
    /// MP3.
    OFFSTAGE_SOUND_MPG123,
    /// AAC, AC-3, WavPack, and the sound of videos, in a separate program.
    OFFSTAGE_SOUND_GSTREAMER,
};

enum offstage_sound_failure {
    /// The bytes are in another format, or nothing can be decoded.
    OFFSTAGE_SOUND_DAMAGED = 100,
    /// The sound has no samples.
    OFFSTAGE_SOUND_SILENT,
    /// Number: the number of channels.
    OFFSTAGE_SOUND_TOO_MANY_CHANNELS,
    /// Number: the maximum number of frames.
    OFFSTAGE_SOUND_TOO_LONG,
    /// The options cannot be read: the program is of another version.
    OFFSTAGE_SOUND_BAD_OPTIONS,
    /// No decoder for the sound is installed. Number: one of `offstage_sound_package`.
    OFFSTAGE_SOUND_NO_DECODER,
    /// The file's format is supported, but its sound has an unsupported codec.
    OFFSTAGE_SOUND_OTHER_CODEC,
    /// The file lacks the sound track in the options. Number: the number of sound tracks.
    OFFSTAGE_SOUND_NO_TRACK,
};

/// The Debian packages of GStreamer's plugins, one of which is missing.
enum offstage_sound_package {
    OFFSTAGE_SOUND_LIBAV,
    OFFSTAGE_SOUND_GOOD,
    OFFSTAGE_SOUND_BAD,
};

struct offstage_sound_options {
    uint32_t version;
    uint32_t library;
    /// The number of frames per peak, at least 1.
    uint32_t frames_per_peak;
    /// 1 to read the header without decoding. `frames` in the report is then the header's value, which may be wrong.
    uint32_t is_info;
    /// 1 to measure the loudness, the loudness range and the true peak.
    uint32_t measures_loudness;
    /// The sound track of a container, from 1; 0 for the first one that can be decoded.
    uint32_t track;
    /// The maximum number of frames to decode.
    uint64_t frame_limit;
    /// The offset of the sound in the document, after tags, or after junk before the first frame of MP3.
    uint64_t start;
    /// The number of whole peaks at the beginning that the host already has, and that are not sent again.
    uint64_t known_peaks;
    /// The maximum number of peaks to send. Decoding ends after them, and the report covers the frames so far. 0 for all.
    uint64_t peak_limit;
    /// The clipped runs in the known peaks, and the first frame of the first one.
    uint64_t known_clips, first_known_clip;
};

/// A sound track of a container. Texts are ASCII, with a NUL at their end.
struct offstage_sound_track {
    /// 0 if unknown.
    uint32_t rate, channels;
    /// The codec's name, or GStreamer's name for it.
    char codec[20];
    /// As written in the file, usually an ISO 639 code; empty if the file does not specify it.
    char language[12];
};

/// A part's numbers are the rate and the channels.
struct offstage_sound_report {
    /// Frames per second.
    uint32_t rate;
    uint32_t channels;
    /// The number of decoded frames, including those of the known peaks.
    uint64_t frames;
    /// The number of frames in the header; 0 if it has none.
    uint64_t promised_frames;
    /// 1: a decoder reported an error before the end.
    uint32_t is_damaged;
    /// 1: the lengths in the header and in the file differ.
    uint32_t has_false_length;
    /// 1: floating-point samples that are not numbers were replaced by zero.
    uint32_t has_odd_samples;
    /// 1: the values below were measured.
    uint32_t has_loudness;
    /// LUFS, ITU-R BS.1770; below -70 for silence.
    double loudness;
    /// LU, EBU Tech 3342; 0 for a sound that is too short.
    double loudness_range;
    /// The largest absolute value, including between samples, ITU-R BS.1770: 1 for full scale.
    double true_peak;
    /// The number of clipped runs in all channels, the number in the last peak, which may be incomplete, and the first frame of
    /// the first one.
    uint64_t clips, last_clips, first_clip;
    /// Bits per sample: 8 to 64; 0 if it has no meaning for the format.
    uint32_t bits;
    /// The format's name in ASCII, with a NUL at its end.
    char kind[36];
    /// The number of sound tracks in a container; 0 for other files. `tracks` describes the first ones.
    uint32_t track_count;
    struct offstage_sound_track tracks[OFFSTAGE_SOUND_TRACKS];
};

#endif
