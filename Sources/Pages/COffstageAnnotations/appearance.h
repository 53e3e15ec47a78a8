#ifndef OFFSTAGE_APPEARANCE_H
#define OFFSTAGE_APPEARANCE_H

#include "offstage_annotations.h"

/// The kinds, with the standard's subtype numbers.
enum {
    KIND_NOTE = 1,
    KIND_FREE_TEXT = 3,
    KIND_LINE = 4,
    KIND_SQUARE = 5,
    KIND_CIRCLE = 6,
    KIND_POLYGON = 7,
    KIND_POLYLINE = 8,
    KIND_HIGHLIGHT = 9,
    KIND_UNDERLINE = 10,
    KIND_SQUIGGLY = 11,
    KIND_STRIKE_OUT = 12,
    KIND_INK = 15,
};

/// A rectangle on the displayed page, in units from its upper left corner.
struct shown_box { double left, top, right, bottom; };

/// The data for one annotation's appearance.
struct appearance {
    const struct annotation *annotation;
    const struct page_space *space;
    /// The space of a note's symbol on a rotated page, from the symbol's lower left corner, and the position of its upper left
    /// corner.
    struct page_space upright;
    struct page_place corner;
    struct pdf_writer *writer;
    struct pdf_buffer content;
    /// The entries of the XObject dictionary in the resources.
    struct pdf_buffer images;
    /// The bounds of everything drawn, including line widths.
    struct shown_box box;
    struct annotation_problems problems;
};

/// Returns the position of a point of the annotation on the displayed page, in units.
struct page_place shown_place(const struct appearance *appearance, const int32_t *place);
struct shown_box shown_box(const struct appearance *appearance, const int32_t *corners);
/// Adds a point and an operator.
void add_place(struct appearance *appearance, double x, double y, const char *operator);
/// Adds a colour: `rg` or `RG`.
void add_color(struct pdf_buffer *buffer, uint32_t color, const char *operator);
/// Converts thousandths of a point to units.
double units_of(const struct appearance *appearance, uint32_t thousandths);

/// Draws an annotation of any kind.
void draw_appearance(struct appearance *appearance);
void draw_ink(struct appearance *appearance);
void draw_free_text(struct appearance *appearance);
/// Writes the font, size and colour, for programs that make their own appearance of a free text.
void add_text_look(struct appearance *appearance, struct pdf_buffer *text);

#endif
