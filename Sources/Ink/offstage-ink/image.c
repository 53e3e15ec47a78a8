// Images on a page: PNG files, and other formats, which the host has drawn.
#include <math.h>
#include <spng.h>
#include <stdlib.h>
#include <string.h>

#include "picture.h"

/// The maximum number of pixels of an image, and of one side.
#define MOST_PIXELS (64u << 20)
#define MOST_SIDE 32767

struct image {
    /// Red, green, blue and opacity; or, if `is_drawn`, blue, green, red and opacity, premultiplied.
    const uint8_t *pixels;
    uint32_t width, height;
    bool is_drawn;
};

bool is_png(const uint8_t *bytes, size_t count) { return count >= 8 && memcmp(bytes, "\x89PNG\r\n\x1A\n", 8) == 0; }

uint8_t *decode_png(const uint8_t *bytes, size_t count, uint32_t most_side, uint32_t *width, uint32_t *height) {
    spng_ctx *context = spng_ctx_new(0);
    if (!context) return NULL;
    struct spng_ihdr head;
    size_t size = 0;
    spng_set_chunk_limits(context, 16 << 20, 32 << 20);
    bool is_good = spng_set_image_limits(context, most_side, most_side) == 0 && spng_set_png_buffer(context, bytes, count) == 0
        && spng_get_ihdr(context, &head) == 0 && (uint64_t)head.width * head.height <= MOST_PIXELS
        && spng_decoded_image_size(context, SPNG_FMT_RGBA8, &size) == 0;
    uint8_t *pixels = is_good ? malloc(size) : NULL;
    is_good = pixels && spng_decode_image(context, pixels, size, SPNG_FMT_RGBA8, SPNG_DECODE_TRNS) == 0;
    spng_ctx_free(context);
    if (!is_good) {
        free(pixels);
        return NULL;
    }
    *width = head.width;
    *height = head.height;
    return pixels;
}

/// The premultiplied average of the image's pixels under a device pixel. It depends only on the pixel's position.
static void sample(const struct image *image, double left, double top, double right, double bottom, double sum[4]) {
    int64_t x0 = (int64_t)floor(left), x1 = (int64_t)ceil(right), y0 = (int64_t)floor(top), y1 = (int64_t)ceil(bottom);
    double area = (right - left) * (bottom - top);
    for (int64_t y = y0 < 0 ? 0 : y0; y < y1 && y < image->height; y++) {
        double height = fmin(bottom, (double)y + 1) - fmax(top, (double)y);
        for (int64_t x = x0 < 0 ? 0 : x0; x < x1 && x < image->width; x++) {
            const uint8_t *pixel = image->pixels + 4 * ((size_t)y * image->width + (size_t)x);
            double share = height * (fmin(right, (double)x + 1) - fmax(left, (double)x)) / area, alpha = pixel[3] / 255.0;
            for (int i = 0; i < 3; i++) sum[i] += image->is_drawn ? share * pixel[2 - i] : share * pixel[i] * alpha;
            sum[3] += share * alpha;
        }
    }
}

static void draw(const struct offstage_ink_target *target, const struct offstage_ink_image_head *box, const struct image *image) {
    double scale = target->scale, left = fmin(box->left, box->right) * scale, top = fmin(box->top, box->bottom) * scale;
    double right = fmax(box->left, box->right) * scale, bottom = fmax(box->top, box->bottom) * scale;
    double across = image->width / (right - left), down = image->height / (bottom - top);
    bool is_visible = isfinite(across) && isfinite(down) && across > 0 && down > 0;
    int64_t end_x = (int64_t)fmin(ceil(right), (double)target->x + target->width);
    int64_t end_y = (int64_t)fmin(ceil(bottom), (double)target->y + target->height);
    for (int64_t y = (int64_t)fmax(floor(top), target->y); is_visible && y < end_y; y++) {
        uint8_t *row = target->pixels + (size_t)(y - target->y) * target->bytes_per_row;
        double above = ((double)y - top) * down, below = ((double)y + 1 - top) * down;
        if (box->bottom < box->top) {
            double turned = image->height - below;
            below = image->height - above, above = turned;
        }
        for (int64_t x = (int64_t)fmax(floor(left), target->x); x < end_x; x++) {
            double sum[4] = {0}, before = ((double)x - left) * across, behind = ((double)x + 1 - left) * across;
            bool is_mirrored = box->right < box->left;
            sample(image, is_mirrored ? image->width - behind : before, above, is_mirrored ? image->width - before : behind, below, sum);
            uint8_t *pixel = row + 4 * (x - target->x);
            for (int i = 0; i < 3; i++) pixel[2 - i] = (uint8_t)fmin(255, sum[i] + pixel[2 - i] * (1 - sum[3]) + 0.5);
            pixel[3] = (uint8_t)fmin(255, sum[3] * 255 + pixel[3] * (1 - sum[3]) + 0.5);
        }
    }
}

bool draw_image(const struct offstage_ink_target *target, const struct offstage_ink_image_head *box, const uint8_t *bytes, size_t count) {
    struct image image = {.is_drawn = false};
    image.pixels = decode_png(bytes, count, MOST_SIDE, &image.width, &image.height);
    if (!image.pixels) return false;
    draw(target, box, &image);
    free((void *)image.pixels);
    return true;
}

void draw_picture(
    const struct offstage_ink_target *target, const struct offstage_ink_image_head *box, const struct offstage_ink_picture *picture,
    const uint8_t *pixels) {
    draw(target, box, &(struct image){pixels, picture->width, picture->height, true});
}
