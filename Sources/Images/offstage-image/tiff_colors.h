// Converts the colours of a TIFF file's samples.
#ifndef TIFF_COLORS_H
#define TIFF_COLORS_H

#include <lcms2.h>

#include "tiff_samples.h"

/// The state for converting a row's colours. `tiff_colors_end` frees the members.
struct tiff_colors {
    const struct tiff_samples *samples;
    /// A row of the layout of `tiff_samples_layout`.
    void *out;
    /// Only for L*a*b*.
    double *lab;
    cmsHTRANSFORM transform;
};

/// False without memory. Call `tiff_colors_end` in any case.
bool tiff_colors_begin(struct tiff_colors *colors, const struct tiff_samples *samples);

/// Converts a row. The result is valid until the next call.
const void *tiff_colors_row(struct tiff_colors *colors, const uint8_t *row);

/// A row of black, or of full ink.
const void *tiff_colors_black(struct tiff_colors *colors);

void tiff_colors_end(struct tiff_colors *colors);

/// A sample as a number. The library has already converted its bytes to the machine's byte order.
double tiff_value(const struct tiff_samples *samples, const uint8_t *row, uint64_t index);

#endif
