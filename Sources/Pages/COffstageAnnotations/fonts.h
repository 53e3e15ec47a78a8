#ifndef OFFSTAGE_ANNOTATION_FONTS_H
#define OFFSTAGE_ANNOTATION_FONTS_H

#include <hb.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_FONT UINT8_MAX

/// Returns the font for a family: `sans-serif`, `serif`, `monospace`, or the generic family that its name suggests.
uint8_t font_named(const char *name, size_t size);

/// Returns the font for a character: `near` or `first` if they have it, otherwise the first one that does; NO_FONT if none has it.
uint8_t font_for(uint32_t character, uint8_t near, uint8_t first, bool is_emoji);

bool font_is_emoji(uint8_t index);

/// Returns the font at an index, or the first one that could be loaded; NULL if none could.
hb_font_t *font_at(uint8_t index);

#endif
