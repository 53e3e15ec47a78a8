#ifndef OFFSTAGE_INK_MEASURE_H
#define OFFSTAGE_INK_MEASURE_H

#include "curve.h"

/// A segment of the curve between two points: positions along it, and the lengths up to them.
struct ink_segment {
    const struct offstage_ink_point *p1, *p2;
    struct control control;
    double from[2], to[2], x[MOST_STEPS + 1], y[MOST_STEPS + 1], lengths[MOST_STEPS + 1];
    int count;
};

static inline double ink_segment_length(const struct ink_segment *segment) { return segment->lengths[segment->count]; }

/// The texture with its values clamped to their ranges.
struct offstage_ink_texture ink_clean_texture(const struct offstage_ink_texture *texture);

/// Measures the segment from a point to the next one.
void ink_measure_segment(
    struct ink_segment *segment, const struct offstage_ink_style *style, const struct offstage_ink_point *points, size_t count, size_t i);

/// Finds the length and the number of stamps before each segment. While somebody draws, points are added one at a time, so
/// earlier measurements are reused, except at the end, which a new point bends. Returns false if memory is short.
bool ink_measure(
    struct ink_measured *measured, const struct offstage_ink_style *style, const struct offstage_ink_texture *clean,
    const struct offstage_ink_point *points, size_t count);

#endif
