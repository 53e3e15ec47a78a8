#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ink.h"

/// Dash patterns shorter than this, in device px, are drawn as a solid line: they would be invisible, and could be extremely
/// many.
#define SHORTEST 0.25
/// The maximum number of dashes in a stroke.
#define MOST 1000000

bool ink_cut_dashes(struct offstage_ink_scratch *scratch, const struct offstage_ink_style *style, double scale) {
    double lengths[2 * OFFSTAGE_INK_DASHES], sum = 0, total = 0;
    size_t count = style->dash_count < OFFSTAGE_INK_DASHES ? style->dash_count : OFFSTAGE_INK_DASHES;
    for (size_t i = 0; i < count; i++) {
        lengths[i] = lengths[count + i] = fmax(0, style->dashes[i]) * scale;
        if (!isfinite(lengths[i])) return true;
        sum += lengths[i];
    }
    // Like other programs, repeats an odd number of lengths.
    if (count % 2 == 1) count *= 2;
    size_t old_count = scratch->node_count;
    for (size_t i = 1; i < old_count; i++)
        total += hypot(
            (double)scratch->nodes[i].x - scratch->nodes[i - 1].x, (double)scratch->nodes[i].y - scratch->nodes[i - 1].y);
    if (old_count < 2 || sum < SHORTEST || total / sum * (double)count > MOST) return true;
    struct offstage_ink_node *old = malloc(old_count * sizeof *old);
    if (!old) return false;
    memcpy(old, scratch->nodes, old_count * sizeof *old);
    scratch->node_count = 0;
    size_t part = 0;
    double left = lengths[0];
    bool is_ink = true, is_complete = ink_add_node(scratch, old[0].x, old[0].y, old[0].radius, old[0].opacity);
    for (size_t i = 1; is_complete && i < old_count; i++) {
        struct offstage_ink_node from = old[i - 1], to = old[i];
        double length = hypot((double)to.x - from.x, (double)to.y - from.y), at = 0;
        while (is_complete && length - at > left) {
            at += left;
            double t = at / length, x = from.x + (to.x - from.x) * t, y = from.y + (to.y - from.y) * t;
            double radius = from.radius + (to.radius - from.radius) * t, opacity = from.opacity + (to.opacity - from.opacity) * t;
            is_complete = ink_add_node(scratch, x, y, radius, opacity);
            // A node that ends a dash comes before a gap; one that begins a dash comes after it.
            if (is_ink) is_complete = is_complete && ink_add_node(scratch, 0, 0, -1, 0);
            is_ink = !is_ink;
            part = (part + 1) % count;
            left = lengths[part];
        }
        left -= length - at;
        if (is_ink && is_complete) is_complete = ink_add_node(scratch, to.x, to.y, to.radius, to.opacity);
    }
    free(old);
    return is_complete;
}
