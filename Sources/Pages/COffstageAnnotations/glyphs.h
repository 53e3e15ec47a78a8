#ifndef OFFSTAGE_ANNOTATION_GLYPHS_H
#define OFFSTAGE_ANNOTATION_GLYPHS_H

#include <hb.h>

#include "appearance.h"

/// Draws the glyphs of a shaped buffer from a point on the baseline. Returns the point for the next glyphs. `scale` is in units
/// per font unit. The font is given by its index.
double draw_glyphs(
    struct appearance *appearance, hb_buffer_t *buffer, hb_font_t *font, uint32_t number, double scale, double x, double y);

#endif
