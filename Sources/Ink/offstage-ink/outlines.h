#ifndef OFFSTAGE_INK_OUTLINES_H
#define OFFSTAGE_INK_OUTLINES_H

#include <hb.h>
#include <offstage_ink.h>

/// The position of a glyph's origin in page units, the page units per font unit, and the slant per unit of height.
struct glyph_place {
    double x, y, scale, slant;
};

/// Collects outlines.
struct outlines {
    struct offstage_ink_corner *corners;
    size_t count, room;
};

/// Adds a glyph's outline as it looks at a scale, in device px per page unit. Returns false if memory is short.
bool add_glyph(struct outlines *outlines, hb_font_t *font, hb_codepoint_t glyph, const struct glyph_place *place, double scale);

#endif
