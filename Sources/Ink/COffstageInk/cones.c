// The coverage of a cone: the hull of two circles. The distance to it is exact, so a stroke is the maximum of its cones.
#include <math.h>
#include <string.h>

#include "ink.h"

struct cone {
    float x, y, ux, uy, length, radius, slope, lean, opacity, fade;
    unsigned ends;
};

static inline float low(float a, float b) { return a < b ? a : b; }
static inline float high(float a, float b) { return a > b ? a : b; }

/// The coverage of a pixel whose centre is at a point, 0 to 255. A line thinner than a pixel covers a part of it.
static inline uint8_t coverage(const struct cone *cone, float px, float py) {
    float u = px * cone->ux + py * cone->uy, v = fabsf(py * cone->ux - px * cone->uy);
    // The centre of the circle that is nearest to the pixel.
    float at = low(high(u + v * cone->lean, 0), cone->length);
    float radius = cone->radius + cone->slope * at, cx = px - cone->ux * at, cy = py - cone->uy * at;
    float distance = sqrtf(cx * cx + cy * cy);
    float covered = high(low(radius, distance + 0.5f) - high(-radius, distance - 0.5f), 0);
    return (uint8_t)(int32_t)(covered * (cone->opacity + cone->fade * at) * 255.0f + 0.5f);
}

/// Like `coverage`, with flat ends.
static inline uint8_t flat_coverage(const struct cone *cone, float px, float py) {
    float u = px * cone->ux + py * cone->uy, v = fabsf(py * cone->ux - px * cone->uy), part = 1;
    if (cone->ends & INK_FLAT_START) part *= low(high(u + 0.5f, 0), 1);
    if (cone->ends & INK_FLAT_END) part *= low(high(cone->length - u + 0.5f, 0), 1);
    float at = low(high(u + v * cone->lean, 0), cone->length);
    float radius = cone->radius + cone->slope * at, cx = px - cone->ux * at, cy = py - cone->uy * at;
    bool is_cut = (u < 0 && cone->ends & INK_FLAT_START) || (u > cone->length && cone->ends & INK_FLAT_END);
    float distance = is_cut ? v : sqrtf(cx * cx + cy * cy);
    float covered = high(low(radius, distance + 0.5f) - high(-radius, distance - 0.5f), 0);
    return (uint8_t)(int32_t)(covered * part * (cone->opacity + cone->fade * at) * 255.0f + 0.5f);
}

static void add_row(const struct ink_mask *mask, const struct cone *cone, int32_t y, int32_t first, int32_t end) {
    if (first >= end) return;
    struct ink_span *span = &mask->spans[y];
    if (first < span->first) span->first = first;
    if (end > span->end) span->end = end;
    uint8_t *row = mask->bytes + (size_t)y * (size_t)mask->width;
    float py = (float)(mask->top + y) + 0.5f - cone->y;
    if (cone->ends) {
        for (int32_t x = first; x < end; x++) {
            uint8_t value = flat_coverage(cone, (float)(mask->left + x) + 0.5f - cone->x, py);
            if (value > row[x]) row[x] = value;
        }
        return;
    }
    for (int32_t x = first; x < end; x++) {
        uint8_t value = coverage(cone, (float)(mask->left + x) + 0.5f - cone->x, py);
        row[x] = value > row[x] ? value : row[x];
    }
}

void ink_cone(const struct ink_mask *mask, struct offstage_ink_node from, struct offstage_ink_node to, unsigned ends) {
    // The larger circle contains the other one.
    float dx = to.x - from.x, dy = to.y - from.y, length = sqrtf(dx * dx + dy * dy), change = to.radius - from.radius;
    if (ends && length > 0 && length <= fabsf(change) * 1.001f) change = 0, to.radius = from.radius;
    if (length <= fabsf(change) * 1.001f || !(length > 0)) {
        if (change > 0) from = to;
        to = from;
        dx = dy = length = 0;
        ends = 0;
    }
    struct cone cone = {from.x, from.y, 1, 0, length, from.radius, 0, 0, from.opacity, 0, ends};
    if (length > 0) {
        cone.ux = dx / length;
        cone.uy = dy / length;
        cone.slope = (to.radius - from.radius) / length;
        cone.lean = cone.slope / sqrtf(1 - cone.slope * cone.slope);
        cone.fade = (to.opacity - from.opacity) / length;
    }
    float reach = high(from.radius, to.radius) + 0.5f;
    int32_t left = ink_clamp_pixel(floor((double)low(from.x, to.x) - reach)) - mask->left;
    int32_t right = ink_clamp_pixel(ceil((double)high(from.x, to.x) + reach)) - mask->left;
    int32_t top = ink_clamp_pixel(floor((double)low(from.y, to.y) - reach)) - mask->top;
    int32_t bottom = ink_clamp_pixel(ceil((double)high(from.y, to.y) + reach)) - mask->top;
    if (left < 0) left = 0;
    if (right > mask->width) right = mask->width;
    if (top < 0) top = 0;
    if (bottom > mask->height) bottom = mask->height;
    // A long line touches only a few columns of each row.
    bool is_steep = fabsf(cone.uy) > 0.05f && length > 4;
    double across = is_steep ? ((double)reach + 1) / fabsf(cone.uy) : 0, step = is_steep ? (double)cone.ux / cone.uy : 0;
    for (int32_t y = top; y < bottom; y++) {
        int32_t first = left, end = right;
        if (is_steep) {
            double middle = (double)from.x + ((double)(mask->top + y) + 0.5 - from.y) * step - mask->left;
            int32_t least = ink_clamp_pixel(floor(middle - across)), most = ink_clamp_pixel(ceil(middle + across));
            if (least > first) first = least;
            if (most < end) end = most;
        }
        add_row(mask, &cone, y, first, end);
    }
}
