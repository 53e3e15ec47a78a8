// The paper's grain under a pencil. It belongs to the page, so it is the same at every scale, in every stroke and in every part.
#include <math.h>

#include "ink.h"

/// Page units.
#define CELL 0.55

/// Interpolates between the four corners of a cell.
static float grain(double x, double y) {
    double left = floor(x), top = floor(y);
    float u = (float)(x - left), v = (float)(y - top);
    u = u * u * (3 - 2 * u);
    v = v * v * (3 - 2 * v);
    int32_t i = ink_clamp_pixel(left), j = ink_clamp_pixel(top);
    float above = ink_noise(i, j) + (ink_noise(i + 1, j) - ink_noise(i, j)) * u;
    float below = ink_noise(i, j + 1) + (ink_noise(i + 1, j + 1) - ink_noise(i, j + 1)) * u;
    return above + (below - above) * v;
}

void ink_grain(const struct ink_mask *mask, double scale) {
    double step = 1 / (scale * CELL);
    for (int32_t y = 0; y < mask->height; y++) {
        struct ink_span span = mask->spans[y];
        uint8_t *row = mask->bytes + (size_t)y * (size_t)mask->width;
        for (int32_t x = span.first; x < span.end; x++) {
            if (row[x] == 0) continue;
            float height = grain((mask->left + x + 0.5) * step, (mask->top + y + 0.5) * step);
            // A strong line fills the valleys, too.
            float value = (float)row[x] / 255, filled = (value * 1.55f - height) * 2.2f;
            filled = filled < 0 ? 0 : filled > 1 ? 1 : filled;
            row[x] = (uint8_t)(int32_t)(value * filled * 255 + 0.5f);
        }
    }
}
