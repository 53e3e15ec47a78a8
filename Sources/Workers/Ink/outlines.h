#ifndef OFFSTAGE_INK_OUTLINES_H
#define OFFSTAGE_INK_OUTLINES_H

#include <hb.h>
#include <offstage_ink.h>

/// Where a glyph's origin is, page units; the page units of a font's unit; and how far it leans for each unit of height.
struct glyph_place {
    double x, y, scale, slant;
};

/// Fills a glyph's outline. Returns false if memory is short.
bool draw_glyph(
    struct offstage_ink_scratch *scratch, const struct offstage_ink_target *target, hb_font_t *font, hb_codepoint_t glyph,
    const struct glyph_place *place, const uint8_t color[4]);

#endif
