// Texts and images of drawing programs.
#include "board.h"

#include <math.h>
#include <spng.h>
#include <stdlib.h>
#include <string.h>

#include "base64.h"
#include "picture.h"
#include "text.h"

/// The maximum side of a rotated image, px.
#define MOST_SIDE 8192

/// Adds one line. `x` and `y` are in the text's own units.
static void add_line(struct document *document, const struct board_text *text, const char *line, size_t count, double x, double y) {
    if (count == 0 || document->failure) return;
    struct offstage_ink_text_head head = {.size = (float)fmin(text->size * affine_scale(&text->map), 1e4)};
    affine_apply(&text->map, &x, &y);
    head.x = (float)x;
    head.y = (float)y;
    memcpy(head.color, text->color, 4);
    document_add_text(document, &head, text->font, line, count);
}

struct lines {
    const char *start[4096];
    size_t count[4096], used;
};

static void put(struct lines *lines, const char *start, size_t count) {
    if (lines->used == sizeof lines->start / sizeof *lines->start) return;
    lines->start[lines->used] = start;
    lines->count[lines->used++] = count;
}

/// Breaks a line between words so that it fits.
static void break_line(struct lines *lines, const struct board_text *text, const char *line, size_t count) {
    size_t start = 0, end = 0;
    double width = 0, space = text_width(text->font, text->size, " ", 1);
    while (end < count) {
        size_t word = end;
        while (word < count && line[word] == ' ') word++;
        size_t stop = word;
        while (stop < count && line[stop] != ' ') stop++;
        double more = text_width(text->font, text->size, line + word, stop - word) + space * (double)(word - end);
        if (end > start && width + more > text->width * 1.01) {
            put(lines, line + start, end - start);
            start = word;
            width = more - space * (double)(word - end);
        } else width += more;
        end = stop;
    }
    put(lines, line + start, count - start);
}

static void upright(struct document *document, struct affine *map, double width, double height) {
    if (!affine_turns(map)) return;
    document->facts |= OFFSTAGE_INK_IS_TURNED;
    double x = width / 2, y = height / 2, scale = affine_scale(map);
    affine_apply(map, &x, &y);
    *map = (struct affine){scale, 0, 0, scale, x - width / 2 * scale, y - height / 2 * scale};
}

void board_add_text(struct document *document, const struct board_text *given) {
    struct board_text text = *given;
    static struct lines lines;
    lines.used = 0;
    if (!(text.size > 0 && text.size <= 1e4)) return;
    for (const char *at = text.text; at;) {
        const char *newline = strchr(at, '\n');
        size_t count = newline ? (size_t)(newline - at) : strlen(at);
        if (text.width > 0 && count < 100000) break_line(&lines, &text, at, count);
        else put(&lines, at, count);
        at = newline ? newline + 1 : NULL;
    }
    double height = text_height(text.font, text.size), widest = text.width;
    for (size_t i = 0; i < lines.used && !(text.width > 0); i++)
        widest = fmax(widest, text_width(text.font, text.size, lines.start[i], lines.count[i]));
    upright(document, &text.map, widest, height * (double)lines.used);
    for (size_t i = 0; i < lines.used; i++) {
        double left = 0;
        if (text.alignment > 0)
            left = (widest - text_width(text.font, text.size, lines.start[i], lines.count[i])) * text.alignment;
        add_line(document, &text, lines.start[i], lines.count[i], left, height * (double)i);
    }
}

/// The box of a map without rotation, but with mirroring.
static struct offstage_ink_image_head box_of(const struct affine *map) {
    return (struct offstage_ink_image_head){
        (float)map->x, (float)map->y, (float)(map->x + map->a), (float)(map->y + map->d)};
}

static bool is_slanted(const struct affine *map) {
    return !(fabs(map->b) + fabs(map->c) <= (fabs(map->a) + fabs(map->d)) * 1e-3);
}

/// Makes a PNG file of pixels that are not premultiplied.
static void add_png(
    struct document *document, const uint8_t *rgba, uint32_t width, uint32_t height, const struct offstage_ink_image_head *head) {
    spng_ctx *context = spng_ctx_new(SPNG_CTX_ENCODER);
    if (!context) return document_stop(document, OFFSTAGE_WIRE_NO_MEMORY, 0, 0);
    struct spng_ihdr form = {.width = width, .height = height, .bit_depth = 8, .color_type = SPNG_COLOR_TYPE_TRUECOLOR_ALPHA};
    spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1);
    spng_set_option(context, SPNG_IMG_COMPRESSION_LEVEL, 1);
    size_t size = 0;
    int result = spng_set_ihdr(context, &form);
    if (result == 0) result = spng_encode_image(context, rgba, 4 * (size_t)width * height, SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE);
    uint8_t *png = result == 0 ? spng_get_png_buffer(context, &size, &result) : NULL;
    if (png) document_add_image(document, head, NULL, 0, png, size);
    else document->facts |= OFFSTAGE_INK_HAS_BAD_IMAGE;
    free(png);
    spng_ctx_free(context);
}

/// Rotates an image. The result is the smallest upright box around it, with the nearest pixels.
static uint8_t *turn(const uint8_t *from, uint32_t *width, uint32_t *height, struct affine *map) {
    double left = map->x + fmin(map->a, 0) + fmin(map->c, 0), right = map->x + fmax(map->a, 0) + fmax(map->c, 0);
    double top = map->y + fmin(map->b, 0) + fmin(map->d, 0), bottom = map->y + fmax(map->b, 0) + fmax(map->d, 0);
    double across = hypot(map->a, map->b), area = map->a * map->d - map->b * map->c, density = *width / across;
    double w = ceil((right - left) * density), h = ceil((bottom - top) * density);
    if (!(fabs(area) > 1e-9) || !(w >= 1 && h >= 1 && w * h <= 64e6)) return NULL;
    uint32_t new_width = (uint32_t)w, new_height = (uint32_t)h;
    uint8_t *to = calloc((size_t)new_width * new_height, 4);
    for (uint32_t y = 0; to && y < new_height; y++)
        for (uint32_t x = 0; x < new_width; x++) {
            double px = left + (x + 0.5) / w * (right - left) - map->x, py = top + (y + 0.5) / h * (bottom - top) - map->y;
            double u = (map->d * px - map->c * py) / area * *width, v = (map->a * py - map->b * px) / area * *height;
            if (u >= 0 && v >= 0 && u < *width && v < *height)
                memcpy(to + 4 * ((size_t)y * new_width + x), from + 4 * ((size_t)(uint32_t)v * *width + (uint32_t)u), 4);
        }
    *map = (struct affine){right - left, 0, 0, bottom - top, left, top};
    *width = new_width, *height = new_height;
    return to;
}

/// Adds a rotated PNG file. Returns false for another file.
static bool add_turned(struct document *document, const uint8_t *bytes, size_t count, const struct affine *given) {
    uint32_t width, height;
    struct affine map = *given;
    uint8_t *pixels = is_png(bytes, count) ? decode_png(bytes, count, MOST_SIDE, &width, &height) : NULL;
    uint8_t *turned = pixels ? turn(pixels, &width, &height, &map) : NULL;
    const struct offstage_ink_image_head head = box_of(&map);
    if (turned) add_png(document, turned, width, height, &head);
    free(turned);
    free(pixels);
    return turned != NULL;
}

void board_add_image(struct document *document, const char *base64, size_t count, const struct affine *given) {
    char *bytes = malloc(count + 1);
    if (!bytes) return document_stop(document, OFFSTAGE_WIRE_NO_MEMORY, 0, 0);
    memcpy(bytes, base64, count);
    size_t made = decode_base64(bytes, count);
    struct affine map = *given;
    if (is_slanted(&map) && add_turned(document, (const uint8_t *)bytes, made, &map)) return free(bytes);
    if (is_slanted(&map)) {
        document->facts |= OFFSTAGE_INK_IS_TURNED;
        double width = hypot(map.a, map.b), height = hypot(map.c, map.d);
        double x = map.x + (map.a + map.c) / 2, y = map.y + (map.b + map.d) / 2;
        map = (struct affine){width, 0, 0, height, x - width / 2, y - height / 2};
    }
    const struct offstage_ink_image_head head = box_of(&map);
    document_add_image(document, &head, NULL, 0, bytes, made);
    free(bytes);
}

void board_add_pixels(
    struct document *document, const char *base64, size_t count, uint32_t width, uint32_t height, const struct affine *given) {
    size_t size = 4 * (size_t)width * height;
    struct affine map = *given;
    if (width == 0 || height == 0 || width > 32767 || height > 32767 || size > 256u << 20 || size / 3 * 4 > count) {
        document->facts |= OFFSTAGE_INK_HAS_BAD_IMAGE;
        return;
    }
    char *bytes = malloc(count + 1);
    if (!bytes) return document_stop(document, OFFSTAGE_WIRE_NO_MEMORY, 0, 0);
    memcpy(bytes, base64, count);
    uint8_t *pixels = (uint8_t *)bytes, *turned = NULL;
    if (decode_base64(bytes, count) < size) {
        document->facts |= OFFSTAGE_INK_HAS_BAD_IMAGE;
        free(bytes);
        return;
    }
    for (size_t i = 0; i < size; i += 4)
        for (size_t part = 0; part < 3 && pixels[i + 3] > 0; part++) {
            unsigned straight = (255u * pixels[i + part] + pixels[i + 3] / 2u) / pixels[i + 3];
            pixels[i + part] = (uint8_t)(straight < 255 ? straight : 255);
        }
    if (is_slanted(&map)) {
        turned = turn(pixels, &width, &height, &map);
        if (!turned) document->facts |= OFFSTAGE_INK_HAS_BAD_IMAGE;
        pixels = turned;
    }
    const struct offstage_ink_image_head head = box_of(&map);
    if (pixels) add_png(document, pixels, width, height, &head);
    free(turned);
    free(bytes);
}
