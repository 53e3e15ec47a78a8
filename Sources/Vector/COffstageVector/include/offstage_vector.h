// Font operations that use HarfBuzz.
#ifndef OFFSTAGE_VECTOR_H
#define OFFSTAGE_VECTOR_H

#include <stddef.h>
#include <stdint.h>

/// Makes a TrueType font that contains only these glyphs. They keep their numbers; the tables for shaping and for screens are
/// left out.
///
/// \return the file, which the caller frees; NULL if `font` is not a font.
uint8_t *offstage_font_subset(
    const void *font, size_t length, const uint16_t *glyphs, size_t count, size_t *subset_length);

typedef struct offstage_font offstage_font;

/// Opens an installed font for shaping.
///
/// \return NULL if the file cannot be read.
offstage_font *offstage_font_open(const char *path, unsigned int index);
void offstage_font_close(offstage_font *font);

/// Returns the glyph that the font draws for a UTF-8 text; 0 if the text needs several glyphs or the font lacks one.
uint32_t offstage_font_glyph(offstage_font *font, const char *text);

#endif
