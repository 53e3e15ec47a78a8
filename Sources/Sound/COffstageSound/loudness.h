// The loudness of the sound that is being decoded.
#ifndef LOUDNESS_H
#define LOUDNESS_H

#include "offstage_sound.h"

/// Starts with the rate and the channels in the report. Without this call, the other functions do nothing.
void loudness_begin(struct sound *sound);
/// Adds interleaved frames.
void loudness_add(const int16_t *samples, size_t frames);
/// Like `loudness_add`. NaN counts as silence.
void loudness_add_floats(const float *samples, size_t frames, size_t channels);
/// Completes the report.
void loudness_end(struct offstage_sound_report *report);
void loudness_close(void);

#endif
