// The decoders of this program. Each calls `offstage_image_begin`, then `offstage_image_row` for each row.
#ifndef DECODERS_H
#define DECODERS_H

#include <offstage_image.h>

/// Loads the decoders of HEIC and AVIF before the jail is closed.
void prepare_heif(void);
void decode_heif(const struct offstage_image_job *job);
void decode_jpeg_2000(const struct offstage_image_job *job);
void decode_jpeg_xl(const struct offstage_image_job *job);
/// Loads the modules that read BMP and ICO before the jail is closed.
void prepare_pixbuf(void);
void decode_pixbuf(const struct offstage_image_job *job, const char *type);
void decode_bitmap(const struct offstage_image_job *job);
void decode_icon(const struct offstage_image_job *job);

#endif
