#ifndef OFFSTAGE_INK_NUMBERS_H
#define OFFSTAGE_INK_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Reads the next number of a text, after spaces and commas. Independent of the locale. Advances `*text`. Returns false at the
/// end. For a word that is not a number, advances past it and gives NAN.
bool next_number(const char **text, const char *end, double *number);

/// Reads `#rgb`, `#rrggbb`, `#rrggbbaa` or one of Xournal's names. Returns false for another text.
bool read_color(const char *text, uint8_t color[4]);

#endif
