// Glyphs: filled outlines, and pictures for emoji.
#include "glyphs.h"

#include <hb-ot.h>
#include <spng.h>
#include <stdlib.h>
#include <string.h>

// HarfBuzz 7 renamed the function.
#if !HB_VERSION_ATLEAST(7, 0, 0)
#define hb_font_draw_glyph hb_font_get_glyph_shape
#endif

/// The maximum side of a picture, px.
#define MOST_SIDE 1024

struct pen { struct appearance *appearance; double x, y, scale; bool has_path; };

static void add(struct pen *pen, float x, float y, const char *operator) {
    add_place(pen->appearance, pen->x + x * pen->scale, pen->y - y * pen->scale, operator);
    pen->has_path = true;
}

static void move(hb_draw_funcs_t *functions, void *data, hb_draw_state_t *state, float x, float y, void *user) {
    (void)functions, (void)state, (void)user;
    add(data, x, y, "m ");
}

static void line(hb_draw_funcs_t *functions, void *data, hb_draw_state_t *state, float x, float y, void *user) {
    (void)functions, (void)state, (void)user;
    add(data, x, y, "l ");
}

static void curve(
    hb_draw_funcs_t *functions, void *data, hb_draw_state_t *state, float x1, float y1, float x2, float y2, float x3, float y3,
    void *user) {
    (void)functions, (void)state, (void)user;
    add(data, x1, y1, "");
    add(data, x2, y2, "");
    add(data, x3, y3, "c ");
}

static void end(hb_draw_funcs_t *functions, void *data, hb_draw_state_t *state, void *user) {
    (void)functions, (void)state, (void)user;
    pdf_text(&((struct pen *)data)->appearance->content, "h\n");
}

static hb_draw_funcs_t *outline_functions(void) {
    static hb_draw_funcs_t *functions;
    if (functions) return functions;
    functions = hb_draw_funcs_create();
    hb_draw_funcs_set_move_to_func(functions, move, NULL, NULL);
    hb_draw_funcs_set_line_to_func(functions, line, NULL, NULL);
    hb_draw_funcs_set_cubic_to_func(functions, curve, NULL, NULL);
    hb_draw_funcs_set_close_path_func(functions, end, NULL, NULL);
    return functions;
}

/// Decodes a PNG file into pixels of four bytes each. The caller frees them.
static uint8_t *decode(const char *bytes, size_t size, struct spng_ihdr *head) {
    spng_ctx *context = spng_ctx_new(0);
    uint8_t *pixels = NULL;
    size_t count;
    if (context && spng_set_png_buffer(context, bytes, size) == 0 && spng_get_ihdr(context, head) == 0 && head->width <= MOST_SIDE
        && head->height <= MOST_SIDE && spng_decoded_image_size(context, SPNG_FMT_RGBA8, &count) == 0) {
        pixels = malloc(count);
        if (pixels && spng_decode_image(context, pixels, count, SPNG_FMT_RGBA8, SPNG_DECODE_TRNS) != 0) {
            free(pixels);
            pixels = NULL;
        }
    }
    spng_ctx_free(context);
    return pixels;
}

/// Writes a picture and its opacity. Returns its object; 0 if it cannot be read.
static uint32_t write_image(struct pdf_writer *writer, const char *bytes, size_t size) {
    struct spng_ihdr head;
    uint8_t *pixels = decode(bytes, size, &head);
    size_t count = pixels ? (size_t)head.width * head.height : 0;
    uint8_t *opacity = count > 0 ? malloc(count) : NULL;
    uint32_t image = 0;
    if (opacity) {
        for (size_t i = 0; i < count; i++) {
            opacity[i] = pixels[4 * i + 3];
            for (size_t part = 0; part < 3; part++) pixels[3 * i + part] = pixels[4 * i + part];
        }
        struct pdf_buffer entries = {0};
        uint32_t mask = pdf_reserve(writer);
        pdf_format(
            &entries, "/Type /XObject /Subtype /Image /Width %u /Height %u /BitsPerComponent 8 /ColorSpace ", head.width, head.height);
        size_t common = entries.size;
        pdf_text(&entries, "/DeviceGray ");
        pdf_stream(writer, mask, &entries, opacity, count);
        entries.size = common;
        pdf_format(&entries, "/DeviceRGB /SMask %u 0 R ", mask);
        image = pdf_reserve(writer);
        pdf_stream(writer, image, &entries, pixels, 3 * count);
        pdf_free(&entries);
    }
    free(opacity);
    free(pixels);
    return image;
}

/// Returns the object of a glyph's picture, which is written on first use; 0 if the glyph has none.
static uint32_t image_of(struct pdf_writer *writer, hb_font_t *font, uint32_t number, hb_codepoint_t glyph) {
    for (size_t i = 0; i < writer->image_count; i++)
        if (writer->images[i].font == number && writer->images[i].glyph == glyph) return writer->images[i].object;
    hb_blob_t *blob = hb_ot_color_glyph_reference_png(font, glyph);
    unsigned size;
    const char *bytes = hb_blob_get_data(blob, &size);
    uint32_t object = size > 0 ? write_image(writer, bytes, size) : 0;
    hb_blob_destroy(blob);
    if (writer->image_count == writer->image_room) {
        size_t room = writer->image_room ? 2 * writer->image_room : 16;
        struct pdf_image *images = realloc(writer->images, room * sizeof *images);
        if (!images) return object;
        writer->images = images;
        writer->image_room = room;
    }
    writer->images[writer->image_count++] = (struct pdf_image){number, glyph, object};
    return object;
}

static void draw_image(const struct pen *pen, hb_font_t *font, uint32_t number, hb_codepoint_t glyph) {
    struct appearance *a = pen->appearance;
    hb_glyph_extents_t extents;
    uint32_t object = image_of(a->writer, font, number, glyph);
    if (object == 0 || !hb_font_get_glyph_extents(font, glyph, &extents)) return;
    double left = pen->x + extents.x_bearing * pen->scale, top = pen->y - extents.y_bearing * pen->scale;
    double right = left + extents.width * pen->scale, bottom = top - extents.height * pen->scale;
    // A picture's unit square has its origin at the lower left.
    struct page_place origin = page_at(a->space, left, bottom), across = page_at(a->space, right, bottom),
                      up = page_at(a->space, left, top);
    pdf_text(&a->content, "q ");
    const double matrix[6] = {across.x - origin.x, across.y - origin.y, up.x - origin.x, up.y - origin.y, origin.x, origin.y};
    for (int i = 0; i < 6; i++) pdf_number(&a->content, matrix[i]);
    pdf_format(&a->content, "cm /I%u Do Q\n", object);
    struct pdf_buffer entry = {0};
    pdf_format(&entry, "/I%u %u 0 R ", object, object);
    // List each picture only once in the dictionary.
    bool is_known = false;
    for (size_t i = 0; i + entry.size <= a->images.size && !is_known; i++)
        is_known = entry.bytes && memcmp(a->images.bytes + i, entry.bytes, entry.size) == 0;
    if (!is_known) pdf_add(&a->images, entry.bytes, entry.size);
    pdf_free(&entry);
}

double draw_glyphs(
    struct appearance *a, hb_buffer_t *buffer, hb_font_t *font, uint32_t number, double scale, double x, double y) {
    unsigned count;
    const hb_glyph_info_t *glyphs = hb_buffer_get_glyph_infos(buffer, &count);
    const hb_glyph_position_t *places = hb_buffer_get_glyph_positions(buffer, &count);
    bool has_images = hb_ot_color_has_png(hb_font_get_face(font));
    struct pen pen = {.appearance = a, .scale = scale};
    for (unsigned i = 0; i < count; i++) {
        pen.x = x + places[i].x_offset * scale;
        pen.y = y - places[i].y_offset * scale;
        if (has_images) draw_image(&pen, font, number, glyphs[i].codepoint);
        else hb_font_draw_glyph(font, glyphs[i].codepoint, outline_functions(), &pen);
        x += places[i].x_advance * scale;
    }
    if (pen.has_path) pdf_text(&a->content, "f\n");
    return x;
}
