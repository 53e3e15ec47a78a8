#include "offstage_vector.h"

#include <cairo-svg.h>
#include <poppler.h>
#include <stdlib.h>
#include <string.h>

static __thread char reason[256];

// Poppler shares fonts among documents, and does not guard them; cairo asks for their letters until a file is finished. Two
// threads at once crash.
G_LOCK_DEFINE_STATIC(poppler);

static const char *failure(const char *library, const char *text) {
    g_snprintf(reason, sizeof reason, "%s: %s", library, text);
    return reason;
}

static const char *cairo_failure(cairo_status_t status) {
    return status == CAIRO_STATUS_SUCCESS ? NULL : failure("cairo", cairo_status_to_string(status));
}

static void fill(cairo_t *context, const struct offstage_color *color) {
    cairo_set_source_rgba(context, color->red, color->green, color->blue, color->alpha);
    if (color->alpha > 0)
        cairo_fill(context);
    else
        cairo_new_path(context);
}

static void fill_background(cairo_t *context, const struct offstage_vector_page *page) {
    cairo_rectangle(context, 0, 0, page->width, page->height);
    if (!page->edge) return fill(context, &page->background);
    cairo_rectangle(context, page->left, page->top, page->shown_width, page->shown_height);
    cairo_set_fill_rule(context, CAIRO_FILL_RULE_EVEN_ODD);
    fill(context, page->edge);
    cairo_rectangle(context, page->left, page->top, page->shown_width, page->shown_height);
    fill(context, &page->background);
}

/// NULL on failure. Letters of some fonts are painted when a file is finished: the document has to be there until then.
static PopplerDocument *open_document(const void *bytes, size_t length) {
    GError *error = NULL;
    GBytes *data = g_bytes_new_static(bytes, length);
    PopplerDocument *document = poppler_document_new_from_bytes(data, NULL, &error);
    g_bytes_unref(data);
    if (!document) failure("poppler", error ? error->message : "no document");
    g_clear_error(&error);
    return document;
}

/// One unit to a CSS px.
static const char *paint(cairo_t *context, PopplerDocument *document, const struct offstage_vector_page *page) {
    if (!document) return reason;
    PopplerPage *source = poppler_document_get_page(document, page->number);
    if (source) {
        fill_background(context, page);
        cairo_save(context);
        cairo_rectangle(context, page->left, page->top, page->shown_width, page->shown_height);
        cairo_clip(context);
        cairo_translate(context, page->left - page->x, page->top - page->y);
        cairo_scale(context, 1 / page->points_per_pixel, 1 / page->points_per_pixel);
        poppler_page_render(source, context);
        cairo_restore(context);
        g_object_unref(source);
    }
    return source ? cairo_failure(cairo_status(context)) : failure("poppler", "the page is missing");
}

static cairo_status_t append(void *array, const unsigned char *bytes, unsigned int length) {
    g_byte_array_append(array, bytes, length);
    return CAIRO_STATUS_SUCCESS;
}

const char *offstage_vector_svg(
    const void *document, size_t length, const struct offstage_vector_page *page, uint8_t **svg, size_t *svg_length) {
    GByteArray *file = g_byte_array_new();
    G_LOCK(poppler);
    cairo_surface_t *surface = cairo_svg_surface_create_for_stream(append, file, page->width, page->height);
    cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
    cairo_t *context = cairo_create(surface);
    PopplerDocument *source = open_document(document, length);
    const char *problem = paint(context, source, page);
    cairo_show_page(context);
    cairo_destroy(context);
    cairo_surface_finish(surface);
    if (!problem) problem = cairo_failure(cairo_surface_status(surface));
    cairo_surface_destroy(surface);
    g_clear_object(&source);
    G_UNLOCK(poppler);
    *svg = NULL;
    *svg_length = file->len;
    if (!problem && !(*svg = malloc(file->len))) problem = failure("cairo", "out of memory");
    if (*svg) memcpy(*svg, file->data, file->len);
    g_byte_array_unref(file);
    return problem;
}

const char *offstage_vector_paint(
    const void *document, size_t length, const struct offstage_vector_page *page, double scale, void *pixels, int width,
    int height) {
    G_LOCK(poppler);
    cairo_surface_t *surface =
        cairo_image_surface_create_for_data(pixels, CAIRO_FORMAT_ARGB32, width, height, 4 * width);
    cairo_t *context = cairo_create(surface);
    cairo_scale(context, scale, scale);
    PopplerDocument *source = open_document(document, length);
    const char *problem = paint(context, source, page);
    cairo_destroy(context);
    cairo_surface_destroy(surface);
    g_clear_object(&source);
    G_UNLOCK(poppler);
    return problem;
}
