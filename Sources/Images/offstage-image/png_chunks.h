// Reads chunks of PNG files that libspng does not read.
#ifndef PNG_CHUNKS_H
#define PNG_CHUNKS_H

#include "decoders.h"

/// True if a chunk that affects pixels does not match its checksum. The decoders ignore checksums, so that they show as much of a
/// damaged file as they can.
bool png_has_changed(const uint8_t *bytes, size_t size);

/// The orientation in an EXIF chunk after the pixels, or 0.
int png_late_orientation(const uint8_t *bytes, size_t size);

/// Reads the colour space code points (`cICP`), which override the file's profile. False if there are no code points, or
/// unknown ones.
bool png_named_colors(const uint8_t *bytes, size_t size, struct offstage_image_head *head);

#endif
