#include "offstage_pages.h"

#include <stdlib.h>
#include <string.h>

/// A smaller difference in a channel counts as scan noise.
#define DIFFERENCE 24

static bool differs(const uint8_t *pixel, const uint8_t *paper) {
    return abs(pixel[0] - paper[0]) > DIFFERENCE || abs(pixel[1] - paper[1]) > DIFFERENCE || abs(pixel[2] - paper[2]) > DIFFERENCE;
}

static bool is_row_empty(const uint8_t *row, int from, int to, const uint8_t *paper) {
    for (int x = from; x < to; x++)
        if (differs(row + 4 * (size_t)x, paper)) return false;
    return true;
}

bool offstage_pages_content(const void *pixels, int width, int height, size_t bytes_per_row, int32_t box[4]) {
    const uint8_t *first = pixels;
    if (width < 1 || height < 1) return false;
    const uint8_t *corners[3] = {
        first + 4 * (size_t)(width - 1), first + bytes_per_row * (size_t)(height - 1),
        first + bytes_per_row * (size_t)(height - 1) + 4 * (size_t)(width - 1)};
    for (int i = 0; i < 3; i++)
        if (differs(corners[i], first)) return false;
    int top = 0, bottom = height;
    while (top < height && is_row_empty(first + bytes_per_row * (size_t)top, 0, width, first)) top++;
    if (top == height) return false;
    while (is_row_empty(first + bytes_per_row * (size_t)(bottom - 1), 0, width, first)) bottom--;
    int left = width, right = 0;
    for (int y = top; y < bottom; y++) {
        const uint8_t *row = first + bytes_per_row * (size_t)y;
        for (int x = 0; x < left; x++)
            if (differs(row + 4 * (size_t)x, first)) left = x;
        for (int x = width - 1; x >= right; x--)
            if (differs(row + 4 * (size_t)x, first)) right = x + 1;
    }
    box[0] = left;
    box[1] = top;
    box[2] = right;
    box[3] = bottom;
    return true;
}

void offstage_pages_darken(const void *source, void *target, int count) {
    const uint8_t *from = source;
    uint8_t *to = target;
    for (int i = 0; i < count; i++, from += 4, to += 4) {
        int blue = from[0], green = from[1], red = from[2];
        int most = blue > green ? blue : green, least = blue < green ? blue : green;
        if (red > most) most = red;
        if (red < least) least = red;
        // Inverts the lightness; the differences between the channels stay.
        int shift = from[3] - most - least;
        to[0] = (uint8_t)(blue + shift);
        to[1] = (uint8_t)(green + shift);
        to[2] = (uint8_t)(red + shift);
        to[3] = from[3];
    }
}
