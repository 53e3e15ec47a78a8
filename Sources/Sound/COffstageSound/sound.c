// Shared part of the sound workers: decoders deliver a sound piece by piece, and this file sends its peaks. Memory use does not
// depend on the sound's length.

#define _GNU_SOURCE
#include <errno.h>
#include <float.h>
#include <math.h>
#include <offstage_vectors.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loudness.h"
#include "offstage_sound.h"
#include "peaks.h"

/// The number of peaks between two parts, for a host that shows the progress: 8 s of a sound at 48 kHz.
#define PEAKS_BETWEEN_PARTS 1500

/// The maximum ratio between the rates of parts of one sound: 48 and 8 kHz. The host expects no more frames than a decoder can
/// make of a file's bytes.
#define LARGEST_RATIO 6

/// From this number on, a float has no fractional bits. It leaves room for both signs.
#define ROUNDING 12582912.0f

static struct peaks peaks;
static void (*decode)(struct sound *sound);
static uint64_t peaks_made, peaks_unsent;

int64_t document_read(struct document *document, void *bytes, int64_t size) {
    int64_t left = document->size - document->position;
    if (size > left) size = left;
    int64_t done = 0;
    while (done < size) {
        ssize_t count = pread(document->file, (char *)bytes + done, (size_t)(size - done), document->start + document->position);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return done > 0 ? done : -1;
        // The file was truncated while it was read.
        if (count == 0) break;
        done += count;
        document->position += count;
    }
    return done;
}

int64_t document_seek(struct document *document, int64_t offset, int whence) {
    int64_t start = whence == SEEK_CUR ? document->position : whence == SEEK_END ? document->size : 0;
    int64_t position;
    if (__builtin_add_overflow(start, offset, &position) || position < 0) return -1;
    return document->position = position;
}

bool document_read_at(struct document *document, int64_t position, void *bytes, int64_t size) {
    return document_seek(document, position, SEEK_SET) == position && document_read(document, bytes, size) == size;
}

void document_cut(struct document *document, int64_t count) {
    if (count > document->size) count = document->size;
    document->start += count;
    document->size -= count;
    document->position = 0;
}

bool sound_wants_floats(const struct sound *sound) {
    return sound->options->measures_loudness && !sound->options->is_info;
}

bool sound_begin(struct sound *sound, uint64_t rate, uint64_t channels) {
    if (channels < 1 || channels > OFFSTAGE_SOUND_CHANNELS) {
        offstage_worker_fail(sound->reply, OFFSTAGE_SOUND_TOO_MANY_CHANNELS, channels, 0);
        return false;
    }
    if (rate < 1 || rate > INT32_MAX) {
        offstage_worker_fail(sound->reply, OFFSTAGE_SOUND_DAMAGED, 0, 0);
        return false;
    }
    sound->report.rate = (uint32_t)rate;
    sound->report.channels = (uint32_t)channels;
    const struct offstage_sound_options *options = sound->options;
    int highest = sound->highest > 0 ? sound->highest : INT16_MAX, step = sound->step > 0 ? sound->step : 1;
    peaks_begin(&peaks, channels, options->frames_per_peak, (double)rate, highest, step);
    peaks_made = peaks_unsent = 0;
    if (options->known_peaks > 0) {
        sound->report.clips = options->known_clips;
        sound->report.first_clip = options->first_known_clip;
    }
    if (sound_wants_floats(sound)) loudness_begin(sound);
    return true;
}

/// Sends the complete peaks. Returns false if the host is gone.
static bool send_part(struct sound *sound) {
    if (peaks.size == 0) return true;
    uint64_t numbers[2] = {sound->report.rate, sound->report.channels};
    bool is_sent = offstage_worker_part(
        sound->reply, peaks.bytes, peaks.size, (uint64_t)(sound->document.start + sound->document.position),
        (uint64_t)sound->file_size, numbers);
    peaks.size = 0;
    peaks_unsent = 0;
    return is_sent;
}

static bool end_peak(struct sound *sound) {
    if (peaks.frames == 0) return true;
    size_t size = peaks.size;
    struct offstage_sound_report *report = &sound->report;
    if (peaks_made >= sound->options->known_peaks) {
        if (report->clips == 0) report->first_clip = peaks.first_clip;
        report->clips += peaks.clips;
        report->last_clips = peaks.clips;
    }
    peaks_end(&peaks);
    // The host already has this peak.
    if (peaks_made++ < sound->options->known_peaks) peaks.size = size;
    else peaks_unsent++;
    return (!peaks_must_leave(&peaks) && peaks_unsent < PEAKS_BETWEEN_PARTS) || send_part(sound);
}

static bool add(struct sound *sound, const int16_t *samples, size_t frames) {
    if (sound->report.frames > sound->options->frame_limit
        || frames > sound->options->frame_limit - sound->report.frames) {
        offstage_worker_fail(sound->reply, OFFSTAGE_SOUND_TOO_LONG, sound->options->frame_limit, 0);
        return false;
    }
    peaks.position = sound->report.frames;
    sound->report.frames += frames;
    uint64_t limit = sound->options->peak_limit, known = sound->options->known_peaks;
    // Whole peaks that the host has need no processing.
    if (peaks.frames == 0 && peaks_made < known) {
        uint64_t whole = frames / peaks.frames_per_peak, count = whole < known - peaks_made ? whole : known - peaks_made;
        peaks_made += count;
        samples += count * peaks.frames_per_peak * peaks.channels;
        frames -= count * peaks.frames_per_peak;
        peaks.position += count * peaks.frames_per_peak;
    }
    while (frames > 0) {
        sound->has_enough = limit > 0 && peaks_made >= limit && peaks_made - limit >= known;
        if (sound->has_enough) return false;
        size_t count = peaks_add(&peaks, samples, frames);
        samples += count * peaks.channels;
        frames -= count;
        if (peaks_is_full(&peaks) && !end_peak(sound)) return false;
    }
    return true;
}

bool sound_add(struct sound *sound, const int16_t *samples, size_t frames) {
    loudness_add(samples, frames);
    return add(sound, samples, frames);
}

/// Converts to the range of samples, and finds values that cannot be converted.
INLINE bool clip(const float *values, int16_t *samples, size_t count, float full_scale) {
    int odd = 0;
    for (size_t i = 0; i < count; i++) {
        float value = values[i] * full_scale;
        // Also finds infinite values.
        odd |= !(fabsf(values[i]) <= FLT_MAX);
        value = value != value ? 0 : value;
        value = value < -32768 ? -32768 : value > 32767 ? 32767 : value;
        // Adding and subtracting this number rounds half to even, like the processor's own instruction.
        samples[i] = (int16_t)((value + ROUNDING) - ROUNDING);
    }
    return odd;
}

WIDE static bool clip_all(const float *values, int16_t *samples, size_t count, float full_scale) {
    return clip(values, samples, count, full_scale);
}

void sound_clip(struct sound *sound, const float *values, int16_t *samples, size_t count, float full_scale) {
    if (clip_all(values, samples, count, full_scale)) sound->report.has_odd_samples = 1;
}

bool sound_add_floats(struct sound *sound, const float *values, size_t frames, float full_scale) {
    int16_t samples[256 * OFFSTAGE_SOUND_CHANNELS];
    size_t channels = sound->report.channels;
    for (size_t start = 0; start < frames; start += 256) {
        size_t count = frames - start < 256 ? frames - start : 256;
        const float *piece = values + start * channels;
        sound_clip(sound, piece, samples, count * channels, full_scale);
        loudness_add_floats(piece, count, channels);
        if (!add(sound, samples, count)) return false;
    }
    return true;
}

bool sound_add_as(struct sound *sound, const int16_t *samples, size_t frames, uint32_t rate, uint32_t channels) {
    uint32_t own_rate = sound->report.rate, own_channels = sound->report.channels;
    if (rate == own_rate && channels == own_channels) return sound_add(sound, samples, frames);
    if (rate == 0 || channels == 0 || own_rate / LARGEST_RATIO > rate || rate / LARGEST_RATIO > own_rate) {
        sound->report.is_damaged = 1;
        return true;
    }
    int16_t piece[256 * OFFSTAGE_SOUND_CHANNELS];
    uint64_t count = (uint64_t)frames * own_rate / rate;
    for (uint64_t start = 0; start < count; start += 256) {
        size_t size = count - start < 256 ? (size_t)(count - start) : 256;
        for (size_t i = 0; i < size; i++) {
            const int16_t *frame = samples + (start + i) * rate / own_rate * channels;
            // Extra channels are dropped, and missing ones repeat the last one.
            for (uint32_t c = 0; c < own_channels; c++) piece[i * own_channels + c] = frame[c < channels ? c : channels - 1];
        }
        if (!sound_add(sound, piece, size)) return false;
    }
    return true;
}

uint64_t sound_first_frame(const struct sound *sound) {
    uint64_t first;
    if (__builtin_mul_overflow(sound->options->known_peaks, (uint64_t)sound->options->frames_per_peak, &first)) return 0;
    return sound->options->measures_loudness ? 0 : first;
}

void sound_skip(struct sound *sound) {
    sound->report.frames = sound_first_frame(sound);
    peaks_made = sound->options->known_peaks;
}

void sound_end(struct sound *sound) {
    if (sound->report.frames == 0) {
        offstage_worker_fail(
            sound->reply, sound->report.is_damaged ? OFFSTAGE_SOUND_DAMAGED : OFFSTAGE_SOUND_SILENT, 0, 0);
        return;
    }
    if (!end_peak(sound) || !send_part(sound)) return;
    loudness_end(&sound->report);
}

static void draw(const struct offstage_worker_job *job, struct offstage_worker_reply *reply) {
    struct offstage_sound_options options;
    if (job->options_size == sizeof options) memcpy(&options, job->options, sizeof options);
    if (job->options_size != sizeof options || options.version != OFFSTAGE_SOUND_VERSION || options.frames_per_peak < 1) {
        offstage_worker_fail(reply, OFFSTAGE_SOUND_BAD_OPTIONS, 0, 0);
        return;
    }
    struct sound sound = {
        .document = {.file = job->file, .size = (int64_t)job->document_size}, .file_size = (int64_t)job->document_size,
        .options = &options, .reply = reply};
    // The file may have changed since the host looked at it.
    document_cut(&sound.document, options.start < job->document_size ? (int64_t)options.start : 0);
    decode(&sound);
    if (sound.has_enough) sound_end(&sound);
    loudness_close();
    offstage_worker_report(reply, &sound.report, sizeof sound.report);
}

int sound_run(void (*decoder)(struct sound *sound), void (*prepare)(void)) {
    decode = decoder;
    return offstage_worker_run(
        &(struct offstage_worker_program){.draw = draw, .prepare = prepare, .reads_file = true});
}
