// Fonts, through HarfBuzz.
#ifndef OFFSTAGE_VECTOR_H
#define OFFSTAGE_VECTOR_H

#include <stddef.h>
#include <stdint.h>

/// A TrueType font with only these glyphs, which keep their numbers, and without the tables for shaping and for screens.
///
/// \return the file, which the caller frees; NULL if `font` is not a font.
uint8_t *offstage_font_subset(
    const void *font, size_t length, const uint16_t *glyphs, size_t count, size_t *subset_length);

#endif
