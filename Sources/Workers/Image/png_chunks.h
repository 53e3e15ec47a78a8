// Reads chunks of PNG files that libspng does not read.
#ifndef PNG_CHUNKS_H
#define PNG_CHUNKS_H

#include "decoders.h"

/// True if a part of the file that decides about pixels has another checksum than it says. The decoders do not look, so that they show as
/// much of it as they can.
bool png_has_changed(const uint8_t *bytes, size_t size);

/// The orientation in an EXIF chunk behind the pixels, or 0.
int png_late_orientation(const uint8_t *bytes, size_t size);

/// Reads the colours that the file names by numbers (`cICP`), which count more than its profile. False if it names none, or unknown ones.
bool png_named_colors(const uint8_t *bytes, size_t size, struct offstage_image_head *head);

#endif
