#ifndef OFFSTAGE_INK_BOARD_H
#define OFFSTAGE_INK_BOARD_H

#include <jansson.h>

#include "shapes.h"

/// Texts and images of drawing programs, and pages that are parts of one large sheet.

/// A text item.
struct board_text {
    const char *text;
    /// A font name for `fonts_named`.
    const char *font;
    /// In the text's own units, which `map` converts. Its upper left corner is 0, 0.
    double size;
    /// The width to which lines are broken and in which they are aligned; 0 for none.
    double width;
    /// 0: at the left; 0.5: in the middle; 1: at the right.
    double alignment;
    uint8_t color[4];
    struct affine map;
};

/// Adds a text, line by line. A rotated text is drawn upright around its middle, which the document's facts record.
void board_add_text(struct document *document, const struct board_text *text);

/// Adds an image file, in base64, that fills the box from 0, 0 to 1, 1 of a map. A rotated PNG file becomes an upright one; any
/// other file is drawn upright, which the document's facts record.
void board_add_image(struct document *document, const char *base64, size_t count, const struct affine *map);

/// Adds an image of premultiplied red, green, blue and opacity, in base64, that fills the box from 0, 0 to 1, 1 of a map.
void board_add_pixels(
    struct document *document, const char *base64, size_t count, uint32_t width, uint32_t height, const struct affine *map);

/// A sheet divided into pages of equal size. They start at 0, 0 and may extend in all four directions.
struct board_grid {
    /// The template for every page, in points.
    struct offstage_ink_page page;
    /// The sheet's area in points. Without an area, only pages with content are made.
    double left, top, right, bottom;
};

/// Adds pages, row after row, and copies each item of the sheet's only page to all of them that it touches.
void board_divide(struct document *document, const struct document *sheet, const struct board_grid *grid);

#endif
