// Draws strokes: one coverage mask for each stroke, blended once. A pixel depends only on the stroke and its position on the
// page, so any rectangle drawn separately equals the same part of the whole page.
#ifndef OFFSTAGE_INK_H
#define OFFSTAGE_INK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A sample of a pen.
struct offstage_ink_point {
    /// In page units, from the page's upper left corner.
    float x, y;
    /// 1 is the nominal pressure.
    float pressure;
    /// The tilt in radians from the upright pen, and the direction in which it leans.
    float tilt, azimuth;
    /// Seconds since the stroke began.
    float time;
};

enum offstage_ink_tool {
    OFFSTAGE_INK_PEN = 1,
    OFFSTAGE_INK_MARKER,
    OFFSTAGE_INK_PENCIL,
    OFFSTAGE_INK_HIGHLIGHTER,
    /// Covers the paper with white.
    OFFSTAGE_INK_WHITEOUT,
};

enum offstage_ink_cap {
    OFFSTAGE_INK_ROUND,
    OFFSTAGE_INK_BUTT,
    OFFSTAGE_INK_SQUARE,
};

#define OFFSTAGE_INK_DASHES 8
/// The maximum coordinate and width to draw, page units.
#define OFFSTAGE_INK_FAR 1e6f

/// The style of a stroke. Lengths are in page units.
struct offstage_ink_style {
    uint32_t tool;
    uint32_t cap;
    /// Red, green, blue, opacity; not premultiplied.
    uint8_t color[4];
    float width;
    /// 0: straight lines between the points; 1: the softest curve.
    float smoothing;
    /// The shares, 0 to 1, of the width and the opacity that pressure and speed control.
    float width_pressure, width_speed, opacity_pressure, opacity_speed;
    /// The lengths over which the ends taper.
    float taper_start, taper_end;
    /// The opacity of the fill, 0 to 255; 0 for none.
    uint32_t fill;
    /// Alternating lengths of ink and gaps; a count of 0 for a solid line.
    uint32_t dash_count;
    float dashes[OFFSTAGE_INK_DASHES];
};

/// The minimum and maximum side of a texture's image, px.
#define OFFSTAGE_INK_LEAST_SIDE 8
#define OFFSTAGE_INK_MOST_SIDE 128

enum offstage_ink_shape_kind {
    OFFSTAGE_INK_NO_SHAPE,
    OFFSTAGE_INK_CHALK,
    OFFSTAGE_INK_CHARCOAL,
    OFFSTAGE_INK_CHISEL,
    OFFSTAGE_INK_NIB,
    OFFSTAGE_INK_DOTS,
    /// An image in the document.
    OFFSTAGE_INK_OWN_SHAPE,
};

enum offstage_ink_turn {
    OFFSTAGE_INK_UPRIGHT,
    OFFSTAGE_INK_WITH_CURVE,
    /// In the direction in which the pen leans, or along the curve for an upright pen.
    OFFSTAGE_INK_WITH_PEN,
};

/// An image stamped along the curve instead of a solid line. Values out of range are clamped.
struct offstage_ink_texture {
    uint32_t shape, turn;
    /// Decides the jitter of each stamp.
    uint32_t seed;
    /// The number of stamps before the first point, for the rest of a divided stroke. Not negative.
    float phase;
    /// The distance between stamps as a share of the width, 0.04 to 4; 0 for 0.15.
    float spacing;
    /// Radians, clockwise, added to the rotation.
    float angle;
    /// The opacity of a stamp, 0 to 1.
    float opacity;
    /// 0 to 1: a stamp's maximum distance from the curve as a share of half the width; its maximum rotation as a share of a half
    /// turn; and the maximum reduction of its size and its opacity.
    float place_jitter, angle_jitter, size_jitter, opacity_jitter;
    /// 1: stamps accumulate, and the line becomes denser. 0: the densest stamp counts.
    uint32_t builds_up;
    /// The image for OFFSTAGE_INK_OWN_SHAPE.
    uint64_t image;
};

/// The default texture of a shape, for new brushes.
struct offstage_ink_texture offstage_ink_usual_texture(enum offstage_ink_shape_kind shape);

/// A texture's image in all sizes. Any number of threads can use it at the same time.
struct offstage_ink_shape;

/// Makes a shape.
///
/// - bytes: the opacity of each pixel, row by row.
/// - side: px, OFFSTAGE_INK_LEAST_SIDE to OFFSTAGE_INK_MOST_SIDE.
///
/// Returns NULL for another side, or if memory is short.
struct offstage_ink_shape *offstage_ink_shape_new(const uint8_t *bytes, uint32_t side);
void offstage_ink_shape_free(struct offstage_ink_shape *shape);

/// A rectangle of a page's picture to draw into.
struct offstage_ink_target {
    /// Premultiplied BGRA, top row first.
    uint8_t *pixels;
    size_t bytes_per_row;
    /// The rectangle's position in the picture and its size, device px.
    int32_t x, y, width, height;
    /// Device px per page unit.
    double scale;
    /// Highlighters lighten dark paper.
    bool is_dark;
};

/// A rectangle in page units.
struct offstage_ink_box {
    float left, top, right, bottom;
};

/// Memory that drawings share. Use it from one thread at a time.
struct offstage_ink_scratch;

/// Returns NULL if memory is short.
struct offstage_ink_scratch *offstage_ink_scratch_new(void);
void offstage_ink_scratch_free(struct offstage_ink_scratch *scratch);

/// Draws the part of a stroke that is inside the target. Points that are not finite, or farther away than OFFSTAGE_INK_FAR, are
/// left out.
///
/// - texture: NULL for a solid line.
/// - shape: the image for OFFSTAGE_INK_OWN_SHAPE. NULL, for example if the document lacks it, for a solid line.
///
/// Returns false if memory is short; the target may then lack the stroke.
bool offstage_ink_draw(
    struct offstage_ink_scratch *scratch, const struct offstage_ink_target *target, const struct offstage_ink_style *style,
    const struct offstage_ink_texture *texture, const struct offstage_ink_shape *shape, const struct offstage_ink_point *points,
    size_t count);

/// The bounds of all pixels that the points from `first` on can touch, including the curve into them. Empty, with `left` larger
/// than `right`, if no pixel is touched.
///
/// - texture: NULL for a solid line.
struct offstage_ink_box offstage_ink_bounds(
    const struct offstage_ink_style *style, const struct offstage_ink_texture *texture, const struct offstage_ink_point *points,
    size_t first, size_t count);

/// A corner of an outline, page units.
struct offstage_ink_corner {
    float x, y;
    /// True for the first one of each outline.
    bool begins;
};

/// Fills closed outlines, such as those of a letter, by the nonzero rule, inside the target. Returns false if memory is short.
bool offstage_ink_fill(
    struct offstage_ink_scratch *scratch, const struct offstage_ink_target *target, const struct offstage_ink_corner *corners,
    size_t count, const uint8_t color[4]);

/// A point on a stroke's centre line, and the stroke's radius and opacity there.
struct offstage_ink_node {
    float x, y, radius, opacity;
};

/// Makes the centre line of a stroke as drawn at a scale, in page units, for vector formats and hit tests. Dashes are not
/// applied. The result belongs to the scratch, and is valid until its next use. Returns NULL for no nodes, or if memory is short.
const struct offstage_ink_node *offstage_ink_nodes(
    struct offstage_ink_scratch *scratch, const struct offstage_ink_style *style, const struct offstage_ink_point *points,
    size_t count, double scale, size_t *node_count);

/// A position on a curve: the index of the segment between two drawable points, from 0, and the fraction along it, 0 to 1.
struct offstage_ink_share {
    uint32_t segment;
    float share;
};

/// The positions of the nodes on the points' segments. Valid as long as the nodes.
const struct offstage_ink_share *offstage_ink_shares(const struct offstage_ink_scratch *scratch);

/// The number of stamps before each point at which a stroke is cut.
///
/// - shares: `share_count` positions, as returned by `offstage_ink_shares` for the same points.
/// - phases: set by this function, one for each share.
///
/// Returns false if memory is short.
bool offstage_ink_phases(
    struct offstage_ink_scratch *scratch, const struct offstage_ink_style *style, const struct offstage_ink_texture *texture,
    const struct offstage_ink_point *points, size_t count, const struct offstage_ink_share *shares, size_t share_count, float *phases);

/// Blends a colour over a rectangle of the picture with soft edges, for the lines of ruled paper. Coordinates are device px.
void offstage_ink_rectangle(
    const struct offstage_ink_target *target, double left, double top, double right, double bottom, const uint8_t color[4]);

#endif
