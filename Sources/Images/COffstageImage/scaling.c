#include <offstage_vectors.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"

// A row passes through three steps: whole pixels are averaged, the row is scaled horizontally into a ring, and rows of the ring
// are scaled vertically as soon as they are complete. Memory use depends only on the picture's width.

// Processes two rows at a time, interleaved, and in registers of eight numbers if the processor has them. The order of additions
// does not depend on that, and products are not fused with sums, so the results are the same on every machine.

typedef float f8 __attribute__((ext_vector_type(8)));

// A result stays within the range of its nearest samples: the kernel's negative lobes sharpen edges, but cannot draw halos beside
// them. Several sums run in parallel, because each addition waits for the previous one.

/// A weighted sum along two interleaved rows.
INLINE void weighted_along(const f8 *samples, const struct taps *taps, f8 *result) {
    const float *weights = taps->weights;
    f8 sum = 0, other = 0, third = 0, fourth = 0;
    uint32_t i = 0;
    for (; i + 4 <= taps->count; i += 4) {
        sum += samples[i] * weights[i];
        other += samples[i + 1] * weights[i + 1];
        third += samples[i + 2] * weights[i + 2];
        fourth += samples[i + 3] * weights[i + 3];
    }
    for (; i < taps->count; i++) sum += samples[i] * weights[i];
    f8 low = samples[taps->near_first], high = low;
    for (i = taps->near_first + 1; i < taps->near_first + taps->near_count; i++) {
        low = __builtin_elementwise_min(low, samples[i]);
        high = __builtin_elementwise_max(high, samples[i]);
    }
    sum = sum + other + (third + fourth);
    *result = __builtin_elementwise_min(__builtin_elementwise_max(sum, low), high);
}

/// Scales two interleaved rows.
WIDE static void scale_along(const f8 *pair, const struct axis *columns, f4 *first, f4 *second) {
    for (uint32_t x = 0; x < columns->outputs; x++) {
        f8 result;
        weighted_along(pair + columns->taps[x].first, &columns->taps[x], &result);
        first[x] = result.lo;
        second[x] = result.hi;
    }
}

/// Weighted sums of rows, for `places` adjacent pairs of positions.
INLINE void weighted_down(const f4 *const *rows, size_t x, const struct taps *taps, f4 *line, size_t places) {
    f8 sums[4], lows[4], highs[4], value;
    for (size_t k = 0; k < places; k++) {
        memcpy(&lows[k], rows[taps->near_first] + x + 2 * k, sizeof value);
        sums[k] = 0, highs[k] = lows[k];
    }
    for (uint32_t i = 0; i < taps->count; i++)
        for (size_t k = 0; k < places; k++) {
            memcpy(&value, rows[i] + x + 2 * k, sizeof value);
            sums[k] += value * taps->weights[i];
        }
    for (uint32_t i = taps->near_first + 1; i < taps->near_first + taps->near_count; i++)
        for (size_t k = 0; k < places; k++) {
            memcpy(&value, rows[i] + x + 2 * k, sizeof value);
            lows[k] = __builtin_elementwise_min(lows[k], value);
            highs[k] = __builtin_elementwise_max(highs[k], value);
        }
    for (size_t k = 0; k < places; k++) {
        value = __builtin_elementwise_min(__builtin_elementwise_max(sums[k], lows[k]), highs[k]);
        memcpy(line + x + 2 * k, &value, sizeof value);
    }
}

/// Scales rows of `width` pixels, an even number, into a line.
WIDE static void scale_down(const f4 *const *rows, uint32_t width, const struct taps *taps, f4 *line) {
    uint32_t x = 0;
    for (; x + 8 <= width; x += 8) weighted_down(rows, x, taps, line, 4);
    for (; x < width; x += 2) weighted_down(rows, x, taps, line, 1);
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
    // Rows are added in pairs, and the first of a pair may be the last that a row of the picture needs.
    image->ring_rows = most + 2;
    image->ring_width = plan->stored_width + plan->stored_width % 2;
    size_t pair_size = 2 * (size_t)image->columns.count * sizeof *image->pair;
    // Aligned for registers of eight numbers.
    image->pair = aligned_alloc(32, pair_size + pair_size % 32);
    image->ring = calloc((size_t)image->ring_rows * image->ring_width, sizeof *image->ring);
    image->line = malloc(image->ring_width * sizeof *image->line);
    image->tap_rows = malloc(most * sizeof *image->tap_rows);
    if (image->pair) memset(image->pair, 0, pair_size);
    return image->pair && image->ring && image->line && image->tap_rows;
}

static f4 *ring_row(const struct offstage_image *image, uint32_t row) {
    return image->ring + (size_t)(row % image->ring_rows) * image->ring_width;
}

/// Writes all picture rows whose samples are complete, and at the end all remaining rows.
static void write_rows(struct offstage_image *image, bool is_end) {
    while (image->written < image->rows.outputs) {
        struct taps taps = image->rows.taps[image->written];
        if (taps.first + taps.count > image->averaged) {
            if (!is_end || taps.first >= image->averaged) return;
            // In a damaged file, the missing rows repeat the last one.
        }
        for (uint32_t i = 0; i < taps.count; i++)
            image->tap_rows[i] = ring_row(image, taps.first + i < image->averaged ? taps.first + i : image->averaged - 1);
        scale_down(image->tap_rows, image->ring_width, &taps, image->line);
        image_write_row(image, image->line, image->written++);
    }
}

/// Scales the averaged rows of the pair horizontally into the ring.
static void finish_pair(struct offstage_image *image) {
    if (image->held == 0) return;
    f4 *first = ring_row(image, image->averaged), *second = ring_row(image, image->averaged + 1);
    scale_along((const f8 *)image->pair, &image->columns, first, second);
    image->averaged += image->held;
    image->held = 0;
}

/// Divides the sums by the number of rows, and clears them for the next average.
static void finish_average(struct offstage_image *image, uint32_t rows) {
    struct axis *columns = &image->columns;
    uint32_t end = image->decoded_width - columns->start;
    bool is_single = columns->box == 1 && rows == 1;
    for (uint32_t i = 0; i < columns->count && !is_single; i++) {
        uint32_t pixels = end - i * columns->box < columns->box ? end - i * columns->box : columns->box;
        image->pair[2 * i + image->held] /= (float)(pixels * rows);
    }
    image->held++;
    if (image->held == 2 || image->averaged + image->held == image->rows.count) finish_pair(image);
}

void image_scaling_row(struct offstage_image *image, const void *row) {
    struct axis *rows = &image->rows;
    if (image->delivered++ < rows->start || image->averaged == rows->count) return;
    uint32_t used = image->delivered - rows->start;
    bool is_first = rows->box == 1 || used % rows->box == 1;
    image_add_light(image, row, is_first, image->pair + image->held);
    bool is_last = image->delivered == image->decoded_height;
    if (used % rows->box != 0 && !is_last) return;
    finish_average(image, used % rows->box == 0 ? rows->box : used % rows->box);
    if (image->held > 0) return;
    write_rows(image, false);
    image->is_complete = image->written == rows->outputs;
}

void image_scaling_end(struct offstage_image *image) {
    uint32_t used = image->delivered > image->rows.start ? image->delivered - image->rows.start : 0;
    if (used % image->rows.box != 0 && image->averaged + image->held < image->rows.count)
        finish_average(image, used % image->rows.box);
    finish_pair(image);
    if (image->averaged > 0) write_rows(image, true);
}
