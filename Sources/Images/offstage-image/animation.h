// Frames of animated PNG files.
#ifndef ANIMATION_H
#define ANIMATION_H

#include "decoders.h"

/// Returns the number of frames that the file has; 0 for a still one. Sets `is_separate` if the still picture is not one of them:
/// programs that don't support animations show it instead.
uint32_t animation_frames(const uint8_t *bytes, size_t size, bool *is_separate);

/// Draws the frames up to the wanted one over each other, and delivers the result as RGBA of 8 or 16 bits. The job must have
/// begun with a header of the canvas's size.
void animation_draw(const struct offstage_image_job *job, uint32_t width, uint32_t height, bool is_wide);

#endif
