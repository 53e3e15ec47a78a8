#ifndef OFFSTAGE_ANNOTATION_GLYPHS_H
#define OFFSTAGE_ANNOTATION_GLYPHS_H

#include <hb.h>

#include "appearance.h"

/// Draws the glyphs of a shaped buffer from a place on their base line. Returns where the next ones begin. `scale` is in units for each
/// unit of the font, which is named by its number.
double draw_glyphs(
    struct appearance *appearance, hb_buffer_t *buffer, hb_font_t *font, uint32_t number, double scale, double x, double y);

#endif
