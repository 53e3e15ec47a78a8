// The options and the report of image workers. Both ends are from the same build and on the same machine.
#ifndef OFFSTAGE_IMAGE_WIRE_H
#define OFFSTAGE_IMAGE_WIRE_H

#include <stdint.h>

/// Raise it with every change below, and with every change of a decoder that changes pixels.
#define OFFSTAGE_IMAGE_VERSION 3

enum offstage_image_kind {
    OFFSTAGE_IMAGE_JPEG = 1,
    OFFSTAGE_IMAGE_PNG,
    OFFSTAGE_IMAGE_WEBP,
    OFFSTAGE_IMAGE_GIF,
    OFFSTAGE_IMAGE_TIFF,
    OFFSTAGE_IMAGE_BMP,
    OFFSTAGE_IMAGE_ICO,
    /// HEIC and AVIF.
    OFFSTAGE_IMAGE_HEIF,
    OFFSTAGE_IMAGE_JPEG_2000,
    OFFSTAGE_IMAGE_JPEG_XL,
};

enum offstage_image_fit {
    /// As large as fits into the box, but never larger than the source.
    OFFSTAGE_IMAGE_INSIDE,
    /// As large as fits into the box, padded with transparent edges to the box's size.
    OFFSTAGE_IMAGE_CONTAIN,
    /// Covers the box; the rest is cut off.
    OFFSTAGE_IMAGE_COVER,
    /// Stretched to the box.
    OFFSTAGE_IMAGE_FILL,
};

enum offstage_image_failure {
    /// The bytes are in another format, or damaged before the first row.
    OFFSTAGE_IMAGE_DAMAGED = 100,
    /// Number: one of `offstage_image_variant`.
    OFFSTAGE_IMAGE_UNSUPPORTED,
    /// Numbers: the source's width and height.
    OFFSTAGE_IMAGE_TOO_LARGE,
    /// Number: the number of frames in the file.
    OFFSTAGE_IMAGE_NO_FRAME,
    /// A progressive JPEG file has more scans than the options allow. Number: the number of scans found.
    OFFSTAGE_IMAGE_TOO_MANY_SCANS,
    /// The crop rectangle is outside the source. Numbers: the width and height of the rotated source.
    OFFSTAGE_IMAGE_NO_CROP,
    /// The options cannot be read: the program is of another version.
    OFFSTAGE_IMAGE_BAD_OPTIONS,
};

enum offstage_image_variant {
    OFFSTAGE_IMAGE_VARIANT_OTHER,
    /// More than 8 bits in a JPEG file.
    OFFSTAGE_IMAGE_VARIANT_12_BIT_JPEG,
    OFFSTAGE_IMAGE_VARIANT_LOSSLESS_JPEG,
};

struct offstage_image_options {
    uint32_t version;
    uint32_t kind;
    uint32_t fit;
    /// 1 to report the header without drawing.
    uint32_t is_info;
    /// From 1.
    uint32_t frame;
    /// The box, device px; 0 for none.
    uint32_t width, height;
    /// 1 to ignore the file's orientation.
    uint32_t ignores_orientation;
    /// Clockwise quarter turns of the upright source, from 0 to 3; then, 1 to flip horizontally, and 2 to flip vertically.
    uint32_t turns, flip;
    /// In px of the rotated source. A width of 0 selects the whole source.
    uint32_t crop_x, crop_y, crop_width, crop_height;
    /// The part that `cover` keeps, and the position of a contained picture: 0 is left or top, 1 is right or bottom.
    float gravity_x, gravity_y;
    /// The background of transparent areas: blue, green, red and alpha, premultiplied.
    uint8_t background[4];
    /// The maximum number of px of the source.
    uint64_t source_pixels;
    /// The maximum number of scans in a progressive JPEG file.
    uint64_t scans;
};

struct offstage_image_report {
    /// The size in the file, px.
    uint32_t width, height;
    /// From 1 to 8.
    uint32_t orientation;
    uint32_t frames;
    uint32_t bits;
    /// The number of the file's rows in the picture; less than its height if the file is damaged.
    uint32_t rows;
    /// 1 if some rows are only partly present in the file.
    uint32_t is_partial;
    uint32_t has_alpha;
    /// 0: none.
    uint32_t profile_bytes;
    /// The profile's name in UTF-8, with a NUL at its end; empty if it has none.
    char profile[64];
};

#endif
