// The state of one picture. Private to this folder.
#ifndef IMAGE_H
#define IMAGE_H

#include "offstage_image.h"

typedef float f4 __attribute__((ext_vector_type(4)));
typedef int32_t i4 __attribute__((ext_vector_type(4)));

/// A rectangle of decoded px, in the file's stored orientation.
struct rectangle {
    double x, y, width, height;
};

/// The picture's size, and the part of the source in it.
struct plan {
    /// The rotation from the file to the picture: an EXIF orientation from 1 to 8.
    int orientation;
    /// The whole picture after rotation, device px.
    uint32_t width, height;
    /// The position and size of the source's part in it, after rotation.
    uint32_t left, top, inner_width, inner_height;
    /// The same size in the file's stored orientation.
    uint32_t stored_width, stored_height;
    /// The part of the source, in px of the file.
    struct rectangle part;
};

/// The weights of the samples for one output sample.
struct taps {
    /// The index of the first sample, and the number of samples.
    uint32_t first, count;
    /// The samples whose range limits the result, starting at `first`.
    uint32_t near_first, near_count;
    const float *weights;
};

struct axis {
    /// The number of samples to average before scaling.
    uint32_t box;
    /// The first decoded sample to use; the number of averaged samples.
    uint32_t start, count;
    uint32_t outputs;
    struct taps *taps;
    float *weights;
};

/// Tables for converting decoded values to linear light. `image_colors_end` frees them.
struct light {
    /// 256 or 65,536 numbers.
    float *numbers;
    /// The light of an 8-bit pixel is the sum of three vectors: for red (with 1 as the fourth component), green and blue.
    f4 (*vectors)[256];
};

struct offstage_image {
    const struct offstage_image_options *options;
    struct offstage_worker_reply *reply;
    struct offstage_image_report report;
    struct plan plan;
    enum offstage_image_layout layout;
    bool is_opaque, has_begun, has_failed, is_complete;
    uint64_t pixel_limit;
    uint32_t decoded_width, decoded_height;
    /// Decoded px per px of the file.
    double x_scale, y_scale;
    struct axis columns, rows;
    /// The number of rows of the file delivered, averaged, and of the picture written.
    uint32_t delivered, averaged, written;
    /// Two averaged rows, interleaved, and how many of them are complete.
    f4 *pair;
    uint32_t held;
    /// A ring of horizontally scaled rows, each with an even number of pixels; then, the row being written.
    f4 *ring, *line;
    uint32_t ring_rows, ring_width;
    const f4 **tap_rows;
    uint16_t *straight;
    struct light light;
    /// A `cmsHTRANSFORM`; NULL for none.
    void *transform;
    uint8_t *pixels;
};

/// The orientation of the picture for a file's orientation and the options.
int image_orientation(const struct offstage_image_options *options, int own);

/// Plans the picture. False, with a failure in the reply, if the options cannot be met.
bool image_plan(struct offstage_image *image, const struct offstage_image_head *head);

/// Prepares an axis that maps `length` decoded samples from `start` onto `outputs`. False if memory is short. The image frees its
/// tables.
bool image_axis(struct axis *axis, double start, double length, uint32_t available, uint32_t outputs);

bool image_scaling_begin(struct offstage_image *image);
void image_scaling_row(struct offstage_image *image, const void *row);
/// Writes the remaining rows, without neighbours beyond the last row.
void image_scaling_end(struct offstage_image *image);

/// Prepares the colours. False if memory is short.
bool image_colors_begin(struct offstage_image *image, const struct offstage_image_head *head);
void image_colors_end(struct offstage_image *image);
/// Adds decoded pixels, as premultiplied light, to sums of `box` pixels each, which are at every other position of `sums`. The
/// first row replaces them.
void image_add_light(const struct offstage_image *image, const void *row, bool is_first, f4 *sums);
/// Writes a finished row of the stored orientation into the picture.
void image_write_row(struct offstage_image *image, const f4 *line, uint32_t y);

#endif
