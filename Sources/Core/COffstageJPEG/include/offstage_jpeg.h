// libjpeg for Swift. libjpeg reports errors with longjmp, which must not cross a Swift frame.
#ifndef OFFSTAGE_JPEG_H
#define OFFSTAGE_JPEG_H

#include <stdbool.h>
#include <stddef.h>

struct offstage_jpeg_settings {
    /// Device px, 1 to `offstage_jpeg_side_limit`.
    int width, height;
    /// JPEG quality, 1 to 100.
    int quality;
    /// Device px per chroma sample, 1 or 2 in each direction.
    int chroma_width, chroma_height;
    int pixels_per_inch;
};

/// Device px of the largest side that libjpeg writes. The format itself allows 65,535.
extern const int offstage_jpeg_side_limit;

/// A JPEG file that is being written to memory.
struct offstage_jpeg;

/// Returns NULL if memory is short. Free it with `offstage_jpeg_free`.
struct offstage_jpeg *offstage_jpeg_new(void);
void offstage_jpeg_free(struct offstage_jpeg *jpeg);

/// Call start, then write every row from the top, then finish. After one has returned false, only `offstage_jpeg_error`, which
/// returns libjpeg's message, and `offstage_jpeg_free` may be called.
bool offstage_jpeg_start(struct offstage_jpeg *jpeg, const struct offstage_jpeg_settings *settings);
/// Four bytes per pixel: blue, green, red and an ignored one.
bool offstage_jpeg_write_row(struct offstage_jpeg *jpeg, const void *row);
bool offstage_jpeg_finish(struct offstage_jpeg *jpeg);
const char *offstage_jpeg_error(const struct offstage_jpeg *jpeg);

/// The bytes of the finished file. The caller frees them with `free`. Call it once.
void *offstage_jpeg_take(struct offstage_jpeg *jpeg, size_t *length);

#endif
