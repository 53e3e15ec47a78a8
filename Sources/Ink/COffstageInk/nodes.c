// Turns pen samples into the centre line: a curve through every point, with a radius and an opacity at each position.
#include <math.h>

#include "curve.h"

ptrdiff_t ink_usable_points(struct offstage_ink_scratch *scratch, const struct offstage_ink_point *points, size_t count) {
    if (!ink_grow((void **)&scratch->points, &scratch->point_room, count, sizeof *points)) return -1;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (is_usable(&points[i])) scratch->points[kept++] = points[i];
    return (ptrdiff_t)kept;
}

/// Records the position of the last node.
static bool note_share(struct offstage_ink_scratch *scratch, size_t segment, double share) {
    if (!scratch->wants_shares) return true;
    if (!ink_grow((void **)&scratch->shares, &scratch->share_room, scratch->node_count, sizeof *scratch->shares)) return false;
    scratch->shares[scratch->node_count - 1] = (struct offstage_ink_share){(uint32_t)segment, (float)share};
    return true;
}

static bool add_segment(
    struct offstage_ink_scratch *scratch, size_t number, const struct offstage_ink_point *p1, struct control c,
    const struct offstage_ink_point *p2, const double from[2], const double to[2], double scale, bool begins, bool is_straight) {
    if (begins
        && !(ink_add_node(scratch, p1->x * scale, p1->y * scale, from[0] * scale, from[1]) && note_share(scratch, number, 0)))
        return false;
    int count = is_straight ? 1 : steps(p1, c, p2, scale);
    for (int i = 1; i <= count; i++) {
        double t = (double)i / count, s = 1 - t;
        double a = s * s * s, b = 3 * s * s * t, d = 3 * s * t * t, e = t * t * t;
        double x = a * p1->x + b * c.x1 + d * c.x2 + e * p2->x, y = a * p1->y + b * c.y1 + d * c.y2 + e * p2->y;
        if (i == count) x = p2->x, y = p2->y;
        double radius = from[0] + (to[0] - from[0]) * t, opacity = from[1] + (to[1] - from[1]) * t;
        if (!ink_add_node(scratch, x * scale, y * scale, radius * scale, opacity) || !note_share(scratch, number, t)) return false;
    }
    return true;
}

/// Tapers the ends. Needs the whole line.
static void taper(struct offstage_ink_scratch *scratch, const struct offstage_ink_style *style, double scale) {
    double start = style->taper_start * scale, end = style->taper_end * scale, length = 0, at = 0;
    struct offstage_ink_node *nodes = scratch->nodes;
    for (size_t i = 1; i < scratch->node_count; i++)
        length += hypot((double)nodes[i].x - nodes[i - 1].x, (double)nodes[i].y - nodes[i - 1].y);
    for (size_t i = 0; i < scratch->node_count; i++) {
        if (i > 0) at += hypot((double)nodes[i].x - nodes[i - 1].x, (double)nodes[i].y - nodes[i - 1].y);
        double share = 1;
        if (start > 0 && at < start) share = sin(at / start * 1.5707963);
        if (end > 0 && length - at < end) share = fmin(share, sin((length - at) / end * 1.5707963));
        nodes[i].radius *= (float)share;
    }
}

bool ink_make_nodes(
    struct offstage_ink_scratch *scratch, const struct offstage_ink_style *style, const struct offstage_ink_point *points,
    size_t count, double scale, const struct offstage_ink_box *box) {
    scratch->node_count = 0;
    if (count == 0) return true;
    double softness = clamped(style->smoothing, 0, 1), from[2], to[2];
    look(style, points, count, 0, &from[0], &from[1]);
    if (count == 1)
        return ink_add_node(scratch, points[0].x * scale, points[0].y * scale, from[0] * scale, from[1]) && note_share(scratch, 0, 0);
    // Tapers, dashes and fills depend on the whole stroke.
    if (style->taper_start > 0 || style->taper_end > 0 || style->dash_count > 0 || style->fill > 0) box = NULL;
    bool begins = true;
    for (size_t i = 0; i + 1 < count; i++) {
        look(style, points, count, i + 1, &to[0], &to[1]);
        const struct offstage_ink_point *p1 = &points[i], *p2 = &points[i + 1];
        const struct offstage_ink_point *p0 = i > 0 ? &points[i - 1] : p1, *p3 = i + 2 < count ? &points[i + 2] : p2;
        struct control c = {p1->x, p1->y, p2->x, p2->y};
        if (softness > 0) c = controls(p0, p1, p2, p3, softness);
        if (box && is_outside(p1, c, p2, fmax(from[0], to[0]) + 1 / scale, box)) {
            if (!begins && !ink_add_node(scratch, 0, 0, -1, 0)) return false;
            begins = true;
        } else {
            if (!add_segment(scratch, i, p1, c, p2, from, to, scale, begins, softness == 0)) return false;
            begins = false;
        }
        from[0] = to[0];
        from[1] = to[1];
    }
    if (style->taper_start > 0 || style->taper_end > 0) taper(scratch, style, scale);
    return true;
}

const struct offstage_ink_node *offstage_ink_nodes(
    struct offstage_ink_scratch *scratch, const struct offstage_ink_style *style, const struct offstage_ink_point *points,
    size_t count, double scale, size_t *node_count) {
    *node_count = 0;
    ptrdiff_t usable = ink_usable_points(scratch, points, count);
    if (usable <= 0 || !(scale > 0)) return NULL;
    scratch->wants_shares = true;
    bool is_made = ink_make_nodes(scratch, style, scratch->points, (size_t)usable, scale, NULL);
    scratch->wants_shares = false;
    if (!is_made) return NULL;
    for (size_t i = 0; i < scratch->node_count; i++) {
        struct offstage_ink_node *node = &scratch->nodes[i];
        node->x = (float)(node->x / scale);
        node->y = (float)(node->y / scale);
        node->radius = (float)(node->radius / scale);
    }
    *node_count = scratch->node_count;
    return scratch->nodes;
}

const struct offstage_ink_share *offstage_ink_shares(const struct offstage_ink_scratch *scratch) { return scratch->shares; }

struct offstage_ink_box offstage_ink_bounds(
    const struct offstage_ink_style *style, const struct offstage_ink_texture *texture, const struct offstage_ink_point *points,
    size_t first, size_t count) {
    struct offstage_ink_box box = {1, 1, -1, -1};
    bool is_empty = true;
    // A new point also changes the curve that leads to the point before it.
    size_t start = first > 2 ? first - 2 : 0;
    double radius = 0, longest = 0;
    const struct offstage_ink_point *last = NULL;
    for (size_t i = start; i < count; i++) {
        if (!is_usable(&points[i])) continue;
        double here, opacity;
        look(style, points, count, i, &here, &opacity);
        radius = fmax(radius, here);
        if (last) longest = fmax(longest, distance(last, &points[i]));
        last = &points[i];
        if (is_empty) box = (struct offstage_ink_box){points[i].x, points[i].y, points[i].x, points[i].y};
        is_empty = false;
        box.left = fminf(box.left, points[i].x);
        box.right = fmaxf(box.right, points[i].x);
        box.top = fminf(box.top, points[i].y);
        box.bottom = fmaxf(box.bottom, points[i].y);
    }
    if (is_empty) return box;
    // A square end extends beyond its corner, and a soft curve beyond its points by at most half of a segment.
    double reach = style->cap == OFFSTAGE_INK_SQUARE ? 1.5 : 1;
    if (texture && texture->shape != OFFSTAGE_INK_NO_SHAPE) reach = fmax(reach, ink_stamp_reach(texture));
    double margin = radius * reach + (style->smoothing > 0 ? longest / 2 : 0);
    box.left -= (float)margin;
    box.right += (float)margin;
    box.top -= (float)margin;
    box.bottom += (float)margin;
    return box;
}
