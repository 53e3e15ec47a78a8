// The coverage mask, and outlines that fill it.
#include <math.h>
#include <stdlib.h>

#include "ink.h"

bool ink_place(const struct offstage_ink_target *target, const struct offstage_ink_box *box, struct ink_mask *mask) {
    double scale = target->scale;
    int64_t left = ink_clamp_pixel(floor(box->left * scale)) - 1, right = ink_clamp_pixel(ceil(box->right * scale)) + 1;
    int64_t top = ink_clamp_pixel(floor(box->top * scale)) - 1, bottom = ink_clamp_pixel(ceil(box->bottom * scale)) + 1;
    if (left < target->x) left = target->x;
    if (top < target->y) top = target->y;
    if (right > (int64_t)target->x + target->width) right = (int64_t)target->x + target->width;
    if (bottom > (int64_t)target->y + target->height) bottom = (int64_t)target->y + target->height;
    if (left >= right || top >= bottom) return false;
    mask->left = (int32_t)left;
    mask->top = (int32_t)top;
    mask->width = (int32_t)(right - left);
    mask->height = (int32_t)(bottom - top);
    return true;
}

bool ink_prepare_mask(struct offstage_ink_scratch *scratch, struct ink_mask *mask) {
    size_t size = (size_t)mask->width * (size_t)mask->height, rows = (size_t)mask->height;
    if (size > scratch->mask_size) {
        free(scratch->mask);
        scratch->mask = calloc(1, size);
        scratch->mask_size = scratch->mask ? size : 0;
    }
    if (rows > scratch->span_count) {
        free(scratch->spans);
        scratch->spans = malloc(rows * sizeof *scratch->spans);
        scratch->span_count = scratch->spans ? rows : 0;
    }
    if (!scratch->mask || !scratch->spans) return false;
    for (size_t i = 0; i < rows; i++) scratch->spans[i] = (struct ink_span){INT32_MAX, 0};
    mask->bytes = scratch->mask;
    mask->spans = scratch->spans;
    return true;
}

void ink_forget_mask(struct offstage_ink_scratch *scratch) {
    free(scratch->mask);
    scratch->mask = NULL;
    scratch->mask_size = 0;
}

/// Makes the nodes and their bounds.
static bool add_corners(
    struct offstage_ink_scratch *scratch, const struct offstage_ink_corner *corners, size_t count, double scale,
    struct offstage_ink_box *box) {
    scratch->node_count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct offstage_ink_corner *corner = &corners[i];
        if (!(fabsf(corner->x) <= OFFSTAGE_INK_FAR) || !(fabsf(corner->y) <= OFFSTAGE_INK_FAR)) continue;
        if (corner->begins && scratch->node_count > 0 && !ink_add_node(scratch, 0, 0, -1, 0)) return false;
        if (scratch->node_count == 0) *box = (struct offstage_ink_box){corner->x, corner->y, corner->x, corner->y};
        box->left = fminf(box->left, corner->x), box->right = fmaxf(box->right, corner->x);
        box->top = fminf(box->top, corner->y), box->bottom = fmaxf(box->bottom, corner->y);
        if (!ink_add_node(scratch, corner->x * scale, corner->y * scale, 0, 1)) return false;
    }
    return true;
}

bool offstage_ink_fill(
    struct offstage_ink_scratch *scratch, const struct offstage_ink_target *target, const struct offstage_ink_corner *corners,
    size_t count, const uint8_t color[4]) {
    struct offstage_ink_box box;
    struct ink_mask mask;
    if (target->width <= 0 || target->height <= 0 || !(target->scale > 0)) return true;
    if (!add_corners(scratch, corners, count, target->scale, &box)) return false;
    if (scratch->node_count < 3 || !ink_place(target, &box, &mask)) return true;
    if (!ink_prepare_mask(scratch, &mask)) return false;
    if (!ink_polygon(scratch, &mask)) {
        ink_forget_mask(scratch);
        return false;
    }
    ink_blend_mask(target, &mask, color, 255, INK_OVER);
    return true;
}
