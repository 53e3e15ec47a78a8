// Plain PNG files, such as photos and screenshots.
#ifndef TRUECOLOR_H
#define TRUECOLOR_H

#include "decoders.h"

/// Delivers the rows of a file that is not interlaced and has 3 or 4 bytes per pixel, unchanged. The job must have begun.
void truecolor_draw(const struct offstage_image_job *job, uint32_t width, uint32_t height, unsigned channels);

#endif
