#ifndef OFFSTAGE_INK_PRIVATE_H
#define OFFSTAGE_INK_PRIVATE_H

#include "offstage_ink.h"

/// The covered columns of a row of the mask, `first` to before `end`.
struct ink_span {
    int32_t first, end;
};

/// The length (page units) and the number of stamps before a segment of a curve.
struct ink_stop {
    double length, phase;
    /// The bounds of the segment's stamps.
    struct offstage_ink_box box;
};

/// The measurements of the last drawn curve with a texture.
struct ink_measured {
    struct offstage_ink_style style;
    float spacing, phase, place_jitter;
    struct offstage_ink_point *points;
    /// One more than the number of segments.
    struct ink_stop *stops;
    size_t count, point_room, stop_room;
};

struct offstage_ink_scratch {
    /// One byte for each pixel; all zero between strokes.
    uint8_t *mask;
    size_t mask_size;
    struct ink_span *spans;
    size_t span_count;
    struct offstage_ink_node *nodes;
    size_t node_count, node_room;
    /// The positions of the nodes, if requested.
    struct offstage_ink_share *shares;
    size_t share_room;
    bool wants_shares;
    /// The drawable points.
    struct offstage_ink_point *points;
    size_t point_room;
    /// The crossings of a row of a polygon.
    struct ink_crossing *crossings;
    size_t crossing_room;
    struct ink_measured measured;
};

struct ink_crossing {
    float x;
    int32_t winding;
};

/// A part of the picture as bytes of coverage.
struct ink_mask {
    uint8_t *bytes;
    struct ink_span *spans;
    /// Device px of the picture.
    int32_t left, top, width, height;
};

/// Flags of a cone's ends.
enum ink_end {
    INK_FLAT_START = 1,
    INK_FLAT_END = 2,
};

/// Adds the cone between two circles, in device px, to the mask: the maximum of both.
void ink_cone(const struct ink_mask *mask, struct offstage_ink_node from, struct offstage_ink_node to, unsigned ends);

/// Finds the part of the target that the box, in page units, can touch. Returns false if there is none.
bool ink_place(const struct offstage_ink_target *target, const struct offstage_ink_box *box, struct ink_mask *mask);

/// Allocates memory for a mask. New bytes are zero, and every use clears it again. Returns false if memory is short.
bool ink_prepare_mask(struct offstage_ink_scratch *scratch, struct ink_mask *mask);

/// Clears the mask after an error, because a partial drawing may be in it.
void ink_forget_mask(struct offstage_ink_scratch *scratch);

/// Sets the mask to the inside of the polygons of the nodes, by the nonzero rule. A gap separates two polygons. Returns false if
/// memory is short.
bool ink_polygon(struct offstage_ink_scratch *scratch, const struct ink_mask *mask);

/// Makes the nodes of the whole stroke, in device px of the scale. With a box, in page units, it may skip segments outside, and
/// marks a gap by a node with a negative radius. Returns false if memory is short.
bool ink_make_nodes(
    struct offstage_ink_scratch *scratch, const struct offstage_ink_style *style, const struct offstage_ink_point *points,
    size_t count, double scale, const struct offstage_ink_box *box);

/// Copies the drawable points into the scratch. Returns their number, or -1 if memory is short.
ptrdiff_t ink_usable_points(struct offstage_ink_scratch *scratch, const struct offstage_ink_point *points, size_t count);

/// Cuts the nodes into dashes. Gaps are marked as in `ink_make_nodes`. Returns false if memory is short.
bool ink_cut_dashes(struct offstage_ink_scratch *scratch, const struct offstage_ink_style *style, double scale);

/// The shape of a texture; NULL for a solid line.
///
/// - own: the document's image, or NULL.
const struct offstage_ink_shape *ink_shape(const struct offstage_ink_texture *texture, const struct offstage_ink_shape *own);

/// Adds a shape to the mask. Lengths are in device px of the picture.
///
/// - cosine, sine: those of the rotation's angle.
/// - opacity: 0 to 255.
/// - builds_up: false to use the maximum of the mask and the shape.
void ink_stamp(
    const struct ink_mask *mask, const struct offstage_ink_shape *shape, double x, double y, double half, double cosine, double sine,
    unsigned opacity, bool builds_up);

/// Stamps a shape along the whole curve. A stamp depends on all points before it and on the two after it, but not on the mask.
///
/// - box: the mask's box, page units.
///
/// Returns false if memory is short.
bool ink_add_stamps(
    struct offstage_ink_scratch *scratch, const struct ink_mask *mask, const struct offstage_ink_style *style,
    const struct offstage_ink_texture *texture, const struct offstage_ink_shape *shape, const struct offstage_ink_point *points,
    size_t count, double scale, const struct offstage_ink_box *box);

/// The maximum extent of a stamp as a share of the curve's radius.
double ink_stamp_reach(const struct offstage_ink_texture *texture);

/// Multiplies the mask by the paper's grain.
void ink_grain(const struct ink_mask *mask, double scale);

enum ink_blend {
    INK_OVER,
    /// Darkens light paper.
    INK_MULTIPLY,
    /// Lightens dark paper.
    INK_SCREEN,
};

/// Blends a colour through the mask into the target, and clears the mask.
void ink_blend_mask(
    const struct offstage_ink_target *target, const struct ink_mask *mask, const uint8_t color[4], unsigned opacity,
    enum ink_blend blend);

bool ink_grow(void **memory, size_t *room, size_t count, size_t size);
bool ink_add_node(struct offstage_ink_scratch *scratch, double x, double y, double radius, double opacity);

/// A noise value from 0 to 1 for each grid position.
static inline float ink_noise(int32_t x, int32_t y) {
    uint32_t hash = (uint32_t)x * 0x9E3779B1u ^ (uint32_t)y * 0x85EBCA77u;
    hash ^= hash >> 15;
    hash *= 0x2C1B3C6Du;
    hash ^= hash >> 12;
    hash *= 0x297A2D39u;
    hash ^= hash >> 15;
    return (float)(hash >> 8) / 16777216.0f;
}

/// The product of two bytes, exactly rounded.
static inline unsigned ink_scaled(unsigned value) {
    value += 128;
    return (value + (value >> 8)) >> 8;
}

static inline int32_t ink_clamp_pixel(double value) {
    return value < -1e8 ? -100000000 : value > 1e8 ? 100000000 : (int32_t)value;
}

#endif
