#ifndef OFFSTAGE_INK_TEXT_H
#define OFFSTAGE_INK_TEXT_H

#include "document.h"

/// Maps the files of fonts: sans, bold sans, serif, bold serif, fixed, and a collection of Chinese, Japanese and Korean. If one
/// is missing, its characters are missing. Call it before the jail closes.
void text_load_fonts(char *const *paths, int count);

enum text_result {
    TEXT_DRAWN,
    /// No font has some of the characters.
    TEXT_INCOMPLETE,
    TEXT_NO_MEMORY,
};

/// Draws a text like Xournal++: the item's position is its upper left corner.
enum text_result draw_text(
    struct offstage_ink_scratch *scratch, const struct offstage_ink_target *target, const struct item *item, const uint8_t *bytes);

struct outlines;
/// Adds the outlines of a text's letters as they look at a scale, in device px per page unit.
enum text_result collect_text(struct outlines *outlines, double scale, const struct item *item, const uint8_t *bytes);

/// The width of a line and its height, in units of the font size. Uses only the fonts' own glyphs.
double text_width(const char *font, double size, const char *line, size_t count);
double text_height(const char *font, double size);

#endif
