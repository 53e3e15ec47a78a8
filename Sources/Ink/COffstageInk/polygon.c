// Fills the inside of strokes and letters.
#include <math.h>
#include <stdlib.h>

#include "ink.h"

/// The number of lines in a row of pixels. On each line, the inside is exact.
#define LINES 8
/// The subdivisions of a line's coverage of one pixel.
#define UNIT 2040

static int compare(const void *a, const void *b) {
    const struct ink_crossing *first = a, *second = b;
    return first->x < second->x ? -1 : first->x > second->x ? 1 : first->winding - second->winding;
}

/// Adds the covered part of each pixel between two positions on a line.
static void add(uint16_t *sums, int32_t width, double from, double to, struct ink_span *span) {
    if (from < 0) from = 0;
    if (to > width) to = width;
    if (!(from < to)) return;
    int32_t first = (int32_t)from, last = (int32_t)ceil(to) - 1;
    for (int32_t x = first; x <= last && x < width; x++) {
        double part = fmin(to, x + 1.0) - fmax(from, x);
        sums[x] = (uint16_t)(sums[x] + (uint16_t)(part * (UNIT / LINES) + 0.5));
    }
    if (first < span->first) span->first = first;
    if (last + 1 > span->end) span->end = last + 1 < width ? last + 1 : width;
}

static bool cross(struct offstage_ink_scratch *scratch, double y, size_t *count) {
    *count = 0;
    size_t first = 0;
    for (size_t i = 0; i < scratch->node_count; i++) {
        struct offstage_ink_node a = scratch->nodes[i];
        if (a.radius < 0) {
            first = i + 1;
            continue;
        }
        bool is_last = i + 1 == scratch->node_count || scratch->nodes[i + 1].radius < 0;
        struct offstage_ink_node b = scratch->nodes[is_last ? first : i + 1];
        if ((a.y <= y) == (b.y <= y)) continue;
        if (!ink_grow((void **)&scratch->crossings, &scratch->crossing_room, *count + 1, sizeof *scratch->crossings))
            return false;
        double x = a.x + (y - a.y) / ((double)b.y - a.y) * ((double)b.x - a.x);
        scratch->crossings[(*count)++] = (struct ink_crossing){(float)x, a.y < b.y ? 1 : -1};
    }
    if (*count > 1) qsort(scratch->crossings, *count, sizeof *scratch->crossings, compare);
    return true;
}

bool ink_polygon(struct offstage_ink_scratch *scratch, const struct ink_mask *mask) {
    uint16_t *sums = calloc((size_t)mask->width, sizeof *sums);
    if (!sums) return false;
    for (int32_t row = 0; row < mask->height; row++) {
        struct ink_span *span = &mask->spans[row];
        for (int line = 0; line < LINES; line++) {
            size_t count;
            if (!cross(scratch, mask->top + row + (line + 0.5) / LINES, &count)) {
                free(sums);
                return false;
            }
            int winding = 0;
            for (size_t i = 0; i < count; i++) {
                if (winding != 0)
                    add(sums, mask->width, (double)scratch->crossings[i - 1].x - mask->left,
                        (double)scratch->crossings[i].x - mask->left, span);
                winding += scratch->crossings[i].winding;
            }
        }
        uint8_t *bytes = mask->bytes + (size_t)row * (size_t)mask->width;
        for (int32_t x = span->first; x < span->end; x++) {
            unsigned value = sums[x] / (UNIT / 255);
            bytes[x] = (uint8_t)(value < 255 ? value : 255);
            sums[x] = 0;
        }
    }
    free(sums);
    return true;
}
