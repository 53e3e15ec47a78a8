// Images on a page: PNG files, which is what Xournal++ stores.
#include <math.h>
#include <spng.h>
#include <stdlib.h>

#include "picture.h"

/// The most pixels of an image, and of one side.
#define MOST_PIXELS (64u << 20)
#define MOST_SIDE 32767

struct image {
    uint8_t *rgba;
    uint32_t width, height;
};

static bool decode(const uint8_t *bytes, size_t count, struct image *image) {
    spng_ctx *context = spng_ctx_new(0);
    if (!context) return false;
    struct spng_ihdr head;
    size_t size = 0;
    spng_set_chunk_limits(context, 16 << 20, 32 << 20);
    bool is_good = spng_set_image_limits(context, MOST_SIDE, MOST_SIDE) == 0 && spng_set_png_buffer(context, bytes, count) == 0
        && spng_get_ihdr(context, &head) == 0 && (uint64_t)head.width * head.height <= MOST_PIXELS
        && spng_decoded_image_size(context, SPNG_FMT_RGBA8, &size) == 0;
    image->rgba = is_good ? malloc(size) : NULL;
    is_good = image->rgba && spng_decode_image(context, image->rgba, size, SPNG_FMT_RGBA8, SPNG_DECODE_TRNS) == 0;
    spng_ctx_free(context);
    if (!is_good) {
        free(image->rgba);
        return false;
    }
    image->width = head.width;
    image->height = head.height;
    return true;
}

/// The average of the image's pixels under a device pixel, premultiplied. Each depends on its place alone.
static void sample(const struct image *image, double left, double top, double right, double bottom, double sum[4]) {
    int64_t x0 = (int64_t)floor(left), x1 = (int64_t)ceil(right), y0 = (int64_t)floor(top), y1 = (int64_t)ceil(bottom);
    double area = (right - left) * (bottom - top);
    for (int64_t y = y0 < 0 ? 0 : y0; y < y1 && y < image->height; y++) {
        double height = fmin(bottom, (double)y + 1) - fmax(top, (double)y);
        for (int64_t x = x0 < 0 ? 0 : x0; x < x1 && x < image->width; x++) {
            const uint8_t *pixel = image->rgba + 4 * ((size_t)y * image->width + (size_t)x);
            double share = height * (fmin(right, (double)x + 1) - fmax(left, (double)x)) / area, alpha = pixel[3] / 255.0;
            for (int i = 0; i < 3; i++) sum[i] += share * pixel[i] * alpha;
            sum[3] += share * alpha;
        }
    }
}

bool draw_image(const struct offstage_ink_target *target, const struct offstage_ink_image_head *box, const uint8_t *bytes, size_t count) {
    struct image image;
    if (!decode(bytes, count, &image)) return false;
    double scale = target->scale, left = box->left * scale, top = box->top * scale;
    double across = image.width / (((double)box->right - box->left) * scale), down = image.height / (((double)box->bottom - box->top) * scale);
    bool is_visible = isfinite(across) && isfinite(down) && across > 0 && down > 0;
    int64_t end_x = (int64_t)fmin(ceil(box->right * scale), (double)target->x + target->width);
    int64_t end_y = (int64_t)fmin(ceil(box->bottom * scale), (double)target->y + target->height);
    for (int64_t y = (int64_t)fmax(floor(top), target->y); is_visible && y < end_y; y++) {
        uint8_t *row = target->pixels + (size_t)(y - target->y) * target->bytes_per_row;
        for (int64_t x = (int64_t)fmax(floor(left), target->x); x < end_x; x++) {
            double sum[4] = {0};
            sample(&image, ((double)x - left) * across, ((double)y - top) * down, ((double)x + 1 - left) * across,
                   ((double)y + 1 - top) * down, sum);
            uint8_t *pixel = row + 4 * (x - target->x);
            for (int i = 0; i < 3; i++) pixel[2 - i] = (uint8_t)fmin(255, sum[i] + pixel[2 - i] * (1 - sum[3]) + 0.5);
            pixel[3] = (uint8_t)fmin(255, sum[3] * 255 + pixel[3] * (1 - sum[3]) + 0.5);
        }
    }
    free(image.rgba);
    return true;
}
