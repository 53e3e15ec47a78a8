// The structure of JPEG 2000 files, as far as the library does not report it.
#ifndef JP2_BOXES_H
#define JP2_BOXES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// True if the file has a palette. The pixels are then indices into it, which cannot be averaged.
bool jp2_has_palette(const uint8_t *bytes, size_t size);

/// True if the file has all parts of all tiles. Some files lack the marker behind them.
bool jp2_has_all_tiles(const uint8_t *bytes, size_t size);

#endif
