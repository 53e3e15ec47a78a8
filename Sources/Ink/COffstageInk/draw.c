#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ink.h"

/// Extends the end of a line by its radius.
static struct offstage_ink_node extended(struct offstage_ink_node end, struct offstage_ink_node before) {
    float dx = end.x - before.x, dy = end.y - before.y, length = sqrtf(dx * dx + dy * dy);
    if (!(length > 0)) return end;
    end.x += dx / length * end.radius;
    end.y += dy / length * end.radius;
    return end;
}

static bool is_gap(const struct offstage_ink_node *node) { return node->radius < 0; }

/// - is_whole: true if the first and last nodes, and not only gaps, end the stroke or a dash.
static void add_cones(
    struct offstage_ink_scratch *scratch, const struct ink_mask *mask, const struct offstage_ink_style *style, bool is_whole) {
    const struct offstage_ink_node *nodes = scratch->nodes;
    size_t count = scratch->node_count;
    bool is_flat = style->cap != OFFSTAGE_INK_ROUND;
    for (size_t i = 0; i < count; i++) {
        if (is_gap(&nodes[i])) continue;
        bool begins = i == 0 || is_gap(&nodes[i - 1]), ends = i + 1 == count || is_gap(&nodes[i + 1]);
        if (begins && ends) ink_cone(mask, nodes[i], nodes[i], 0);
        if (ends) continue;
        struct offstage_ink_node from = nodes[i], to = nodes[i + 1];
        unsigned flags = 0;
        if (is_flat && is_whole) {
            bool is_last = i + 2 == count || is_gap(&nodes[i + 2]);
            if (begins) flags |= INK_FLAT_START;
            if (is_last) flags |= INK_FLAT_END;
            if (begins && style->cap == OFFSTAGE_INK_SQUARE) from = extended(from, to);
            if (is_last && style->cap == OFFSTAGE_INK_SQUARE) to = extended(to, nodes[i]);
        }
        ink_cone(mask, from, to, flags);
    }
}

static bool draw(
    struct offstage_ink_scratch *scratch, const struct offstage_ink_target *target, const struct offstage_ink_style *style,
    const struct offstage_ink_texture *texture, const struct offstage_ink_shape *shape, const struct offstage_ink_point *points,
    size_t count) {
    if (count == 0 || target->width <= 0 || target->height <= 0 || !(target->scale > 0) || !isfinite(style->width)) return true;
    ptrdiff_t usable = ink_usable_points(scratch, points, count);
    if (usable < 0) return false;
    if (usable == 0) return true;
    points = scratch->points;
    count = (size_t)usable;
    struct offstage_ink_box bounds = offstage_ink_bounds(style, texture, points, 0, count);
    struct ink_mask mask;
    if (!ink_place(target, &bounds, &mask)) return true;
    if (!ink_prepare_mask(scratch, &mask)) return false;
    double scale = target->scale;
    struct offstage_ink_box visible = {
        (float)((mask.left - 1) / scale), (float)((mask.top - 1) / scale), (float)((mask.left + mask.width + 1) / scale),
        (float)((mask.top + mask.height + 1) / scale)};
    shape = ink_shape(texture, shape);
    // Flat ends need to know which nodes are ends.
    bool is_flat = style->cap != OFFSTAGE_INK_ROUND, needs_nodes = !shape || style->fill > 0;
    if (needs_nodes && !ink_make_nodes(scratch, style, points, count, scale, is_flat ? NULL : &visible)) return false;
    bool is_highlighter = style->tool == OFFSTAGE_INK_HIGHLIGHTER;
    enum ink_blend blend = !is_highlighter ? INK_OVER : target->is_dark ? INK_SCREEN : INK_MULTIPLY;
    if (style->fill > 0 && count > 2) {
        if (!ink_polygon(scratch, &mask)) return false;
        // The stroke's opacity does not apply to its fill. A highlighter is a single area.
        const uint8_t color[4] = {style->color[0], style->color[1], style->color[2], 255};
        if (!is_highlighter) ink_blend_mask(target, &mask, color, style->fill < 255 ? style->fill : 255, blend);
    }
    if (shape) {
        if (!ink_add_stamps(scratch, &mask, style, texture, shape, points, count, scale, &visible)) return false;
    } else {
        if (style->dash_count > 0 && !ink_cut_dashes(scratch, style, scale)) return false;
        add_cones(scratch, &mask, style, true);
    }
    if (style->tool == OFFSTAGE_INK_PENCIL) ink_grain(&mask, scale);
    ink_blend_mask(target, &mask, style->color, 255, blend);
    return true;
}

bool offstage_ink_draw(
    struct offstage_ink_scratch *scratch, const struct offstage_ink_target *target, const struct offstage_ink_style *style,
    const struct offstage_ink_texture *texture, const struct offstage_ink_shape *shape, const struct offstage_ink_point *points,
    size_t count) {
    if (draw(scratch, target, style, texture, shape, points, count)) return true;
    ink_forget_mask(scratch);
    return false;
}
