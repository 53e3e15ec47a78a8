#include "animation.h"

#include <spng.h>
#include <stdlib.h>
#include <string.h>

#include "chunks.h"

// libspng decodes still pictures. Each frame becomes such a file, with the animation's header and palette, and the frame's size
// and data. Checksums can be omitted, because `decode` ignores them.

#define IHDR_SIZE 13
#define CONTROL_SIZE 26

enum disposal { KEEP, CLEAR, RESTORE };
enum blending { REPLACE, OVER };

struct frame {
    uint32_t width, height, left, top;
    enum disposal disposal;
    enum blending blending;
};

/// Reads a frame's control chunk. False if the frame is not within the canvas, or the chunk is out of order.
static bool read_control(const struct chunk *chunk, const uint8_t *file, uint32_t *sequence, struct frame *frame) {
    if (chunk->length < CONTROL_SIZE || png_number(chunk->bytes) != *sequence) return false;
    ++*sequence;
    uint32_t width = png_number(file + PNG_SIGNATURE + PNG_CHUNK_HEAD), height = png_number(file + PNG_SIGNATURE + PNG_CHUNK_HEAD + 4);
    const uint8_t *p = chunk->bytes;
    *frame = (struct frame){png_number(p + 4), png_number(p + 8), png_number(p + 12), png_number(p + 16), p[24], p[25]};
    return frame->width > 0 && frame->height > 0 && frame->width <= width && frame->height <= height
        && frame->left <= width - frame->width && frame->top <= height - frame->height && p[24] <= RESTORE && p[25] <= OVER;
}

/// Finds the next frame and its data. False at the end, and if the file is inconsistent.
static bool next_frame(
    const uint8_t *bytes, size_t size, size_t *at, uint32_t *sequence, bool *has_pixels, struct frame *frame) {
    struct chunk chunk;
    while (chunk_next(bytes, size, at, &chunk)) {
        if (chunk_is(&chunk, "fcTL")) return read_control(&chunk, bytes, sequence, frame);
        if (chunk_is(&chunk, "IDAT")) *has_pixels = true;
        if (chunk_is(&chunk, "fdAT") && (chunk.length < 4 || png_number(chunk.bytes) != (*sequence)++)) return false;
    }
    return false;
}

uint32_t animation_frames(const uint8_t *bytes, size_t size, bool *is_separate) {
    size_t at = PNG_SIGNATURE;
    struct chunk chunk;
    uint32_t claimed = 0;
    while (claimed == 0 && chunk_next(bytes, size, &at, &chunk) && !chunk_is(&chunk, "IDAT"))
        if (chunk_is(&chunk, "acTL") && chunk.length >= 8) claimed = png_number(chunk.bytes);
    uint32_t count = 0, sequence = 0;
    bool has_pixels = false;
    struct frame frame;
    *is_separate = false;
    // Counts the existing frames, because the number in the file may be wrong.
    while (count < claimed && next_frame(bytes, size, &at, &sequence, &has_pixels, &frame)) {
        if (count == 0) *is_separate = has_pixels;
        count++;
    }
    return count;
}

struct canvas {
    uint8_t *pixels, *saved;
    uint32_t width;
    bool is_wide;
};

static size_t place(const struct canvas *canvas, const struct frame *frame, uint32_t y) {
    return ((size_t)(frame->top + y) * canvas->width + frame->left) * (canvas->is_wide ? 8 : 4);
}

static uint32_t value(const uint8_t *p, int i, bool is_wide) { return is_wide ? ((const uint16_t *)(const void *)p)[i] : p[i]; }

static void set_value(uint8_t *p, int i, bool is_wide, uint32_t value) {
    if (is_wide) ((uint16_t *)(void *)p)[i] = (uint16_t)value;
    else p[i] = (uint8_t)value;
}

/// Blends a pixel over another. Neither is premultiplied.
static void blend(uint8_t *below, const uint8_t *above, bool is_wide) {
    uint64_t most = is_wide ? 65535 : 255, alpha = value(above, 3, is_wide);
    if (alpha == 0) return;
    uint64_t front = alpha * most, back = (most - alpha) * value(below, 3, is_wide), sum = front + back;
    for (int i = 0; i < 3; i++) {
        uint64_t color = (value(above, i, is_wide) * front + value(below, i, is_wide) * back + sum / 2) / sum;
        set_value(below, i, is_wide, (uint32_t)color);
    }
    set_value(below, 3, is_wide, (uint32_t)((sum + most / 2) / most));
}

static void paint(struct canvas *canvas, const struct frame *frame, uint32_t y, const uint8_t *row) {
    uint8_t *target = canvas->pixels + place(canvas, frame, y);
    size_t stride = canvas->is_wide ? 8 : 4;
    if (frame->blending == REPLACE) memcpy(target, row, frame->width * stride);
    else
        for (uint32_t x = 0; x < frame->width; x++) blend(target + x * stride, row + x * stride, canvas->is_wide);
}

static void append(uint8_t **end, const char *name, const uint8_t *bytes, size_t length) {
    uint8_t *p = *end;
    for (int i = 0; i < 4; i++) p[i] = (uint8_t)(length >> (24 - 8 * i));
    memcpy(p + 4, name, 4);
    if (bytes) memcpy(p + PNG_CHUNK_HEAD, bytes, length);
    memset(p + PNG_CHUNK_HEAD + length, 0, 4);
    *end = p + PNG_CHUNK_EXTRA + length;
}

/// Makes a file of a frame, which the caller frees; NULL without memory.
static uint8_t *still(const uint8_t *bytes, size_t size, size_t at, const struct frame *frame, size_t *length) {
    struct chunk chunk;
    size_t data = 0, shared = 0, place = at;
    while (chunk_next(bytes, size, &place, &chunk) && !chunk_is(&chunk, "fcTL"))
        data += chunk_is(&chunk, "IDAT") ? chunk.length : chunk_is(&chunk, "fdAT") && chunk.length > 4 ? chunk.length - 4 : 0;
    for (place = PNG_SIGNATURE; chunk_next(bytes, size, &place, &chunk) && !chunk_is(&chunk, "IDAT");)
        if (chunk_is(&chunk, "PLTE") || chunk_is(&chunk, "tRNS")) shared += chunk.length + PNG_CHUNK_EXTRA;
    uint8_t *file = malloc(PNG_SIGNATURE + IHDR_SIZE + 3 * PNG_CHUNK_EXTRA + shared + data), *end = file;
    if (!file) return NULL;
    memcpy(end, bytes, PNG_SIGNATURE);
    end += PNG_SIGNATURE;
    uint8_t head[IHDR_SIZE];
    memcpy(head, bytes + PNG_SIGNATURE + PNG_CHUNK_HEAD, sizeof head);
    for (int i = 0; i < 4; i++) {
        head[i] = (uint8_t)(frame->width >> (24 - 8 * i));
        head[4 + i] = (uint8_t)(frame->height >> (24 - 8 * i));
    }
    append(&end, "IHDR", head, sizeof head);
    for (place = PNG_SIGNATURE; chunk_next(bytes, size, &place, &chunk) && !chunk_is(&chunk, "IDAT");)
        if (chunk_is(&chunk, "PLTE") || chunk_is(&chunk, "tRNS")) append(&end, chunk.name, chunk.bytes, chunk.length);
    uint8_t *pixels = end + PNG_CHUNK_HEAD;
    append(&end, "IDAT", NULL, data);
    for (place = at; chunk_next(bytes, size, &place, &chunk) && !chunk_is(&chunk, "fcTL");) {
        size_t skipped = chunk_is(&chunk, "fdAT") ? 4 : 0;
        if ((skipped == 0 && !chunk_is(&chunk, "IDAT")) || chunk.length <= skipped) continue;
        memcpy(pixels, chunk.bytes + skipped, chunk.length - skipped);
        pixels += chunk.length - skipped;
    }
    append(&end, "IEND", NULL, 0);
    *length = (size_t)(end - file);
    return file;
}

/// Paints a frame row by row. False if it is damaged.
static bool decode(spng_ctx *png, struct canvas *canvas, const struct frame *frame, bool is_interlaced) {
    size_t row_size = (size_t)frame->width * (canvas->is_wide ? 8 : 4);
    int format = canvas->is_wide ? SPNG_FMT_RGBA16 : SPNG_FMT_RGBA8;
    // The passes of an interlaced frame are stored one after another.
    uint8_t *rows = calloc(is_interlaced ? frame->height : 1, row_size);
    if (!rows) return false;
    int result;
    if (is_interlaced) {
        result = spng_decode_image(png, rows, row_size * frame->height, format, SPNG_DECODE_TRNS);
        for (uint32_t y = 0; y < frame->height; y++) paint(canvas, frame, y, rows + y * row_size);
    } else {
        result = spng_decode_image(png, NULL, 0, format, SPNG_DECODE_TRNS | SPNG_DECODE_PROGRESSIVE);
        for (uint32_t y = 0; result == 0 && y < frame->height; y++) {
            result = spng_decode_row(png, rows, row_size);
            if (result == 0 || result == SPNG_EOI) paint(canvas, frame, y, rows);
        }
    }
    free(rows);
    return result == 0 || result == SPNG_EOI;
}

static bool paint_frame(
    struct canvas *canvas, const struct offstage_image_job *job, size_t at, const struct frame *frame) {
    size_t length = 0;
    uint8_t *file = still(job->bytes, job->size, at, frame, &length);
    spng_ctx *png = file ? spng_ctx_new(0) : NULL;
    bool is_whole = false;
    if (png && spng_set_crc_action(png, SPNG_CRC_USE, SPNG_CRC_USE) == 0 && spng_set_png_buffer(png, file, length) == 0)
        is_whole = decode(png, canvas, frame, job->bytes[PNG_SIGNATURE + PNG_CHUNK_HEAD + IHDR_SIZE - 1] != 0);
    spng_ctx_free(png);
    free(file);
    return is_whole;
}

/// Disposes of a frame as the file specifies, before the next one.
static void dispose(struct canvas *canvas, const struct frame *frame) {
    size_t row_size = (size_t)frame->width * (canvas->is_wide ? 8 : 4);
    for (uint32_t y = 0; frame->disposal != KEEP && y < frame->height; y++) {
        size_t target = place(canvas, frame, y);
        // There is nothing to restore before the first frame.
        if (frame->disposal == RESTORE && canvas->saved) memcpy(canvas->pixels + target, canvas->saved + target, row_size);
        else memset(canvas->pixels + target, 0, row_size);
    }
}

void animation_draw(const struct offstage_image_job *job, uint32_t width, uint32_t height, bool is_wide) {
    size_t row_size = (size_t)width * (is_wide ? 8 : 4), size = row_size * height, at = PNG_SIGNATURE;
    struct canvas canvas = {.pixels = calloc(1, size), .width = width, .is_wide = is_wide};
    struct frame frame, previous = {.disposal = KEEP};
    uint32_t sequence = 0;
    bool has_pixels = false, is_whole = true, has_memory = canvas.pixels != NULL;
    for (uint32_t i = 1; has_memory && i <= job->frame; i++) {
        if (!next_frame(job->bytes, job->size, &at, &sequence, &has_pixels, &frame)) break;
        dispose(&canvas, &previous);
        if (frame.disposal == RESTORE && i < job->frame && i > 1) {
            if (!canvas.saved) canvas.saved = malloc(size);
            has_memory = canvas.saved != NULL;
            if (has_memory) memcpy(canvas.saved, canvas.pixels, size);
        }
        if (!paint_frame(&canvas, job, at, &frame)) is_whole = false;
        previous = frame;
    }
    if (!has_memory) offstage_image_no_memory(job->image, size);
    else if (!is_whole) offstage_image_partial(job->image);
    for (uint32_t y = 0; has_memory && y < height && offstage_image_row(job->image, canvas.pixels + y * row_size); y++)
        continue;
    free(canvas.pixels);
    free(canvas.saved);
}
