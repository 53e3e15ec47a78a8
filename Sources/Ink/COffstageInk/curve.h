// The curve between two points of a pen: its control points, and the width and the opacity at its ends.
#ifndef OFFSTAGE_INK_CURVE_H
#define OFFSTAGE_INK_CURVE_H

#include <math.h>

#include "ink.h"

/// The speed, in page units per second, at which half of the share applies.
#define HALF_SPEED 600.0
/// The tilt at which a pencil begins to draw with its side, radians.
#define UPRIGHT 0.35
/// The maximum distance between the curve and its chords, device px.
#define TOLERANCE 0.08
#define MOST_STEPS 64

static inline bool is_usable(const struct offstage_ink_point *point) {
    // False if a coordinate is not a number.
    return fabsf(point->x) <= OFFSTAGE_INK_FAR && fabsf(point->y) <= OFFSTAGE_INK_FAR && isfinite(point->pressure);
}

static inline double clamped(double value, double low, double high) {
    return value > low ? (value < high ? value : high) : low;
}

static inline double speed(const struct offstage_ink_point *points, size_t count, size_t i) {
    const struct offstage_ink_point *before = &points[i > 0 ? i - 1 : 0], *after = &points[i + 1 < count ? i + 1 : i];
    double seconds = (double)after->time - before->time;
    if (!(seconds > 0)) return 0;
    double x = (double)after->x - before->x, y = (double)after->y - before->y;
    return sqrt(x * x + y * y) / seconds;
}

/// The tilt of a pencil: 0 upright, 1 flat on its side.
static inline double lean(const struct offstage_ink_style *style, const struct offstage_ink_point *point) {
    if (style->tool != OFFSTAGE_INK_PENCIL || !(point->tilt > UPRIGHT)) return 0;
    return clamped((point->tilt - UPRIGHT) / (1.5707963 - UPRIGHT), 0, 1);
}

/// A point's radius in page units, and its opacity.
static inline void look(
    const struct offstage_ink_style *style, const struct offstage_ink_point *points, size_t count, size_t i, double *radius,
    double *opacity) {
    double pressure = clamped(points[i].pressure, 0, 1e4), slow = 0;
    if (style->width_speed > 0 || style->opacity_speed > 0) {
        double fast = speed(points, count, i);
        slow = fast / (fast + HALF_SPEED);
    }
    double side = lean(style, &points[i]);
    double width = style->width * (1 - style->width_pressure + style->width_pressure * pressure)
        * (1 - style->width_speed * slow) * (1 + 5 * side);
    *radius = clamped(width / 2, 0, OFFSTAGE_INK_FAR);
    double share = 1 - style->opacity_pressure + style->opacity_pressure * pressure;
    *opacity = clamped(share, 0, 1) * (1 - style->opacity_speed * slow) * (1 - 0.5 * side);
}

struct control {
    double x1, y1, x2, y2;
};

static inline double distance(const struct offstage_ink_point *a, const struct offstage_ink_point *b) {
    double x = (double)b->x - a->x, y = (double)b->y - a->y;
    return sqrt(x * x + y * y);
}

/// Maxim Shemanarev's interpolation: control points on the line through the midpoints of the neighbouring segments. The ends have
/// no neighbour, so the curve reaches the newest point at once.
static inline struct control controls(
    const struct offstage_ink_point *p0, const struct offstage_ink_point *p1, const struct offstage_ink_point *p2,
    const struct offstage_ink_point *p3, double softness) {
    double before = distance(p0, p1), here = distance(p1, p2), after = distance(p2, p3);
    double share1 = before + here > 0 ? before / (before + here) : 0, share2 = here + after > 0 ? here / (here + after) : 0;
    double ax = ((double)p0->x + p1->x) / 2, ay = ((double)p0->y + p1->y) / 2;
    double bx = ((double)p1->x + p2->x) / 2, by = ((double)p1->y + p2->y) / 2;
    double cx = ((double)p2->x + p3->x) / 2, cy = ((double)p2->y + p3->y) / 2;
    double mx = ax + (bx - ax) * share1, my = ay + (by - ay) * share1;
    double nx = bx + (cx - bx) * share2, ny = by + (cy - by) * share2;
    return (struct control){
        p1->x + (bx - mx) * softness, p1->y + (by - my) * softness, p2->x + (bx - nx) * softness, p2->y + (by - ny) * softness};
}

static inline double bend(double a, double b, double c) { return fabs(a - 2 * b + c); }

static inline int steps(const struct offstage_ink_point *p1, struct control c, const struct offstage_ink_point *p2, double scale) {
    double x = fmax(bend(p1->x, c.x1, c.x2), bend(c.x1, c.x2, p2->x));
    double y = fmax(bend(p1->y, c.y1, c.y2), bend(c.y1, c.y2, p2->y));
    double wanted = ceil(sqrt(0.75 * sqrt(x * x + y * y) * scale / TOLERANCE));
    return wanted < 1 ? 1 : wanted > MOST_STEPS ? MOST_STEPS : (int)wanted;
}

/// True if no part of the segment can touch the box. A curve stays inside the hull of its control points.
static inline bool is_outside(
    const struct offstage_ink_point *p1, struct control c, const struct offstage_ink_point *p2, double radius,
    const struct offstage_ink_box *box) {
    double left = fmin(fmin(p1->x, p2->x), fmin(c.x1, c.x2)), right = fmax(fmax(p1->x, p2->x), fmax(c.x1, c.x2));
    double top = fmin(fmin(p1->y, p2->y), fmin(c.y1, c.y2)), bottom = fmax(fmax(p1->y, p2->y), fmax(c.y1, c.y2));
    return left - radius > box->right || right + radius < box->left || top - radius > box->bottom || bottom + radius < box->top;
}

#endif
