#ifndef PAGES_FONTS_H
#define PAGES_FONTS_H

#include <stddef.h>
#include <stdint.h>

/// Maps the files of fonts: sans, bold sans, serif, fixed, and a collection of Chinese, Japanese and Korean. A missing one has no
/// effect, except that its characters are missing. Call it before the jail closes.
void fonts_load(char *const *paths, int count);

/// Makes the library ask for fonts here, and nowhere else.
void fonts_offer(void);

/// The bytes of the sans font, or NULL.
const uint8_t *fonts_sans(size_t *size);

#endif
