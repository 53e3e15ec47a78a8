#ifndef PAGES_FONTS_H
#define PAGES_FONTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Maps the files of fonts: sans, bold sans, serif, fixed, and a collection of Chinese, Japanese and Korean. If one is missing,
/// its characters are missing. Call this before the jail closes.
void fonts_load(char *const *paths, int count);

/// Makes the library request fonts from here, and from nowhere else. Call this each time after starting the library.
void fonts_offer(void);

/// True if the library has used its adaptable fonts since it started. There is one of each kind for all documents, and it keeps
/// the width and weight of its last letter. A font without widths takes them from it, so later drawings depend on earlier ones.
bool fonts_have_adapted(void);

/// The bytes of the sans font, or NULL.
const uint8_t *fonts_sans(size_t *size);

#endif
