// One stamp of a texture. A pixel depends only on the stamp and the pixel's position.
#include <math.h>

#include "shape.h"

/// The fractional bits of a position in a shape.
#define BITS 32

/// A rotated square in device px, and the mapping from there to the pixels of a level.
struct square {
    const struct ink_level *level;
    int32_t left, top, right, bottom;
    /// The value at the centre of the upper left pixel, and the steps per pixel to the right and down.
    int64_t u, v, u_right, v_right, u_down, v_down;
    /// The number of columns in which `u` and `v` grow by 1.
    double u_columns, v_columns;
    unsigned opacity;
};

static inline unsigned sample(const struct ink_level *level, int64_t u, int64_t v) {
    size_t stride = level->side + 2;
    const uint8_t *at = level->bytes + (size_t)(v >> BITS) * stride + (size_t)(u >> BITS);
    unsigned x = (unsigned)(u >> (BITS - 8)) & 255, y = (unsigned)(v >> (BITS - 8)) & 255;
    unsigned above = at[0] * (256 - x) + at[1] * x, below = at[stride] * (256 - x) + at[stride + 1] * x;
    return (above * (256 - y) + below * y + 32768) >> 16;
}

/// Narrows a range of columns to those where a value that grows by a step from `start` is in a range. Rounds outwards.
///
/// - columns: the columns per step of 1; infinite for a step of 0.
static void narrow(int64_t start, double columns, int64_t least, int64_t limit, int32_t *first, int32_t *end) {
    if (isinf(columns)) {
        if (start < least || start >= limit) *end = *first;
        return;
    }
    double a = (double)(least - start) * columns, b = (double)(limit - start) * columns;
    double low = (a < b ? a : b) - 1, high = (a < b ? b : a) + 2;
    if (low > *first) *first = low < *end ? (int32_t)low : *end;
    if (high < *end) *end = high > *first ? (int32_t)high : *first;
}

static void add_row(const struct ink_mask *mask, const struct square *square, int32_t y, bool builds_up) {
    const struct ink_level *level = square->level;
    int64_t limit = (int64_t)(level->side + 1) << BITS;
    int64_t u = square->u + (y - square->top) * square->u_down, v = square->v + (y - square->top) * square->v_down;
    int32_t first = 0, end = square->right - square->left;
    narrow(u, square->u_columns, (int64_t)level->left << BITS, (int64_t)(level->right + 1) << BITS, &first, &end);
    narrow(v, square->v_columns, (int64_t)level->top << BITS, (int64_t)(level->bottom + 1) << BITS, &first, &end);
    int32_t shift = square->left - mask->left;
    if (first + shift < 0) first = -shift;
    if (end + shift > mask->width) end = mask->width - shift;
    if (first >= end) return;
    struct ink_span *span = &mask->spans[y - mask->top];
    if (first + shift < span->first) span->first = first + shift;
    if (end + shift > span->end) span->end = end + shift;
    uint8_t *row = mask->bytes + (size_t)(y - mask->top) * (size_t)mask->width + (first + shift);
    u += first * square->u_right;
    v += first * square->v_right;
    for (int32_t x = first; x < end; x++, row++, u += square->u_right, v += square->v_right) {
        if ((uint64_t)u >= (uint64_t)limit || (uint64_t)v >= (uint64_t)limit) continue;
        unsigned value = ink_scaled(sample(level, u, v) * square->opacity), old = *row;
        if (builds_up) *row = (uint8_t)(old + ink_scaled(value * (255 - old)));
        else if (value > old) *row = (uint8_t)value;
    }
}

void ink_stamp(
    const struct ink_mask *mask, const struct offstage_ink_shape *shape, double x, double y, double half, double cosine, double sine,
    unsigned opacity, bool builds_up) {
    if (!(half > 0) || opacity == 0) return;
    // A stamp smaller than a pixel covers a part of it.
    if (half < 0.5) opacity = (unsigned)(opacity * half * 2 + 0.5), half = 0.5;
    uint32_t number = 0;
    while (number + 1 < shape->count && shape->levels[number + 1].side >= 2 * half) number++;
    const struct ink_level *level = &shape->levels[number];
    double side = level->side, reach = half * (1 + 1 / side) * (fabs(cosine) + fabs(sine));
    struct square square = {.level = level, .opacity = opacity};
    square.left = ink_clamp_pixel(floor(x - reach)), square.right = ink_clamp_pixel(ceil(x + reach));
    square.top = ink_clamp_pixel(floor(y - reach)), square.bottom = ink_clamp_pixel(ceil(y + reach));
    if (square.right <= mask->left || square.left >= mask->left + mask->width) return;
    int32_t top = square.top > mask->top ? square.top : mask->top;
    int32_t bottom = square.bottom < mask->top + mask->height ? square.bottom : mask->top + mask->height;
    double factor = side / (2 * half), unit = (double)((int64_t)1 << BITS);
    double dx = square.left + 0.5 - x, dy = square.top + 0.5 - y;
    square.u_right = (int64_t)(cosine * factor * unit), square.u_down = (int64_t)(sine * factor * unit);
    square.v_right = (int64_t)(-sine * factor * unit), square.v_down = (int64_t)(cosine * factor * unit);
    square.u_columns = 1.0 / (double)square.u_right, square.v_columns = 1.0 / (double)square.v_right;
    // The centre of the first pixel of the level is at 1, after the zero border.
    square.u = (int64_t)(((dx * cosine + dy * sine) * factor + side / 2 + 0.5) * unit);
    square.v = (int64_t)(((dy * cosine - dx * sine) * factor + side / 2 + 0.5) * unit);
    for (int32_t row = top; row < bottom; row++) add_row(mask, &square, row, builds_up);
}
