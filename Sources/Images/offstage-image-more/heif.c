#include <libheif/heif.h>
#include <stdlib.h>
#include <string.h>

#include "decoders.h"

/// True if every coded picture in the file is grey, according to `av1C` and `hvcC`. A colour picture may have a grey one for its
/// alpha.
static bool is_monochrome(const struct offstage_image_job *job) {
    bool is_gray = false;
    for (size_t i = 4; i + 21 < job->size; i++) {
        const uint8_t *box = job->bytes + i;
        bool is_av1 = memcmp(box, "av1C", 4) == 0;
        if (!is_av1 && memcmp(box, "hvcC", 4) != 0) continue;
        is_gray = is_av1 ? (box[6] & 0x10) != 0 : (box[20] & 3) == 0;
        if (!is_gray) return false;
    }
    return is_gray;
}

static bool is_limited(struct heif_image_handle *handle) {
    struct heif_color_profile_nclx *colors = NULL;
    if (heif_image_handle_get_nclx_color_profile(handle, &colors).code != heif_error_Ok || !colors) return false;
    bool is_limited = !colors->full_range_flag;
    heif_nclx_color_profile_free(colors);
    return is_limited;
}

/// Expands grey pixels to the full range, which the library omits. Video's black is 16, and its white 235.
static void widen(uint8_t *pixels, int width, int height, size_t stride) {
    for (int y = 0; y < height; y++)
        for (size_t x = 0; x < 4 * (size_t)width; x++) {
            int value = ((int)pixels[(size_t)y * stride + x] - 16) * 255;
            if (x % 4 != 3) pixels[(size_t)y * stride + x] = (uint8_t)(value <= 0 ? 0 : value >= 219 * 255 ? 255 : (value + 109) / 219);
        }
}

/// Begins the picture and delivers its rows. The size is that of the pixels, which may differ from the header's.
static void deliver(
    const struct offstage_image_job *job, struct heif_image *picture, struct offstage_image_head *head, bool is_limited_gray) {
    int stride = 0;
    uint8_t *pixels = heif_image_get_plane(picture, heif_channel_interleaved, &stride);
    int width = heif_image_get_width(picture, heif_channel_interleaved);
    int height = heif_image_get_height(picture, heif_channel_interleaved);
    if (!pixels || width <= 0 || height <= 0 || stride < 0 || (uint64_t)stride < 4 * (uint64_t)width) {
        offstage_image_damaged(job->image);
        return;
    }
    head->width = (uint64_t)width;
    head->height = (uint64_t)height;
    if (!offstage_image_begin(job->image, head)) return;
    if (is_limited_gray) widen(pixels, width, height, (size_t)stride);
    for (int y = 0; y < height && offstage_image_row(job->image, pixels + (size_t)y * (size_t)stride); y++) continue;
}

/// Describes the colours of a file that has code points instead of a profile. HDR curves stay as they are.
static void describe(struct heif_image_handle *handle, struct offstage_image_head *head) {
    struct heif_color_profile_nclx *colors = NULL;
    if (heif_image_handle_get_nclx_color_profile(handle, &colors).code != heif_error_Ok || !colors) return;
    if (colors->color_primaries != heif_color_primaries_unspecified) {
        const double primaries[8] = {colors->color_primary_white_x, colors->color_primary_white_y,
            colors->color_primary_red_x, colors->color_primary_red_y, colors->color_primary_green_x,
            colors->color_primary_green_y, colors->color_primary_blue_x, colors->color_primary_blue_y};
        memcpy(head->primaries, primaries, sizeof primaries);
    }
    if (colors->transfer_characteristics == heif_transfer_characteristic_linear) head->gamma = 1;
    if (colors->transfer_characteristics == heif_transfer_characteristic_ITU_R_BT_470_6_System_B_G) head->gamma = 1 / 2.8;
    heif_nclx_color_profile_free(colors);
}

static void decode_pixels(
    const struct offstage_image_job *job, struct heif_image_handle *handle, struct offstage_image_head *head) {
    struct heif_image *picture = NULL;
    struct heif_decoding_options *options = heif_decoding_options_alloc();
    if (options) {
        options->convert_hdr_to_8bit = 1;
        options->ignore_transformations = offstage_image_options(job->image)->ignores_orientation != 0;
    }
    struct heif_error error =
        heif_decode_image(handle, &picture, heif_colorspace_RGB, heif_chroma_interleaved_RGBA, options);
    if (error.code == heif_error_Ok) deliver(job, picture, head, is_limited(handle) && is_monochrome(job));
    else if (error.code == heif_error_Unsupported_feature || error.code == heif_error_Unsupported_filetype)
        offstage_image_fail(job->image, OFFSTAGE_IMAGE_UNSUPPORTED, OFFSTAGE_IMAGE_VARIANT_OTHER, 0);
    else if (error.code == heif_error_Memory_allocation_error) offstage_image_no_memory(job->image, 0);
    else offstage_image_damaged(job->image);
    if (options) heif_decoding_options_free(options);
    heif_image_release(picture);
}

static void decode_handle(const struct offstage_image_job *job, struct heif_image_handle *handle, int frames) {
    // The library applies the file's own rotation and mirroring; EXIF's orientation is ignored.
    int width = heif_image_handle_get_width(handle), height = heif_image_handle_get_height(handle);
    if (offstage_image_options(job->image)->ignores_orientation) {
        width = heif_image_handle_get_ispe_width(handle);
        height = heif_image_handle_get_ispe_height(handle);
    }
    int bits = heif_image_handle_get_luma_bits_per_pixel(handle);
    bool has_alpha = heif_image_handle_has_alpha_channel(handle) != 0;
    bool is_premultiplied = has_alpha && heif_image_handle_is_premultiplied_alpha(handle);
    struct offstage_image_head head = {
        .width = width > 0 ? (uint64_t)width : 0,
        .height = height > 0 ? (uint64_t)height : 0,
        .bits = bits > 0 ? (uint32_t)bits : 8,
        .has_alpha = has_alpha,
        .frames = frames > 0 ? (uint32_t)frames : 1,
        .layout = is_premultiplied ? OFFSTAGE_IMAGE_RGBA_PREMULTIPLIED : has_alpha ? OFFSTAGE_IMAGE_RGBA : OFFSTAGE_IMAGE_RGBX,
    };
    size_t profile_size = heif_image_handle_get_raw_color_profile_size(handle);
    void *profile = profile_size > 0 && profile_size < 32 << 20 ? malloc(profile_size) : NULL;
    if (profile && heif_image_handle_get_raw_color_profile(handle, profile).code == heif_error_Ok) {
        head.profile = profile;
        head.profile_size = profile_size;
    } else {
        describe(handle, &head);
    }
    // The size in the header decides if the picture is decoded. A job for the header needs nothing else.
    if (offstage_image_options(job->image)->is_info) offstage_image_begin(job->image, &head);
    else if (offstage_image_allows(job->image, head.width, head.height)) decode_pixels(job, handle, &head);
    free(profile);
}

/// From version 1.14 the library can load its decoders from files, and would do it when the first document is opened.
void prepare_heif(void) {
    heif_init(NULL);
}

void decode_heif(const struct offstage_image_job *job) {
    struct heif_context *context = heif_context_alloc();
    if (!context) {
        offstage_image_no_memory(job->image, 0);
        return;
    }
    // Decode on this thread only.
    heif_context_set_max_decoding_threads(context, 0);
    struct heif_error error = heif_context_read_from_memory_without_copy(context, job->bytes, job->size, NULL);
    int frames = error.code == heif_error_Ok ? heif_context_get_number_of_top_level_images(context) : 0;
    struct heif_image_handle *handle = NULL;
    if (frames > 0 && job->frame == 1) {
        error = heif_context_get_primary_image_handle(context, &handle);
    } else if (frames > 0) {
        uint32_t frame = job->frame <= (uint32_t)frames ? job->frame : 1;
        heif_item_id *identifiers = calloc((size_t)frames, sizeof *identifiers);
        if (identifiers) {
            heif_context_get_list_of_top_level_image_IDs(context, identifiers, frames);
            error = heif_context_get_image_handle(context, identifiers[frame - 1], &handle);
        }
        free(identifiers);
    }
    if (handle) decode_handle(job, handle, frames);
    else offstage_image_damaged(job->image);
    heif_image_handle_release(handle);
    heif_context_free(context);
}
