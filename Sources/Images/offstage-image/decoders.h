// The decoders of this program. Each calls `offstage_image_begin`, then `offstage_image_row` for each row.
#ifndef DECODERS_H
#define DECODERS_H

#include <offstage_image.h>

void decode_jpeg(const struct offstage_image_job *job);
void decode_png(const struct offstage_image_job *job);
void decode_webp(const struct offstage_image_job *job);
void decode_gif(const struct offstage_image_job *job);
void decode_tiff(const struct offstage_image_job *job);

#endif
