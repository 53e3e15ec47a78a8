// Values of TIFF files that libtiff's own conversion to 8 bits of RGBA does not read, or reads wrongly.
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
    /// The samples of a pixel, and those of them that are colours.
    uint16_t count, colors;
    uint32_t width, height;
    /// The samples of a kind are together, not those of a pixel.
    bool is_separate;
    /// White is 0.
    bool is_inverted;
    /// The sample behind the colours is alpha, and they are multiplied with it.
    bool has_alpha, is_premultiplied;
    /// Lab's colours have an offset instead of a sign.
    bool is_icc_lab;
    /// The values that are drawn black and white.
    double low, high;
};

/// True if the samples are read here.
bool tiff_samples_read(TIFF *file, struct tiff_samples *samples);

/// The layout of the rows that `tiff_samples_draw` delivers.
enum offstage_image_layout tiff_samples_layout(const struct tiff_samples *samples);

/// Delivers the rows. Parts that cannot be read are black and make the picture incomplete, unless nothing follows them.
void tiff_samples_draw(TIFF *file, struct tiff_samples *samples, const struct offstage_image_job *job);

#endif
