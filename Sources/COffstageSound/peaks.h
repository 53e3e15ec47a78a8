// Peaks of interleaved frames, of any number, which arrive piece by piece.
#ifndef PEAKS_H
#define PEAKS_H

#include <offstage_sound_wire.h>
#include <stddef.h>
#include <stdint.h>

/// The bytes of the parts that are sent.
#define PEAKS_PART 61440

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
    } track[OFFSTAGE_SOUND_CHANNELS + 1];
    size_t size;
    uint8_t bytes[PEAKS_PART];
};

void peaks_begin(struct peaks *peaks, size_t channels, size_t frames_per_peak);
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
