#include <spng.h>
#include <stdlib.h>
#include <string.h>

#include "animation.h"
#include "png_chunks.h"
#include "truecolor.h"

/// Decodes all rows at once, because the passes of an interlaced file are stored one after another.
static void whole(spng_ctx *png, int format, size_t row_size, const struct offstage_image_job *job, uint32_t height) {
    size_t size = row_size * height;
    uint8_t *pixels = calloc(1, size);
    if (!pixels) {
        offstage_image_no_memory(job->image, size);
        return;
    }
    // A damaged file has only the first passes, each of which covers some of the rows.
    if (spng_decode_image(png, pixels, size, format, SPNG_DECODE_TRNS) != 0) offstage_image_partial(job->image);
    for (uint32_t y = 0; y < height && offstage_image_row(job->image, pixels + y * row_size); y++) continue;
    free(pixels);
}

static void rows(spng_ctx *png, int format, size_t row_size, const struct offstage_image_job *job) {
    uint8_t *row = malloc(row_size);
    if (!row) {
        offstage_image_no_memory(job->image, row_size);
        return;
    }
    int result = spng_decode_image(png, NULL, 0, format, SPNG_DECODE_TRNS | SPNG_DECODE_PROGRESSIVE);
    while (result == 0) {
        result = spng_decode_row(png, row, row_size);
        if ((result == 0 || result == SPNG_EOI) && !offstage_image_row(job->image, row)) break;
    }
    if (result != 0 && result != SPNG_EOI) offstage_image_damaged(job->image);
    free(row);
}

static void decode(spng_ctx *png, const struct offstage_image_job *job) {
    struct spng_ihdr file;
    // Chunks other than the pixels may have wrong checksums.
    spng_set_crc_action(png, SPNG_CRC_USE, SPNG_CRC_USE);
    spng_set_chunk_limits(png, 32 << 20, 64 << 20);
    if (spng_set_png_buffer(png, job->bytes, job->size) != 0 || spng_get_ihdr(png, &file) != 0) {
        offstage_image_damaged(job->image);
        return;
    }
    struct spng_trns trns;
    bool is_separate;
    uint32_t frames = animation_frames(job->bytes, job->size, &is_separate);
    // The first frame is the still picture, unless the file has a separate one for programs that don't support animations.
    bool is_composed = frames > 0 && (job->frame > 1 || is_separate);
    bool is_wide = file.bit_depth == 16;
    struct offstage_image_head head = {
        .width = file.width,
        .height = file.height,
        .bits = file.bit_depth,
        .frames = frames,
        .has_alpha = (file.color_type & 4) != 0 || spng_get_trns(png, &trns) == 0,
    };
    // Keep the file's format if its samples are bytes: converting them costs as much as decoding.
    bool is_bare = file.color_type == 2 && file.bit_depth == 8 && !head.has_alpha && !is_composed;
    head.layout = is_wide ? OFFSTAGE_IMAGE_RGBA16
        : is_bare         ? OFFSTAGE_IMAGE_RGB
        : head.has_alpha || is_composed ? OFFSTAGE_IMAGE_RGBA
                          : OFFSTAGE_IMAGE_RGBX;
    head.is_opaque = !head.has_alpha && !is_composed;
    struct spng_exif exif;
    if (spng_get_exif(png, &exif) == 0) head.orientation = offstage_image_orientation((const uint8_t *)exif.data, exif.length);
    else head.orientation = png_late_orientation(job->bytes, job->size);
    struct spng_iccp profile;
    double gamma;
    uint8_t intent;
    bool is_gray = (file.color_type & 2) == 0 && file.color_type != 3;
    if (png_named_colors(job->bytes, job->size, &head)) {
        if (is_gray) memset(head.primaries, 0, sizeof head.primaries);
    } else if (spng_get_iccp(png, &profile) == 0) {
        head.profile = profile.profile;
        head.profile_size = profile.profile_len;
    } else if (spng_get_srgb(png, &intent) != 0) {
        // Before PNG had a chunk for sRGB, files recorded it as 1/2.2.
        if (spng_get_gama(png, &gamma) == 0 && gamma > 0.05 && gamma < 5 && (gamma < 0.45 || gamma > 0.46)) head.gamma = gamma;
        struct spng_chrm primaries;
        if (!is_gray && spng_get_chrm(png, &primaries) == 0) {
            const double xy[8] = {primaries.white_point_x, primaries.white_point_y, primaries.red_x, primaries.red_y,
                primaries.green_x, primaries.green_y, primaries.blue_x, primaries.blue_y};
            memcpy(head.primaries, xy, sizeof xy);
        }
    }
    if (!offstage_image_begin(job->image, &head)) return;
    if (png_has_changed(job->bytes, job->size)) offstage_image_partial(job->image);
    int format = is_wide ? SPNG_FMT_RGBA16 : is_bare ? SPNG_FMT_RGB8 : SPNG_FMT_RGBA8;
    size_t row_size = (size_t)file.width * (is_wide ? 8 : is_bare ? 3 : 4);
    if (is_composed) animation_draw(job, file.width, file.height, is_wide);
    else if (file.bit_depth == 8 && !file.interlace_method && (is_bare || file.color_type == 6))
        truecolor_draw(job, file.width, file.height, is_bare ? 3 : 4);
    else if (file.interlace_method) whole(png, format, row_size, job, file.height);
    else rows(png, format, row_size, job);
}

void decode_png(const struct offstage_image_job *job) {
    spng_ctx *png = spng_ctx_new(0);
    if (png) decode(png, job);
    else offstage_image_no_memory(job->image, 0);
    spng_ctx_free(png);
}
