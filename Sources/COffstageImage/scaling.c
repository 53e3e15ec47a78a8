#include <stdlib.h>
#include <string.h>

#include "image.h"

// A row passes through three steps: whole pixels are averaged, the row is scaled horizontally into a ring, and rows of the ring
// are scaled vertically as soon as the last that they need is there. Memory grows with the picture's width only.

static f4 smallest(f4 a, f4 b) { return __builtin_elementwise_min(a, b); }
static f4 largest(f4 a, f4 b) { return __builtin_elementwise_max(a, b); }

// A result stays within the range of its nearest samples: the kernel's negative lobes sharpen edges, and cannot draw halos beside
// them. Several sums at a time, because each addition waits for the one before it.

/// A weighted sum along a row.
static inline f4 weighted_along(const f4 *samples, const struct taps *taps) {
    const float *weights = taps->weights;
    f4 sum = 0, other = 0, third = 0, fourth = 0;
    uint32_t i = 0;
    for (; i + 4 <= taps->count; i += 4) {
        sum += samples[i] * weights[i];
        other += samples[i + 1] * weights[i + 1];
        third += samples[i + 2] * weights[i + 2];
        fourth += samples[i + 3] * weights[i + 3];
    }
    for (; i < taps->count; i++) sum += samples[i] * weights[i];
    f4 low = samples[taps->near_first], high = low;
    for (i = taps->near_first + 1; i < taps->near_first + taps->near_count; i++) {
        low = smallest(low, samples[i]);
        high = largest(high, samples[i]);
    }
    return smallest(largest(sum + other + (third + fourth), low), high);
}

/// Weighted sums of rows, for some places beside each other.
__attribute__((always_inline)) static inline void weighted_down(
    const f4 *const *rows, size_t x, const struct taps *taps, f4 *results, size_t places) {
    f4 sums[4], lows[4], highs[4];
    for (size_t k = 0; k < places; k++) sums[k] = 0, lows[k] = highs[k] = rows[taps->near_first][x + k];
    for (uint32_t i = 0; i < taps->count; i++)
        for (size_t k = 0; k < places; k++) sums[k] += rows[i][x + k] * taps->weights[i];
    for (uint32_t i = taps->near_first + 1; i < taps->near_first + taps->near_count; i++)
        for (size_t k = 0; k < places; k++) {
            lows[k] = smallest(lows[k], rows[i][x + k]);
            highs[k] = largest(highs[k], rows[i][x + k]);
        }
    for (size_t k = 0; k < places; k++) results[k] = smallest(largest(sums[k], lows[k]), highs[k]);
}

bool image_scaling_begin(struct offstage_image *image) {
    const struct plan *plan = &image->plan;
    double x_scale = image->x_scale, y_scale = image->y_scale;
    if (!image_axis(&image->columns, plan->part.x * x_scale, plan->part.width * x_scale, image->decoded_width, plan->stored_width)
        || !image_axis(&image->rows, plan->part.y * y_scale, plan->part.height * y_scale, image->decoded_height,
            plan->stored_height))
        return false;
    uint32_t most = 1;
    for (uint32_t i = 0; i < image->rows.outputs; i++)
        if (image->rows.taps[i].count > most) most = image->rows.taps[i].count;
    image->ring_rows = most + 1;
    image->sum = calloc(image->columns.count, sizeof *image->sum);
    image->ring = malloc((size_t)image->ring_rows * plan->stored_width * sizeof *image->ring);
    image->line = malloc((size_t)plan->stored_width * sizeof *image->line);
    image->tap_rows = malloc(most * sizeof *image->tap_rows);
    return image->sum && image->ring && image->line && image->tap_rows;
}

static f4 *ring_row(const struct offstage_image *image, uint32_t row) {
    return image->ring + (size_t)(row % image->ring_rows) * image->plan.stored_width;
}

/// Writes the rows of the picture whose samples are all there, and at the end all.
static void write_rows(struct offstage_image *image, bool is_end) {
    uint32_t width = image->plan.stored_width;
    while (image->written < image->rows.outputs) {
        struct taps taps = image->rows.taps[image->written];
        if (taps.first + taps.count > image->averaged) {
            if (!is_end || taps.first >= image->averaged) return;
            // A damaged file: the rows that are missing look like the last one.
        }
        for (uint32_t i = 0; i < taps.count; i++)
            image->tap_rows[i] = ring_row(image, taps.first + i < image->averaged ? taps.first + i : image->averaged - 1);
        uint32_t x = 0;
        for (; x + 4 <= width; x += 4) weighted_down(image->tap_rows, x, &taps, image->line + x, 4);
        for (; x < width; x++) weighted_down(image->tap_rows, x, &taps, image->line + x, 1);
        image_write_row(image, image->line, image->written++);
    }
}

/// Scales the averaged row horizontally into the ring.
static void finish_average(struct offstage_image *image, uint32_t rows) {
    struct axis *columns = &image->columns;
    uint32_t end = image->decoded_width - columns->start;
    for (uint32_t i = 0; i < columns->count; i++) {
        uint32_t pixels = end - i * columns->box < columns->box ? end - i * columns->box : columns->box;
        image->sum[i] /= (float)(pixels * rows);
    }
    f4 *target = ring_row(image, image->averaged);
    for (uint32_t x = 0; x < columns->outputs; x++)
        target[x] = weighted_along(image->sum + columns->taps[x].first, &columns->taps[x]);
    memset(image->sum, 0, columns->count * sizeof *image->sum);
    image->averaged++;
}

void image_scaling_row(struct offstage_image *image, const void *row) {
    struct axis *rows = &image->rows;
    if (image->delivered++ < rows->start || image->averaged == rows->count) return;
    image_add_light(image, row, image->sum);
    uint32_t used = image->delivered - rows->start;
    bool is_last = image->delivered == image->decoded_height;
    if (used % rows->box != 0 && !is_last) return;
    finish_average(image, used % rows->box == 0 ? rows->box : used % rows->box);
    write_rows(image, false);
    image->is_complete = image->written == rows->outputs;
}

void image_scaling_end(struct offstage_image *image) {
    uint32_t used = image->delivered > image->rows.start ? image->delivered - image->rows.start : 0;
    if (used % image->rows.box != 0 && image->averaged < image->rows.count) finish_average(image, used % image->rows.box);
    if (image->averaged > 0) write_rows(image, true);
}
