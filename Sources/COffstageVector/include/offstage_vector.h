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

typedef struct offstage_font offstage_font;

/// A font of this machine, to shape texts with.
///
/// \return NULL if the file cannot be read.
offstage_font *offstage_font_open(const char *path, unsigned int index);
void offstage_font_close(offstage_font *font);

/// The glyph that the font draws for a text in UTF-8; 0 if it has none for it, or several.
uint32_t offstage_font_glyph(offstage_font *font, const char *text);

#endif
