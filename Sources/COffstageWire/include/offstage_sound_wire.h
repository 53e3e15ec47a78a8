// The options, parts and report of the worker for sounds. Both ends are of one build and on one machine.
#ifndef OFFSTAGE_SOUND_WIRE_H
#define OFFSTAGE_SOUND_WIRE_H

#include <stdint.h>

/// Raise it with every change below, and with every change of a decoder that changes peaks.
#define OFFSTAGE_SOUND_VERSION 4

/// The most channels of a sound.
#define OFFSTAGE_SOUND_CHANNELS 32

/// A peak of one track: the lowest and the highest sample, two bytes each, and the root of the mean square as a share of the largest
/// absolute value, from 0 to 255. A mono sound has one track. Another one has first its mix (the sum of the channels by their number,
/// truncated towards zero), then its channels. A part contains the peaks of all tracks, one time after the other.
///
/// The peak of a channel with clipped samples has the highest sample first.
#define OFFSTAGE_SOUND_PEAK 5

/// The sound tracks that a report describes. Further ones count, too.
#define OFFSTAGE_SOUND_TRACKS 16

enum offstage_sound_library {
    /// WAV, AIFF, AU, W64, CAF, FLAC, Vorbis and Opus.
    OFFSTAGE_SOUND_SNDFILE = 1,
    /// MP3.
    OFFSTAGE_SOUND_MPG123,
    /// AAC, AC-3, WavPack, and the sound of videos, in a program of its own.
    OFFSTAGE_SOUND_GSTREAMER,
};

enum offstage_sound_failure {
    /// The bytes are not of the kind, or nothing of them can be decoded.
    OFFSTAGE_SOUND_DAMAGED = 100,
    /// The sound has no samples.
    OFFSTAGE_SOUND_SILENT,
    /// Number: the channels.
    OFFSTAGE_SOUND_TOO_MANY_CHANNELS,
    /// Number: the most frames.
    OFFSTAGE_SOUND_TOO_LONG,
    /// The options cannot be read: the program is of another version.
    OFFSTAGE_SOUND_BAD_OPTIONS,
    /// No decoder for the sound is installed. Number: one of `offstage_sound_package`.
    OFFSTAGE_SOUND_NO_DECODER,
    /// The file is of a kind that is decoded, and its sound has a codec that is not.
    OFFSTAGE_SOUND_OTHER_CODEC,
    /// The file does not have the sound track of the options. Number: those that it has.
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
    /// Frames of a peak, at least 1.
    uint32_t frames_per_peak;
    /// 1: read the head, decode nothing. `frames` of the report is then what the head says, which may be wrong.
    uint32_t is_info;
    /// 1: measure the loudness, the loudness range and the true peak.
    uint32_t measures_loudness;
    /// The sound track of a container, from 1; 0 for the first one that can be decoded.
    uint32_t track;
    /// The most frames to decode.
    uint64_t frame_limit;
    /// The offset of the sound in the document: behind tags, or behind junk before the first frame of MP3.
    uint64_t start;
    /// Whole peaks at the beginning that the host has: nothing is sent for them.
    uint64_t known_peaks;
    /// The most peaks to send: decoding ends after them, and the report's frames are those so far. 0 for all.
    uint64_t peak_limit;
    /// The clipped runs in the known peaks, and the first frame of the first one.
    uint64_t known_clips, first_known_clip;
};

/// A sound track of a container. Texts are ASCII, with a NUL at their end.
struct offstage_sound_track {
    /// 0 if they are unknown.
    uint32_t rate, channels;
    /// The codec's name, or the name that GStreamer has for it.
    char codec[20];
    /// As written in the file, usually an ISO 639 code; empty if the file does not specify it.
    char language[12];
};

/// A part's numbers are the rate and the channels.
struct offstage_sound_report {
    /// Frames per second.
    uint32_t rate;
    uint32_t channels;
    /// Those that were decoded, and those of the known peaks.
    uint64_t frames;
    /// Those that the head promises; 0 if it promises nothing.
    uint64_t promised_frames;
    /// 1: a decoder reported an error before the end.
    uint32_t is_damaged;
    /// 1: the head's lengths and the file's differ.
    uint32_t has_false_length;
    /// 1: floating-point samples that are not numbers were taken as zero.
    uint32_t has_odd_samples;
    /// 1: what follows was measured.
    uint32_t has_loudness;
    /// LUFS, ITU-R BS.1770; below -70 for silence.
    double loudness;
    /// LU, EBU Tech 3342; 0 for a sound that is too short.
    double loudness_range;
    /// The largest absolute value between the samples, too, ITU-R BS.1770: 1 for full scale.
    double true_peak;
    /// Runs of clipped samples in all channels, those of them in the last peak, which may not be complete, and the first frame of the
    /// first one.
    uint64_t clips, last_clips, first_clip;
    /// Of a sample: 8 to 64; 0 if it has no meaning for the kind.
    uint32_t bits;
    /// The kind's name in ASCII, with a NUL at its end.
    char kind[36];
    /// The sound tracks of a container; 0 for a file of another kind. `tracks` has the first of them.
    uint32_t track_count;
    struct offstage_sound_track tracks[OFFSTAGE_SOUND_TRACKS];
};

#endif
