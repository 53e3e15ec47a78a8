// The stamps of a texture along a curve.
#include <math.h>

#include "measure.h"

struct walk {
    const struct ink_mask *mask;
    const struct offstage_ink_style *style;
    struct offstage_ink_texture texture;
    const struct offstage_ink_shape *shape;
    double scale, cosine, sine;
    /// The length of the whole curve, for tapering its end.
    double total;
    /// The next stamp.
    int64_t next;
};

static uint32_t mixed(uint32_t value) {
    value ^= value >> 16;
    value *= 0x7FEB352Du;
    value ^= value >> 15;
    value *= 0x846CA68Bu;
    return value ^ value >> 16;
}

/// The next random number, 0 to 1.
static double next_share(uint32_t *state) {
    *state = mixed(*state + 0x9E3779B9u);
    return (double)(*state >> 8) / 16777216.0;
}

/// True for a position in a gap between dashes.
static bool is_gap(const struct offstage_ink_style *style, double length) {
    size_t count = style->dash_count < OFFSTAGE_INK_DASHES ? style->dash_count : OFFSTAGE_INK_DASHES;
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += fmax(0, style->dashes[i]);
    if (!(sum > 0) || !isfinite(sum)) return false;
    // An odd number of lengths is repeated.
    double at = fmod(length, count % 2 == 1 ? 2 * sum : sum);
    for (size_t i = 0; i < 2 * count; i++) {
        at -= fmax(0, style->dashes[i % count]);
        if (at < 0) return i % 2 == 1;
    }
    return false;
}

static double taper(const struct offstage_ink_style *style, double length, double total) {
    double share = 1;
    if (style->taper_start > 0 && length < style->taper_start) share = sin(length / style->taper_start * 1.5707963);
    if (style->taper_end > 0 && total - length < style->taper_end)
        share = fmin(share, sin(fmax(0, total - length) / style->taper_end * 1.5707963));
    return share;
}

/// - t: the position on the segment, 0 to 1.
/// - ux, uy: the direction of the curve.
static void put(struct walk *walk, const struct ink_segment *segment, double x, double y, double t, double length, double ux, double uy) {
    const struct offstage_ink_texture *texture = &walk->texture;
    if (walk->style->dash_count > 0 && is_gap(walk->style, length)) return;
    double radius = segment->from[0] + (segment->to[0] - segment->from[0]) * t;
    double opacity = segment->from[1] + (segment->to[1] - segment->from[1]) * t;
    if (walk->style->taper_start > 0 || walk->style->taper_end > 0) radius *= taper(walk->style, length, walk->total);
    uint32_t random = texture->seed ^ mixed((uint32_t)walk->next + 1);
    double c = 1, s = 0;
    const struct offstage_ink_point *pen = t < 0.5 ? segment->p1 : segment->p2;
    if (texture->turn == OFFSTAGE_INK_WITH_PEN && fabsf(pen->tilt) > 0.02f && isfinite(pen->azimuth))
        c = cos((double)pen->azimuth), s = sin((double)pen->azimuth);
    else if (texture->turn != OFFSTAGE_INK_UPRIGHT) c = ux, s = uy;
    double cosine = c * walk->cosine - s * walk->sine, sine = s * walk->cosine + c * walk->sine;
    if (texture->angle_jitter > 0) {
        double turn = (2 * next_share(&random) - 1) * (double)texture->angle_jitter * 3.14159265, a = cos(turn), b = sin(turn);
        c = cosine, s = sine;
        cosine = c * a - s * b, sine = s * a + c * b;
    }
    if (texture->place_jitter > 0) {
        x += (2 * next_share(&random) - 1) * (double)texture->place_jitter * radius;
        y += (2 * next_share(&random) - 1) * (double)texture->place_jitter * radius;
    }
    if (texture->size_jitter > 0) radius *= 1 - (double)texture->size_jitter * next_share(&random);
    if (texture->opacity_jitter > 0) opacity *= 1 - (double)texture->opacity_jitter * next_share(&random);
    unsigned covered = (unsigned)(opacity * (double)texture->opacity * 255 + 0.5);
    ink_stamp(
        walk->mask, walk->shape, x * walk->scale, y * walk->scale, radius * walk->scale, cosine, sine, covered, texture->builds_up != 0);
}

/// The part of a line that is in a box, as fractions of the line. False for none.
static bool clip(double x, double y, double dx, double dy, const struct offstage_ink_box *box, double margin, double *from, double *to) {
    const double starts[2] = {x, y}, steps[2] = {dx, dy};
    const double low[2] = {box->left - margin, box->top - margin}, high[2] = {box->right + margin, box->bottom + margin};
    *from = 0, *to = 1;
    for (int i = 0; i < 2; i++) {
        if (steps[i] == 0) {
            if (starts[i] < low[i] || starts[i] > high[i]) return false;
            continue;
        }
        double a = (low[i] - starts[i]) / steps[i], b = (high[i] - starts[i]) / steps[i];
        *from = fmax(*from, fmin(a, b));
        *to = fmin(*to, fmax(a, b));
    }
    return *from <= *to;
}

/// - start, end: the path length and the stamp count at the segment's start and at its end.
static void stamp_segment(
    struct walk *walk, const struct ink_segment *segment, const struct ink_stop *start, const struct ink_stop *end,
    const struct offstage_ink_box *box, double margin) {
    double length = ink_segment_length(segment), stamps = end->phase - start->phase;
    // A stamp at the end of a segment belongs to it.
    walk->next = start->length > 0 ? (int64_t)floor(start->phase) + 1 : (int64_t)ceil(start->phase);
    for (int j = 0; j < segment->count; j++) {
        double before = segment->lengths[j], part = segment->lengths[j + 1] - before;
        double low = start->phase + stamps * (before / length);
        double high = j + 1 == segment->count ? end->phase : start->phase + stamps * (segment->lengths[j + 1] / length);
        double dx = segment->x[j + 1] - segment->x[j], dy = segment->y[j + 1] - segment->y[j], from, to;
        if ((double)walk->next > high || !(part > 0)) continue;
        if (clip(segment->x[j], segment->y[j], dx, dy, box, margin, &from, &to)) {
            // One stamp too many does no harm: it is outside the mask.
            double first = floor(low + (high - low) * from), last = fmin(high, ceil(low + (high - low) * to) + 1);
            if (first > (double)walk->next) walk->next = (int64_t)first;
            for (; (double)walk->next <= last; walk->next++) {
                double share = high > low ? clamped(((double)walk->next - low) / (high - low), 0, 1) : 0;
                put(walk, segment, segment->x[j] + dx * share, segment->y[j] + dy * share, (j + share) / segment->count,
                    start->length + before + part * share, dx / part, dy / part);
            }
        }
        walk->next = (int64_t)floor(high) + 1;
    }
}

bool ink_add_stamps(
    struct offstage_ink_scratch *scratch, const struct ink_mask *mask, const struct offstage_ink_style *style,
    const struct offstage_ink_texture *texture, const struct offstage_ink_shape *shape, const struct offstage_ink_point *points,
    size_t count, double scale, const struct offstage_ink_box *box) {
    struct walk walk = {.mask = mask, .style = style, .texture = ink_clean_texture(texture), .shape = shape, .scale = scale};
    struct ink_measured *measured = &scratch->measured;
    if (!ink_measure(measured, style, &walk.texture, points, count)) return false;
    walk.cosine = cos((double)walk.texture.angle), walk.sine = sin((double)walk.texture.angle);
    walk.total = measured->stops[count - 1].length;
    double reach = ink_stamp_reach(texture);
    struct ink_segment segment;
    for (size_t i = 0; i + 1 < count; i++) {
        const struct ink_stop *stop = &measured->stops[i];
        bool is_outside = stop->box.left > box->right || stop->box.right < box->left || stop->box.top > box->bottom
            || stop->box.bottom < box->top;
        if (is_outside || !(stop[1].length > stop->length)) continue;
        ink_measure_segment(&segment, style, points, count, i);
        stamp_segment(&walk, &segment, stop, stop + 1, box, fmax(segment.from[0], segment.to[0]) * reach + 1 / scale);
    }
    if (walk.total > 0) return true;
    // A dot.
    segment = (struct ink_segment){.p1 = points, .p2 = points};
    look(style, points, count, 0, &segment.from[0], &segment.from[1]);
    segment.to[0] = segment.from[0], segment.to[1] = segment.from[1];
    walk.total = INFINITY;
    walk.next = (int64_t)ceil((double)walk.texture.phase);
    put(&walk, &segment, points->x, points->y, 0, (double)style->taper_start, 1, 0);
    return true;
}
