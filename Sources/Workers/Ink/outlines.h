#ifndef OFFSTAGE_INK_OUTLINES_H
#define OFFSTAGE_INK_OUTLINES_H

#include <hb.h>
#include <offstage_ink.h>

/// Where a glyph's origin is, page units; the page units of a font's unit; and how far it leans for each unit of height.
struct glyph_place {
    double x, y, scale, slant;
};

/// Outlines that are collected.
struct outlines {
    struct offstage_ink_corner *corners;
    size_t count, room;
};

/// Adds a glyph's outline, as it looks at a scale: device px for each page unit. Returns false if memory is short.
bool add_glyph(struct outlines *outlines, hb_font_t *font, hb_codepoint_t glyph, const struct glyph_place *place, double scale);

#endif
