// Pages of PDF documents and fonts, through libraries whose headers are GTK's as well: no Swift module may have them twice, so here
// they do not show.
#ifndef OFFSTAGE_VECTOR_H
#define OFFSTAGE_VECTOR_H

#include <stddef.h>
#include <stdint.h>

/// Red, green, blue and alpha, 0 to 1, not multiplied.
struct offstage_color {
    double red, green, blue, alpha;
};

/// A part of a document's page, and where it is put. All but the last two in CSS px.
struct offstage_vector_page {
    /// Of the finished page.
    double width, height;
    /// What is shown of the document's page, from its upper left corner.
    double x, y, shown_width, shown_height;
    /// Where that is in the finished page.
    double left, top;
    /// Behind it; around it `edge` where it is not NULL, else the same.
    struct offstage_color background;
    const struct offstage_color *edge;
    /// Of the document's pages, from 0.
    int number;
    /// Points in the document to a CSS px.
    double points_per_pixel;
};

/// A finished page as an SVG file.
///
/// \param svg the file's bytes, to be freed by the caller; NULL on failure.
/// \return NULL, or why not: valid until the next call of the thread.
const char *offstage_vector_svg(
    const void *document, size_t length, const struct offstage_vector_page *page, uint8_t **svg, size_t *svg_length);

/// A finished page as pixels.
///
/// \param pixels premultiplied BGRA, `4 * width` bytes a row, all zero before.
/// \param scale device px to a CSS px.
/// \return as above.
const char *offstage_vector_paint(
    const void *document, size_t length, const struct offstage_vector_page *page, double scale, void *pixels, int width,
    int height);

/// A TrueType font with some of its glyphs, which keep their numbers, and without what only shaping and screens need.
///
/// \return the file, to be freed by the caller; NULL for what is no font.
uint8_t *offstage_font_subset(
    const void *font, size_t length, const uint16_t *glyphs, size_t count, size_t *subset_length);

#endif
