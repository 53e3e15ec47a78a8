#include <jxl/decode.h>
#include <jxl/version.h>
#include <stdlib.h>

#include "decoders.h"

struct decoding {
    JxlDecoder *decoder;
    JxlBasicInfo info;
    uint8_t *pixels, *profile;
    size_t size, profile_size;
    uint32_t frames;
};

static const JxlPixelFormat format = {4, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};

/// From version 0.9 on, the functions for profiles have no argument for the format, which they never used.
#if JPEGXL_NUMERIC_VERSION < JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define FORMAT &format,
#else
#define FORMAT
#endif

/// The library converts XYB, which most files use, into the colours of the profile in the file.
static void read_profile(struct decoding *decoding) {
    if (JxlDecoderGetICCProfileSize(decoding->decoder, FORMAT JXL_COLOR_PROFILE_TARGET_DATA, &decoding->profile_size)
        != JXL_DEC_SUCCESS)
        return;
    decoding->profile = malloc(decoding->profile_size);
    if (decoding->profile
        && JxlDecoderGetColorAsICCProfile(decoding->decoder, FORMAT JXL_COLOR_PROFILE_TARGET_DATA, decoding->profile,
               decoding->profile_size)
            != JXL_DEC_SUCCESS)
        decoding->profile_size = 0;
}

static bool begin(const struct offstage_image_job *job, const struct decoding *decoding) {
    bool has_alpha = decoding->info.alpha_bits > 0;
    const struct offstage_image_head head = {
        // The library rotates the picture itself.
        .width = decoding->info.xsize,
        .height = decoding->info.ysize,
        .bits = decoding->info.bits_per_sample,
        .has_alpha = has_alpha,
        // Counting them means decoding them.
        .frames = decoding->info.have_animation && job->frame > 1 ? job->frame : 1,
        .layout = !has_alpha                             ? OFFSTAGE_IMAGE_RGBX
            : decoding->info.alpha_premultiplied ? OFFSTAGE_IMAGE_RGBA_PREMULTIPLIED
                                                 : OFFSTAGE_IMAGE_RGBA,
        .profile = decoding->profile_size > 0 ? decoding->profile : NULL,
        .profile_size = decoding->profile_size,
    };
    return offstage_image_begin(job->image, &head);
}

static void deliver(const struct offstage_image_job *job, const struct decoding *decoding) {
    size_t stride = 4 * (size_t)decoding->info.xsize;
    for (uint32_t y = 0; y < decoding->info.ysize && offstage_image_row(job->image, decoding->pixels + y * stride); y++) continue;
}

static void decode(const struct offstage_image_job *job, struct decoding *decoding) {
    JxlDecoder *decoder = decoding->decoder;
    JxlDecoderSetKeepOrientation(decoder, offstage_image_options(job->image)->ignores_orientation ? JXL_TRUE : JXL_FALSE);
    JxlDecoderSubscribeEvents(decoder, JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FULL_IMAGE);
    JxlDecoderSetInput(decoder, job->bytes, job->size);
    JxlDecoderCloseInput(decoder);
    bool has_begun = false;
    while (true) {
        switch (JxlDecoderProcessInput(decoder)) {
        case JXL_DEC_BASIC_INFO:
            if (JxlDecoderGetBasicInfo(decoder, &decoding->info) != JXL_DEC_SUCCESS) return offstage_image_damaged(job->image);
            break;
        case JXL_DEC_COLOR_ENCODING:
            read_profile(decoding);
            has_begun = begin(job, decoding);
            if (!has_begun) return;
            break;
        case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
            if (!decoding->pixels) {
                decoding->size = 4 * (size_t)decoding->info.xsize * decoding->info.ysize;
                decoding->pixels = calloc(1, decoding->size);
            }
            if (!decoding->pixels) return offstage_image_no_memory(job->image, decoding->size);
            if (JxlDecoderSetImageOutBuffer(decoder, &format, decoding->pixels, decoding->size) != JXL_DEC_SUCCESS)
                return offstage_image_damaged(job->image);
            break;
        case JXL_DEC_FULL_IMAGE:
            if (++decoding->frames == job->frame) return deliver(job, decoding);
            break;
        case JXL_DEC_SUCCESS: return offstage_image_fail(job->image, OFFSTAGE_IMAGE_NO_FRAME, decoding->frames, 0);
        default:
            // A truncated file shows what it contains.
            if (!has_begun || !decoding->pixels || JxlDecoderFlushImage(decoder) != JXL_DEC_SUCCESS)
                return offstage_image_damaged(job->image);
            offstage_image_partial(job->image);
            return deliver(job, decoding);
        }
    }
}

void decode_jpeg_xl(const struct offstage_image_job *job) {
    struct decoding decoding = {.decoder = JxlDecoderCreate(NULL)};
    if (decoding.decoder) decode(job, &decoding);
    else offstage_image_no_memory(job->image, 0);
    JxlDecoderDestroy(decoding.decoder);
    free(decoding.pixels);
    free(decoding.profile);
}
