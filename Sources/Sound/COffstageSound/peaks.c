#include "peaks.h"

#include <math.h>
#include <offstage_vectors.h>
#include <string.h>

/// Three consecutive samples at full scale are clipped if the wave enters or leaves them steeply. The crest of a tone that just
/// reaches full scale can have as many such samples, but their neighbours are nearly as high. The unit is the distance between
/// two sample values.
#define CLIP 3
#define STEEP 8

static void reset(struct peaks *peaks) {
    peaks->frames = 0;
    peaks->clips = 0;
    for (size_t i = 0; i < peaks->tracks; i++) {
        peaks->track[i].low = INT16_MAX;
        peaks->track[i].high = INT16_MIN;
        peaks->track[i].squares = 0;
        peaks->track[i].is_clipped = false;
    }
}

void peaks_begin(struct peaks *peaks, size_t channels, size_t frames_per_peak, double rate, int highest, int step) {
    peaks->channels = channels;
    peaks->tracks = channels == 1 ? 1 : channels + 1;
    peaks->frames_per_peak = frames_per_peak;
    peaks->size = 0;
    peaks->step = step;
    peaks->highest = highest;
    // Many programs use the same limit on both sides.
    peaks->lowest = -peaks->highest;
    // Twice the time that a 20 Hz tone stays at the highest sample value.
    peaks->longest_crest = CLIP + (size_t)(rate / 20 * sqrt(step / 16384.0));
    peaks->position = peaks->first_clip = 0;
    for (size_t i = 0; i < peaks->tracks; i++) peaks->track[i].run = (struct peaks_run){0};
    reset(peaks);
}

static bool is_steep(const struct peaks *peaks, int side, int sample) {
    return (side > 0 ? peaks->highest - sample : sample - peaks->lowest) > STEEP * peaks->step;
}

/// Finds clipped runs in a piece of a channel. Called only for pieces that reach full scale, and for the pieces after them.
static void find_clips(struct peaks *peaks, size_t track, const int16_t *samples, size_t frames) {
    struct peaks_run run = peaks->track[track].run;
    for (size_t i = 0; i < frames; i++) {
        int sample = samples[i], side = sample >= peaks->highest ? 1 : sample <= peaks->lowest ? -1 : 0;
        bool is_new = false;
        if (side != run.side) {
            is_new = run.length >= CLIP && !run.is_clip && is_steep(peaks, run.side, sample);
            if (is_new && peaks->clips++ == 0) peaks->first_clip = peaks->position + i - run.length;
            peaks->track[track].is_clipped |= is_new;
            run = (struct peaks_run){.side = side, .is_steep = side != 0 && is_steep(peaks, side, run.last)};
        }
        if (side != 0) {
            run.length++;
            is_new = !run.is_clip && ((run.length == CLIP && run.is_steep) || run.length == peaks->longest_crest);
            if (is_new && peaks->clips++ == 0) peaks->first_clip = peaks->position + i + 1 - run.length;
            run.is_clip |= is_new;
            peaks->track[track].is_clipped |= run.is_clip;
        }
        run.last = (int16_t)sample;
    }
    peaks->track[track].run = run;
}

/// Adds a piece of one track, of at most 256 frames. Written so that the compiler uses vectors: 16-bit minima and maxima, and several
/// sums of few squares each, so that rounding errors stay far below the precision sent.
INLINE void add(struct peaks *peaks, size_t track, const int16_t *samples, size_t frames, bool is_channel) {
    int16_t low = INT16_MAX, high = INT16_MIN;
    for (size_t i = 0; i < frames; i++) {
        low = samples[i] < low ? samples[i] : low;
        high = samples[i] > high ? samples[i] : high;
    }
    float sums[16] = {0};
    size_t whole = frames & ~(size_t)15;
    for (size_t i = 0; i < whole; i += 16) {
        for (size_t j = 0; j < 16; j++) {
            float sample = samples[i + j];
            sums[j] += sample * sample;
        }
    }
    double squares = 0;
    for (size_t j = 0; j < 16; j++) squares += sums[j];
    for (size_t i = whole; i < frames; i++) squares += (double)samples[i] * samples[i];
    if (low < peaks->track[track].low) peaks->track[track].low = low;
    if (high > peaks->track[track].high) peaks->track[track].high = high;
    peaks->track[track].squares += squares;
    if (!is_channel) return;
    if (low <= peaks->lowest || high >= peaks->highest || peaks->track[track].run.side != 0)
        find_clips(peaks, track, samples, frames);
    else
        peaks->track[track].run.last = samples[frames - 1];
}

/// Mixes channels as audiowaveform does: the sum divided by the number of channels, truncated towards zero.
INLINE void mix(int16_t *mixed, const int16_t *samples, size_t frames, size_t channels) {
    if (channels == 2) {
        for (size_t i = 0; i < frames; i++) {
            int sum = samples[2 * i] + samples[2 * i + 1];
            // Truncates towards zero.
            mixed[i] = (int16_t)((sum + (int)((unsigned)sum >> 31)) >> 1);
        }
        return;
    }
    for (size_t i = 0; i < frames; i++) {
        int sum = 0;
        for (size_t c = 0; c < channels; c++) sum += samples[i * channels + c];
        mixed[i] = (int16_t)(sum / (int)channels);
    }
}

/// Inlined with a constant for one and two channels.
INLINE void add_channels(struct peaks *peaks, const int16_t *samples, size_t frames, size_t channels) {
    int16_t track[256];
    for (size_t start = 0; start < frames; start += 256) {
        size_t count = frames - start < 256 ? frames - start : 256;
        const int16_t *first = samples + start * channels;
        if (channels == 1) {
            add(peaks, 0, first, count, true);
            peaks->position += count;
            continue;
        }
        mix(track, first, count, channels);
        add(peaks, 0, track, count, false);
        for (size_t c = 0; c < channels; c++) {
            for (size_t i = 0; i < count; i++) track[i] = first[i * channels + c];
            add(peaks, c + 1, track, count, true);
        }
        peaks->position += count;
    }
}

WIDE static void add_frames(struct peaks *peaks, const int16_t *samples, size_t frames) {
    if (peaks->channels == 1) add_channels(peaks, samples, frames, 1);
    else if (peaks->channels == 2) add_channels(peaks, samples, frames, 2);
    else add_channels(peaks, samples, frames, peaks->channels);
}

size_t peaks_add(struct peaks *peaks, const int16_t *samples, size_t frames) {
    size_t left = peaks->frames_per_peak - peaks->frames;
    if (frames > left) frames = left;
    peaks->frames += frames;
    add_frames(peaks, samples, frames);
    return frames;
}

void peaks_end(struct peaks *peaks) {
    if (peaks->frames == 0) return;
    for (size_t i = 0; i < peaks->tracks; i++) {
        int16_t low = peaks->track[i].low, high = peaks->track[i].high;
        int largest = -low > high ? -low : high;
        double root = sqrt(peaks->track[i].squares / (double)peaks->frames);
        double share = largest > 0 ? 255 * root / largest : 0;
        uint8_t byte = share >= 255 ? 255 : (uint8_t)(share + 0.5);
        bool is_clipped = peaks->track[i].is_clipped;
        memcpy(peaks->bytes + peaks->size, is_clipped ? &high : &low, sizeof low);
        memcpy(peaks->bytes + peaks->size + 2, is_clipped ? &low : &high, sizeof high);
        peaks->bytes[peaks->size + 4] = byte;
        peaks->size += OFFSTAGE_SOUND_PEAK;
    }
    reset(peaks);
}
