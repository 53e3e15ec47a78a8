#ifndef OFFSTAGE_INK_FONTS_H
#define OFFSTAGE_INK_FONTS_H

#include <hb.h>
#include <stdbool.h>
#include <stddef.h>

/// A text's font: the font to try first, and its look.
struct text_font {
    size_t first;
    /// Slanted, because no italic font is loaded.
    bool is_italic;
};

/// The font that is nearest to a name such as `DejaVu Serif Bold 12`.
struct text_font fonts_named(const char *name);

/// The font for a character; NULL if none has it. Tries `near` first.
hb_font_t *fonts_for(hb_codepoint_t character, hb_font_t *near, size_t first);

/// The first loaded font; NULL if there is none.
hb_font_t *fonts_any(size_t first);

#endif
