// TIFF samples that libtiff's own conversion to 8-bit RGBA does not support, or reads wrongly.
#ifndef TIFF_SAMPLES_H
#define TIFF_SAMPLES_H

#include <tiffio.h>

#include "decoders.h"

/// The meaning of a pixel's samples.
enum tiff_color { TIFF_COLOR_GRAY, TIFF_COLOR_RGB, TIFF_COLOR_CMYK, TIFF_COLOR_LAB };

/// The storage format of a file's samples.
struct tiff_samples {
    enum tiff_color color;
    uint16_t bits, format;
    /// The number of samples per pixel, and how many of them are colours.
    uint16_t count, colors;
    uint32_t width, height;
    /// True if each channel is stored separately (planar).
    bool is_separate;
    /// White is 0.
    bool is_inverted;
    /// True if the sample after the colours is alpha; true if the colours are multiplied by it.
    bool has_alpha, is_premultiplied;
    /// Lab's colours have an offset instead of a sign.
    bool is_icc_lab;
    /// The values drawn as black and white.
    double low, high;
};

/// True if this code reads the samples.
bool tiff_samples_read(TIFF *file, struct tiff_samples *samples);

/// The layout of the rows that `tiff_samples_draw` delivers.
enum offstage_image_layout tiff_samples_layout(const struct tiff_samples *samples);

/// Delivers the rows. Parts that cannot be read are black and make the picture incomplete, unless nothing follows them.
void tiff_samples_draw(TIFF *file, struct tiff_samples *samples, const struct offstage_image_job *job);

#endif
