#include <math.h>
#include <string.h>

#include "ink.h"

static inline unsigned limited(unsigned value) { return value < 255 ? value : 255; }

/// Converts red, green, blue and opacity to premultiplied BGRA.
static inline void blend_pixel(uint8_t *pixel, const uint8_t color[4], unsigned alpha, enum ink_blend blend) {
    const unsigned source[3] = {color[2], color[1], color[0]};
    unsigned below = pixel[3];
    for (int i = 0; i < 3; i++) {
        unsigned old = pixel[i], premultiplied = ink_scaled(source[i] * alpha), value;
        switch (blend) {
        case INK_OVER: value = premultiplied + ink_scaled(old * (255 - alpha)); break;
        case INK_MULTIPLY:
            value = ink_scaled(premultiplied * (255 - below)) + ink_scaled(old * (255 - alpha)) + ink_scaled(premultiplied * old);
            break;
        case INK_SCREEN: value = premultiplied + old - ink_scaled(premultiplied * old); break;
        }
        pixel[i] = (uint8_t)limited(value);
    }
    pixel[3] = (uint8_t)limited(alpha + ink_scaled(below * (255 - alpha)));
    // Rounding must not make a colour value larger than the opacity.
    for (int i = 0; i < 3; i++)
        if (pixel[i] > pixel[3]) pixel[i] = pixel[3];
}

/// `blend_pixel` over opaque pixels, which are the most common, with the same results.
static void cover_row(uint8_t *pixels, const uint8_t *row, int32_t first, int32_t end, const uint8_t color[4], unsigned alpha) {
    const uint8_t solid[4] = {color[2], color[1], color[0], 255};
    for (int32_t x = first; x < end; x++) {
        if (row[x] == 0) continue;
        unsigned share = ink_scaled(row[x] * alpha);
        uint8_t *pixel = pixels + 4 * (size_t)x;
        if (share == 255) memcpy(pixel, solid, 4);
        else if (pixel[3] != 255) blend_pixel(pixel, color, share, INK_OVER);
        else
            for (int i = 0; i < 3; i++)
                pixel[i] = (uint8_t)limited(ink_scaled(solid[i] * share) + ink_scaled(pixel[i] * (255 - share)));
    }
}

void ink_blend_mask(
    const struct offstage_ink_target *target, const struct ink_mask *mask, const uint8_t color[4], unsigned opacity,
    enum ink_blend blend) {
    unsigned alpha = ink_scaled(color[3] * opacity);
    for (int32_t y = 0; y < mask->height; y++) {
        struct ink_span *span = &mask->spans[y];
        if (span->first < span->end) {
            uint8_t *row = mask->bytes + (size_t)y * (size_t)mask->width;
            uint8_t *pixels = target->pixels + (size_t)(mask->top - target->y + y) * target->bytes_per_row
                + 4 * (size_t)(mask->left - target->x);
            if (blend == INK_OVER) cover_row(pixels, row, span->first, span->end, color, alpha);
            for (int32_t x = span->first; blend != INK_OVER && x < span->end; x++)
                if (row[x]) blend_pixel(pixels + 4 * (size_t)x, color, ink_scaled(row[x] * alpha), blend);
            memset(row + span->first, 0, (size_t)(span->end - span->first));
        }
        *span = (struct ink_span){INT32_MAX, 0};
    }
}

static double part(double from, double to, double pixel) { return fmax(0, fmin(to, pixel + 1) - fmax(from, pixel)); }

void offstage_ink_rectangle(
    const struct offstage_ink_target *target, double left, double top, double right, double bottom, const uint8_t color[4]) {
    int32_t x0 = ink_clamp_pixel(floor(left)), x1 = ink_clamp_pixel(ceil(right));
    int32_t y0 = ink_clamp_pixel(floor(top)), y1 = ink_clamp_pixel(ceil(bottom));
    if (x0 < target->x) x0 = target->x;
    if (y0 < target->y) y0 = target->y;
    if (x1 > target->x + target->width) x1 = target->x + target->width;
    if (y1 > target->y + target->height) y1 = target->y + target->height;
    for (int32_t y = y0; y < y1; y++) {
        uint8_t *pixels = target->pixels + (size_t)(y - target->y) * target->bytes_per_row;
        double height = part(top, bottom, y);
        for (int32_t x = x0; x < x1; x++) {
            unsigned covered = (unsigned)(height * part(left, right, x) * 255 + 0.5);
            blend_pixel(pixels + 4 * (size_t)(x - target->x), color, ink_scaled(covered * color[3]), INK_OVER);
        }
    }
}
