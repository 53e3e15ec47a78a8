// Collects peaks from interleaved frames, which arrive in pieces of any size.
#ifndef PEAKS_H
#define PEAKS_H

#include <offstage_sound_wire.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The size of the parts to send, in bytes.
#define PEAKS_PART 61440

/// Consecutive samples of a channel at full scale.
struct peaks_run {
    /// 1 at the highest sample, -1 at the lowest one, 0 between them.
    int side;
    size_t length;
    /// True if the first one follows a much lower sample.
    bool is_steep;
    /// True if it counts as clipped.
    bool is_clip;
    /// The last sample of the channel.
    int16_t last;
};

struct peaks {
    size_t channels;
    /// One for mono; otherwise the mix and the channels.
    size_t tracks;
    size_t frames_per_peak;
    /// The number of frames in the incomplete peak.
    size_t frames;
    struct {
        int16_t low, high;
        double squares;
        struct peaks_run run;
        /// True if the peak contains a clipped run.
        bool is_clipped;
    } track[OFFSTAGE_SOUND_CHANNELS + 1];
    /// Full scale: samples at or below the first value, or at or above the second.
    int lowest, highest;
    /// The distance between two sample values of the sound.
    int step;
    /// No audible tone has this many samples at full scale.
    size_t longest_crest;
    /// The position of the next frame.
    uint64_t position;
    /// The number of clipped runs in the current peak, and the first frame of the first one.
    uint64_t clips, first_clip;
    size_t size;
    uint8_t bytes[PEAKS_PART];
};

/// `highest` is the highest possible sample, and `step` its distance to the next lower one: 1 for 16 bits, 256 for 8.
void peaks_begin(struct peaks *peaks, size_t channels, size_t frames_per_peak, double rate, int highest, int step);
/// Adds frames up to the end of the peak. Returns their number.
size_t peaks_add(struct peaks *peaks, const int16_t *samples, size_t frames);
/// True if the current peak is complete; `peaks_end` then writes it.
static inline int peaks_is_full(const struct peaks *peaks) { return peaks->frames == peaks->frames_per_peak; }
/// Writes the current peak, if it has a frame. There must be space for one.
void peaks_end(struct peaks *peaks);
/// True if there may be no space for another peak.
static inline int peaks_must_leave(const struct peaks *peaks) {
    return peaks->size + peaks->tracks * OFFSTAGE_SOUND_PEAK > PEAKS_PART;
}

#endif
