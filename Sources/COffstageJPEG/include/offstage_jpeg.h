// libjpeg for Swift: it tells errors by longjmp, which may not cross a Swift frame.
#ifndef OFFSTAGE_JPEG_H
#define OFFSTAGE_JPEG_H

#include <stdbool.h>
#include <stddef.h>

struct offstage_jpeg_settings {
    /// Device px, 1 to `offstage_jpeg_side_limit`.
    int width, height;
    /// 1 to 100.
    int quality;
    /// Pixels to a chroma sample: 1 or 2 each.
    int chroma_width, chroma_height;
    int pixels_per_inch;
};

/// The largest side that libjpeg writes; the format itself would hold 65,535.
extern const int offstage_jpeg_side_limit;

/// A JPEG being written into memory.
struct offstage_jpeg;

/// NULL where there is no memory. Free it with `offstage_jpeg_free`.
struct offstage_jpeg *offstage_jpeg_new(void);
void offstage_jpeg_free(struct offstage_jpeg *jpeg);

/// Start, then write every row, top first, then finish. Where one returns false nothing more may be called but
/// `offstage_jpeg_error`, which says why in libjpeg's words, and `offstage_jpeg_free`.
bool offstage_jpeg_start(struct offstage_jpeg *jpeg, const struct offstage_jpeg_settings *settings);
/// Four bytes a pixel: blue, green, red and one that is ignored.
bool offstage_jpeg_write_row(struct offstage_jpeg *jpeg, const void *row);
bool offstage_jpeg_finish(struct offstage_jpeg *jpeg);
const char *offstage_jpeg_error(const struct offstage_jpeg *jpeg);

/// The finished file's bytes, malloc'ed; the caller frees them. Call it once.
void *offstage_jpeg_take(struct offstage_jpeg *jpeg, size_t *length);

#endif
