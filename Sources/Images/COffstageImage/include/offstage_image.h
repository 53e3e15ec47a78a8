// The functions that all decoders of image files use: they plan the picture's size, scale rows, convert colours and report.
//
// A decoder reads the header of its file, calls `offstage_image_begin`, then `offstage_image_row` for each row from the top, then
// returns. It does not know the picture's size and keeps as few rows as possible.
#ifndef OFFSTAGE_IMAGE_H
#define OFFSTAGE_IMAGE_H

#include <offstage_image_wire.h>
#include <offstage_worker.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The layout of a decoded pixel: three or four values, in memory order.
enum offstage_image_layout {
    /// 8 bits each, without gaps.
    OFFSTAGE_IMAGE_RGB,
    /// 8 bits each. The fourth is ignored.
    OFFSTAGE_IMAGE_RGBX,
    /// 8 bits each, not premultiplied.
    OFFSTAGE_IMAGE_RGBA,
    /// 8 bits each, premultiplied.
    OFFSTAGE_IMAGE_RGBA_PREMULTIPLIED,
    /// 16 bits each in the machine's byte order, not premultiplied.
    OFFSTAGE_IMAGE_RGBA16,
    /// 8 bits each. 255 means no ink.
    OFFSTAGE_IMAGE_CMYK,
};

/// The values that a decoder reads from its file's header. Set members that don't apply to zero.
struct offstage_image_head {
    /// The size in the file, px.
    uint64_t width, height;
    /// The size of the rows that the decoder delivers, px; 0 for the size in the file.
    uint64_t decoded_width, decoded_height;
    /// The file's px per decoded px along a side, for a decoder that rounds the size up and fills the last px; 0 if the decoded
    /// size covers the file exactly.
    double reduction;
    enum offstage_image_layout layout;
    /// EXIF's orientation from 1 to 8; anything else means 1.
    int orientation;
    /// The number of frames or pictures; 0 means 1.
    uint32_t frames;
    /// Bits per value in the file; 0 means 8.
    uint32_t bits;
    /// True if the file has an alpha channel or a transparent colour.
    bool has_alpha;
    /// True if all pixels of the rows are opaque, although the layout has alpha.
    bool is_opaque;
    /// The values are light to the power of this number, as in PNG's gAMA; 0 for sRGB's curve.
    double gamma;
    /// The chromaticities of white, red, green and blue, x and y of each, if the file has them instead of a profile; zeros for
    /// sRGB's. An ICC profile overrides them.
    double primaries[8];
    /// An ICC profile; NULL for none. Only read during `offstage_image_begin`.
    const void *profile;
    size_t profile_size;
};

struct offstage_image;

/// A worker's job as an image, with the decoder's own allocations.
struct offstage_image_job {
    const uint8_t *bytes;
    size_t size;
    /// The requested frame, from 1.
    uint32_t frame;
    struct offstage_image *image;
};

/// Makes the data that all pictures share. Call it before the jail is closed.
void offstage_image_prepare(void);

/// Makes a job's image. NULL, with a failure in the reply, for invalid options or if memory is short.
struct offstage_image *offstage_image_open(const struct offstage_worker_job *job, struct offstage_worker_reply *reply);

/// Finishes the picture, adds the report to the reply, and releases the image. Call it after a failure, too.
void offstage_image_close(struct offstage_image *image);

const struct offstage_image_options *offstage_image_options(const struct offstage_image *image);

/// The factor, at least 1, by which the decoder may reduce the file's pixels in both directions. The scaling needs the rest for
/// quality.
double offstage_image_reduction(const struct offstage_image *image, const struct offstage_image_head *head);

/// False, with a failure in the reply, for a picture larger than the job's limit.
bool offstage_image_allows(struct offstage_image *image, uint64_t width, uint64_t height);

/// Plans the picture. Returns false if the decoder must return: the job wanted only the header, or a limit was exceeded.
bool offstage_image_begin(struct offstage_image *image, const struct offstage_image_head *head);

/// Takes the next row. False if the picture needs no more rows.
bool offstage_image_row(struct offstage_image *image, const void *row);

/// Makes the reply a failure because memory is short.
void offstage_image_no_memory(struct offstage_image *image, uint64_t size);

/// Reports that the file is damaged after the delivered rows. Without any rows, the reply becomes a failure.
void offstage_image_damaged(struct offstage_image *image);

/// Reports that delivered rows are only partly present in the file.
void offstage_image_partial(struct offstage_image *image);

/// Makes the reply a failure with a code of `offstage_image_failure`.
void offstage_image_fail(struct offstage_image *image, enum offstage_image_failure code, uint64_t first, uint64_t second);

/// The EXIF orientation in a TIFF structure, or 0. `bytes` may begin with "Exif\0\0".
int offstage_image_orientation(const uint8_t *bytes, size_t size);

#endif
