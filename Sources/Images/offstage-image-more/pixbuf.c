#include <gdk-pixbuf/gdk-pixbuf.h>
#include <stdlib.h>
#include <string.h>

#include "decoders.h"

/// A file with one white pixel. Reading it loads the module for its format.
static const guchar bmp[] = {'B', 'M', 58, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 24, 0,
    0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 0};
static const guchar ico[] = {0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 24, 0, 48, 0, 0, 0, 22, 0, 0, 0, 40, 0, 0, 0, 1, 0, 0, 0, 2, 0,
    0, 0, 1, 0, 24, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 0, 0, 0, 0, 0};

static const guchar png_signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};

static void load_module(const char *type, const guchar *bytes, size_t size) {
    GdkPixbufLoader *loader = gdk_pixbuf_loader_new_with_type(type, NULL);
    if (!loader) return;
    gdk_pixbuf_loader_write(loader, bytes, size, NULL);
    gdk_pixbuf_loader_close(loader, NULL);
    g_object_unref(loader);
}

void prepare_pixbuf(void) {
    load_module("bmp", bmp, sizeof bmp);
    load_module("ico", ico, sizeof ico);
    load_module("png", png_signature, sizeof png_signature);
}

struct size {
    const struct offstage_image_job *job;
    bool is_refused;
};

/// Called with the size in the file's header, before memory for the pixels is allocated.
static void check_size(GdkPixbufLoader *loader, int width, int height, gpointer data) {
    struct size *size = data;
    uint64_t most = offstage_image_options(size->job->image)->source_pixels;
    if (width <= 0 || height <= 0 || (uint64_t)width * (uint64_t)height <= most) return;
    offstage_image_fail(size->job->image, OFFSTAGE_IMAGE_TOO_LARGE, (uint64_t)width, (uint64_t)height);
    size->is_refused = true;
    // This makes the library stop.
    gdk_pixbuf_loader_set_size(loader, 0, 0);
}

static void deliver(const struct offstage_image_job *job, const GdkPixbuf *pixels, bool is_whole) {
    bool has_alpha = gdk_pixbuf_get_has_alpha(pixels);
    int channels = gdk_pixbuf_get_n_channels(pixels), width = gdk_pixbuf_get_width(pixels), height = gdk_pixbuf_get_height(pixels);
    const struct offstage_image_head head = {
        .width = (uint64_t)width,
        .height = (uint64_t)height,
        .has_alpha = has_alpha,
        .layout = has_alpha ? OFFSTAGE_IMAGE_RGBA : OFFSTAGE_IMAGE_RGBX,
    };
    if (!is_whole) offstage_image_partial(job->image);
    if (!offstage_image_begin(job->image, &head)) return;
    uint8_t *row = malloc(4 * (size_t)width);
    if (!row) {
        offstage_image_no_memory(job->image, 4 * (uint64_t)width);
        return;
    }
    bool goes_on = true;
    for (int y = 0; goes_on && y < height; y++) {
        const guchar *from = gdk_pixbuf_read_pixels(pixels) + (size_t)y * (size_t)gdk_pixbuf_get_rowstride(pixels);
        for (int x = 0; x < width; x++, from += channels) {
            uint8_t *pixel = row + 4 * (size_t)x;
            pixel[0] = from[0];
            pixel[1] = from[1];
            pixel[2] = from[2];
            pixel[3] = has_alpha ? from[3] : 255;
        }
        goes_on = offstage_image_row(job->image, row);
    }
    free(row);
}

static uint64_t number(const uint8_t *bytes, int count) {
    uint64_t value = 0;
    for (int i = count; i-- > 0;) value = value << 8 | bytes[i];
    return value;
}

/// True if the file ends before all pixels that its header announces. The library leaves the rest empty, and reports no error.
static bool is_cut(const struct offstage_image_job *job, const char *type) {
    const uint8_t *bytes = job->bytes;
    if (strcmp(type, "png") == 0) return job->size < 12 || memcmp(bytes + job->size - 8, "IEND", 4) != 0;
    // An icon's directory: the size and position of each picture, in entries of 16 bytes.
    if (job->size >= 6 && strcmp(type, "ico") == 0) {
        for (size_t i = 0, at = 6; i < number(bytes + 4, 2); i++, at += 16)
            if (at + 16 > job->size || number(bytes + at + 8, 4) + number(bytes + at + 12, 4) > job->size) return true;
        return false;
    }
    // Uncompressed rows (0, or 3: with masks), padded to 32 bits. Windows headers have 40 bytes or more.
    if (job->size < 54 || number(bytes + 14, 4) < 40) return false;
    uint64_t compression = number(bytes + 30, 4);
    if (compression != 0 && compression != 3) return false;
    int64_t height = (int32_t)number(bytes + 22, 4);
    uint64_t row = (number(bytes + 18, 4) * number(bytes + 28, 2) + 31) / 32 * 4;
    return number(bytes + 10, 4) + row * (uint64_t)(height < 0 ? -height : height) > job->size;
}

/// The largest picture of an icon as a separate job, if it is a PNG file; otherwise an empty job. The library cannot read icons
/// that contain PNG files.
static struct offstage_image_job largest_png(const struct offstage_image_job *job) {
    struct offstage_image_job largest = {0};
    uint64_t most = 0;
    for (size_t i = 0, at = 6; job->size >= 6 && i < number(job->bytes + 4, 2) && at + 16 <= job->size; i++, at += 16) {
        const uint8_t *entry = job->bytes + at;
        // 0 means 256. Of two pictures of the same size, take the one with more bits.
        uint64_t width = entry[0] ? entry[0] : 256, height = entry[1] ? entry[1] : 256;
        uint64_t worth = width * height << 16 | number(entry + 6, 2), size = number(entry + 8, 4), place = number(entry + 12, 4);
        // In a truncated file, the rest of the picture is missing.
        if (place < job->size && size > job->size - place) size = job->size - place;
        if (worth < most || size < sizeof png_signature || place >= job->size) continue;
        bool is_png = memcmp(job->bytes + place, png_signature, sizeof png_signature) == 0;
        most = worth;
        largest = is_png ? (struct offstage_image_job){job->bytes + place, size, 1, job->image} : (struct offstage_image_job){0};
    }
    return largest;
}

void decode_icon(const struct offstage_image_job *job) {
    struct offstage_image_job png = largest_png(job);
    if (png.size > 0) decode_pixbuf(&png, "png");
    else decode_pixbuf(job, "ico");
}

/// A copy of a bitmap without the gap between its header and its pixels, which the library would read as pixels. NULL without
/// one.
static uint8_t *without_gap(const struct offstage_image_job *job, size_t *size) {
    const uint8_t *bytes = job->bytes;
    if (job->size < 54) return NULL;
    uint64_t head = number(bytes + 14, 4), pixels = number(bytes + 10, 4), end = 14 + head;
    bool is_old = head == 12;
    uint64_t bits = number(bytes + (is_old ? 24 : 28), 2), compression = is_old ? 0 : number(bytes + 30, 4);
    uint64_t colors = is_old ? 0 : number(bytes + 46, 4);
    if (colors == 0 && bits <= 8) colors = 1 << bits;
    // The masks for 16 and 32 bits follow the shortest header, and are part of longer ones.
    if (compression == 3 && head == 40) end += 12;
    if (bits <= 8) end += colors * (is_old ? 3 : 4);
    if (pixels <= end || pixels >= job->size) return NULL;
    *size = job->size - (size_t)(pixels - end);
    uint8_t *copy = malloc(*size);
    if (!copy) return NULL;
    memcpy(copy, bytes, (size_t)end);
    memcpy(copy + end, bytes + pixels, job->size - (size_t)pixels);
    for (int i = 0; i < 4; i++) copy[10 + i] = (uint8_t)(end >> 8 * i);
    return copy;
}

void decode_bitmap(const struct offstage_image_job *job) {
    struct offstage_image_job whole = *job;
    uint8_t *copy = without_gap(job, &whole.size);
    if (copy) whole.bytes = copy;
    else whole.size = job->size;
    decode_pixbuf(&whole, "bmp");
    free(copy);
}

void decode_pixbuf(const struct offstage_image_job *job, const char *type) {
    GdkPixbufLoader *loader = gdk_pixbuf_loader_new_with_type(type, NULL);
    if (!loader) {
        offstage_image_fail(job->image, OFFSTAGE_IMAGE_UNSUPPORTED, OFFSTAGE_IMAGE_VARIANT_OTHER, 0);
        return;
    }
    struct size size = {job, false};
    // Called on this thread, and only by the two calls below: `size` outlives the handler, which is disconnected at the end.
    gulong handler = g_signal_connect(loader, "size-prepared", G_CALLBACK(check_size), &size);
    bool is_whole = gdk_pixbuf_loader_write(loader, job->bytes, job->size, NULL);
    is_whole = gdk_pixbuf_loader_close(loader, NULL) && is_whole;
    const GdkPixbuf *pixels = gdk_pixbuf_loader_get_pixbuf(loader);
    if (pixels && !size.is_refused) deliver(job, pixels, is_whole && !is_cut(job, type));
    else if (!size.is_refused) offstage_image_damaged(job->image);
    g_signal_handler_disconnect(loader, handler);
    g_object_unref(loader);
}
