// Peaks of interleaved frames, of any number, which arrive piece by piece.
#ifndef PEAKS_H
#define PEAKS_H

#include <offstage_sound_wire.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The bytes of the parts that are sent.
#define PEAKS_PART 61440

/// Samples of a channel at full scale, one after the other.
struct peaks_run {
    /// 1 at the highest sample, -1 at the lowest one, 0 between them.
    int side;
    size_t length;
    /// The first one follows a sample that is much lower.
    bool is_steep;
    /// It counts as clipped.
    bool is_clip;
    /// The last sample of the channel.
    int16_t last;
};

struct peaks {
    size_t channels;
    /// One for a mono sound; otherwise the mix and the channels.
    size_t tracks;
    size_t frames_per_peak;
    /// Frames of the peak that is not complete.
    size_t frames;
    struct {
        int16_t low, high;
        double squares;
        struct peaks_run run;
        /// A run that counts as clipped is in the peak.
        bool is_clipped;
    } track[OFFSTAGE_SOUND_CHANNELS + 1];
    /// The samples of the sound's full scale: from the first one down and from the second one up.
    int lowest, highest;
    /// The distance of two samples of the sound.
    int step;
    /// No tone that can be heard has so many samples at full scale.
    size_t longest_crest;
    /// The frame that is added next.
    uint64_t position;
    /// Clipped runs in the current peak, and the first frame of its first one.
    uint64_t clips, first_clip;
    size_t size;
    uint8_t bytes[PEAKS_PART];
};

/// `highest` is the highest possible sample, and `step` the distance to the one below it: 1 for 16 bits, 256 for 8.
void peaks_begin(struct peaks *peaks, size_t channels, size_t frames_per_peak, double rate, int highest, int step);
/// Adds frames up to the end of the peak. Returns the number of them.
size_t peaks_add(struct peaks *peaks, const int16_t *samples, size_t frames);
/// True if the current peak is complete; `peaks_end` then writes it.
static inline int peaks_is_full(const struct peaks *peaks) { return peaks->frames == peaks->frames_per_peak; }
/// Writes the current peak, if it has a frame. There must be room for one.
void peaks_end(struct peaks *peaks);
/// True if there may be no room for another peak.
static inline int peaks_must_leave(const struct peaks *peaks) {
    return peaks->size + peaks->tracks * OFFSTAGE_SOUND_PEAK > PEAKS_PART;
}

#endif
