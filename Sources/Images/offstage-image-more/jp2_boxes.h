// The structure of JPEG 2000 files, as far as the library does not report it.
#ifndef JP2_BOXES_H
#define JP2_BOXES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// True if the file has a palette. The pixels are then indices into it, which cannot be averaged.
bool jp2_has_palette(const uint8_t *bytes, size_t size);

/// The parts of tiles in a file.
struct jp2_tiles {
    /// True if all parts of all tiles are present. Some files lack the marker after them. If a file does not specify the number
    /// of a tile's parts, one is enough.
    bool are_whole;
    /// The size of the file without an empty part at its end, which would make the library reject the whole file.
    size_t usable_size;
};

struct jp2_tiles jp2_find_tiles(const uint8_t *bytes, size_t size);

#endif
