// The loudness of a sound, its range, and the peak between its samples. Only `offstage info` needs them. The true peak takes
// several times as long as the rest.

#include "loudness.h"

#include <ebur128.h>
#include <math.h>
#include <stddef.h>

static ebur128_state *loudness;

void sound_set_mask(struct sound *sound, uint64_t mask) {
    int channel = 0;
    for (int place = 0; place < SOUND_NO_PLACE; place++)
        if (mask >> place & 1 && channel < OFFSTAGE_SOUND_CHANNELS) sound->places[channel++] = (uint8_t)place;
    while (channel < OFFSTAGE_SOUND_CHANNELS) sound->places[channel++] = SOUND_NO_PLACE;
    sound->has_places = mask != 0;
}

/// A channel's weight in the loudness, ITU-R BS.1770: side loudspeakers count more, and the low-frequency channel does not count.
static int loudness_role(const struct sound *sound, uint32_t channel) {
    bool has_sides = false;
    for (uint32_t i = 0; i < sound->report.channels; i++) has_sides |= sound->places[i] == SOUND_SIDE_LEFT;
    switch (sound->places[channel]) {
    case SOUND_LOW: return EBUR128_UNUSED;
    case SOUND_SIDE_LEFT: case SOUND_SIDE_RIGHT: return EBUR128_Mp110;
    // Without other side channels, these two are the side channels.
    case SOUND_BACK_LEFT: case SOUND_BACK_RIGHT: return has_sides ? EBUR128_CENTER : EBUR128_Mp110;
    default: return EBUR128_CENTER;
    }
}

void loudness_begin(struct sound *sound) {
    /// Channel positions by the number of channels, as in WAVE, FLAC and most other formats.
    static const uint64_t usual[] = {0, 0x4, 0x3, 0x7, 0x33, 0x37, 0x3F, 0x70F, 0x63F};
    uint32_t channels = sound->report.channels;
    if (!sound->has_places) sound_set_mask(sound, channels < sizeof usual / sizeof *usual ? usual[channels] : 0);
    // The library rejects inaudible rates.
    loudness = ebur128_init(channels, sound->report.rate, EBUR128_MODE_I | EBUR128_MODE_LRA | EBUR128_MODE_TRUE_PEAK);
    for (uint32_t i = 0; loudness && i < channels; i++) ebur128_set_channel(loudness, i, loudness_role(sound, i));
}

void loudness_add(const int16_t *samples, size_t frames) {
    if (loudness) ebur128_add_frames_short(loudness, samples, frames);
}

void loudness_add_floats(const float *samples, size_t frames, size_t channels) {
    if (!loudness) return;
    float finite[256 * OFFSTAGE_SOUND_CHANNELS];
    for (size_t start = 0; start < frames; start += 256) {
        size_t count = frames - start < 256 ? frames - start : 256;
        for (size_t i = 0; i < count * channels; i++)
            finite[i] = isfinite(samples[start * channels + i]) ? samples[start * channels + i] : 0;
        ebur128_add_frames_float(loudness, finite, count);
    }
}

void loudness_end(struct offstage_sound_report *report) {
    if (!loudness) return;
    if (ebur128_loudness_global(loudness, &report->loudness) != EBUR128_SUCCESS) return;
    report->has_loudness = 1;
    ebur128_loudness_range(loudness, &report->loudness_range);
    for (uint32_t i = 0; i < report->channels; i++) {
        double peak = 0;
        if (ebur128_true_peak(loudness, i, &peak) == EBUR128_SUCCESS && peak > report->true_peak) report->true_peak = peak;
    }
}

void loudness_close(void) {
    if (loudness) ebur128_destroy(&loudness);
}
