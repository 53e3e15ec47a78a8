// Measures curves with a texture: the length and the number of stamps before each point. Stamps are at the same positions at
// every scale. A new point adds stamps, and moves only the stamps on the segment that it bends.
#include <math.h>
#include <string.h>

#include "measure.h"

/// The resolution, in device px per page unit, at which the curve is measured.
#define MEASURE 4.0
/// The minimum distance between stamps, page units.
#define LEAST_STEP 0.2

static float within(float value, float low, float high) {
    // Also catches NaN.
    return value > low ? (value < high ? value : high) : low;
}

struct offstage_ink_texture ink_clean_texture(const struct offstage_ink_texture *texture) {
    struct offstage_ink_texture clean = *texture;
    clean.spacing = within(texture->spacing > 0 ? texture->spacing : 0.15f, 0.04f, 4);
    clean.phase = within(texture->phase, 0, 1e9f);
    clean.angle = fabsf(texture->angle) <= 1e4f ? texture->angle : 0;
    clean.opacity = within(texture->opacity, 0, 1);
    clean.place_jitter = within(texture->place_jitter, 0, 1);
    clean.angle_jitter = within(texture->angle_jitter, 0, 1);
    clean.size_jitter = within(texture->size_jitter, 0, 1);
    clean.opacity_jitter = within(texture->opacity_jitter, 0, 1);
    return clean;
}

double ink_stamp_reach(const struct offstage_ink_texture *texture) {
    // Half a pixel of the smallest image is beyond its edge.
    return 1.41422 * (1 + 1.0 / OFFSTAGE_INK_LEAST_SIDE + (double)within(texture->place_jitter, 0, 1));
}

void ink_measure_segment(
    struct ink_segment *segment, const struct offstage_ink_style *style, const struct offstage_ink_point *points, size_t count, size_t i) {
    const struct offstage_ink_point *p1 = &points[i], *p2 = &points[i + 1];
    const struct offstage_ink_point *p0 = i > 0 ? &points[i - 1] : p1, *p3 = i + 2 < count ? &points[i + 2] : p2;
    double softness = clamped(style->smoothing, 0, 1);
    struct control c = {p1->x, p1->y, p2->x, p2->y};
    if (softness > 0) c = controls(p0, p1, p2, p3, softness);
    segment->p1 = p1, segment->p2 = p2, segment->control = c;
    segment->count = softness > 0 ? steps(p1, c, p2, MEASURE) : 1;
    segment->x[0] = p1->x, segment->y[0] = p1->y, segment->lengths[0] = 0;
    for (int j = 1; j <= segment->count; j++) {
        double t = (double)j / segment->count, s = 1 - t, a = s * s * s, b = 3 * s * s * t, d = 3 * s * t * t, e = t * t * t;
        bool is_last = j == segment->count;
        segment->x[j] = is_last ? p2->x : a * p1->x + b * c.x1 + d * c.x2 + e * p2->x;
        segment->y[j] = is_last ? p2->y : a * p1->y + b * c.y1 + d * c.y2 + e * p2->y;
        double dx = segment->x[j] - segment->x[j - 1], dy = segment->y[j] - segment->y[j - 1];
        segment->lengths[j] = segment->lengths[j - 1] + sqrt(dx * dx + dy * dy);
    }
    look(style, points, count, i, &segment->from[0], &segment->from[1]);
    look(style, points, count, i + 1, &segment->to[0], &segment->to[1]);
}

/// The number of stamps on a segment.
static double stamps_on(const struct ink_segment *segment, double spacing) {
    return ink_segment_length(segment) / fmax(spacing * (segment->from[0] + segment->to[0]), LEAST_STEP);
}

/// True if the measurement is still valid for this style and texture.
static bool is_same_measure(
    const struct ink_measured *measured, const struct offstage_ink_style *style, const struct offstage_ink_texture *texture) {
    const struct offstage_ink_style *old = &measured->style;
    return old->tool == style->tool && old->width == style->width && old->smoothing == style->smoothing
        && old->width_pressure == style->width_pressure && old->width_speed == style->width_speed
        && measured->spacing == texture->spacing && measured->phase == texture->phase && measured->place_jitter == texture->place_jitter;
}

/// The number of leading points that both strokes have in common.
static size_t common_points(const struct ink_measured *measured, const struct offstage_ink_point *points, size_t count) {
    size_t least = measured->count < count ? measured->count : count;
    if (least == 0 || memcmp(measured->points, points, least * sizeof *points) == 0) return least;
    size_t common = 0;
    while (memcmp(&measured->points[common], &points[common], sizeof *points) == 0) common++;
    return common;
}

static struct offstage_ink_box segment_box(const struct ink_segment *segment, double margin) {
    const struct offstage_ink_point *p1 = segment->p1, *p2 = segment->p2;
    struct control c = segment->control;
    return (struct offstage_ink_box){
        (float)(fmin(fmin(p1->x, p2->x), fmin(c.x1, c.x2)) - margin), (float)(fmin(fmin(p1->y, p2->y), fmin(c.y1, c.y2)) - margin),
        (float)(fmax(fmax(p1->x, p2->x), fmax(c.x1, c.x2)) + margin), (float)(fmax(fmax(p1->y, p2->y), fmax(c.y1, c.y2)) + margin)};
}

bool ink_measure(
    struct ink_measured *measured, const struct offstage_ink_style *style, const struct offstage_ink_texture *clean,
    const struct offstage_ink_point *points, size_t count) {
    size_t first = is_same_measure(measured, style, clean) ? common_points(measured, points, count) : 0;
    first = first > 3 ? first - 3 : 0;
    measured->count = 0;
    if (!ink_grow((void **)&measured->points, &measured->point_room, count, sizeof *points)
        || !ink_grow((void **)&measured->stops, &measured->stop_room, count + 1, sizeof *measured->stops))
        return false;
    memcpy(measured->points + first, points + first, (count - first) * sizeof *points);
    measured->style = *style;
    measured->spacing = clean->spacing, measured->phase = clean->phase, measured->place_jitter = clean->place_jitter;
    if (first == 0) measured->stops[0] = (struct ink_stop){.phase = (double)clean->phase};
    double reach = ink_stamp_reach(clean);
    struct ink_segment segment;
    for (size_t i = first; i + 1 < count; i++) {
        ink_measure_segment(&segment, style, points, count, i);
        struct ink_stop *stop = &measured->stops[i];
        double length = ink_segment_length(&segment), stamps = length > 0 ? stamps_on(&segment, (double)clean->spacing) : 0;
        stop->box = segment_box(&segment, fmax(segment.from[0], segment.to[0]) * reach);
        stop[1].length = stop->length + length;
        stop[1].phase = stop->phase + stamps;
    }
    measured->count = count;
    return true;
}

bool offstage_ink_phases(
    struct offstage_ink_scratch *scratch, const struct offstage_ink_style *style, const struct offstage_ink_texture *texture,
    const struct offstage_ink_point *points, size_t count, const struct offstage_ink_share *shares, size_t share_count, float *phases) {
    ptrdiff_t usable = ink_usable_points(scratch, points, count);
    const struct offstage_ink_texture clean = ink_clean_texture(texture);
    struct ink_measured *measured = &scratch->measured;
    if (usable <= 0 || !ink_measure(measured, style, &clean, scratch->points, (size_t)usable)) return false;
    struct ink_segment segment;
    size_t known = SIZE_MAX;
    for (size_t i = 0; i < share_count; i++) {
        size_t number = shares[i].segment;
        phases[i] = (float)measured->stops[number < (size_t)usable ? number : (size_t)usable - 1].phase;
        if (number + 1 >= (size_t)usable || !(shares[i].share > 0)) continue;
        if (number != known) ink_measure_segment(&segment, style, scratch->points, (size_t)usable, known = number);
        if (!(ink_segment_length(&segment) > 0)) continue;
        double at = (double)shares[i].share * segment.count;
        int j = (int)clamped(floor(at), 0, segment.count - 1);
        double place = segment.lengths[j] + (segment.lengths[j + 1] - segment.lengths[j]) * (at - j);
        const struct ink_stop *stop = &measured->stops[number];
        phases[i] = (float)(stop->phase + (stop[1].phase - stop->phase) * (place / ink_segment_length(&segment)));
    }
    return true;
}
