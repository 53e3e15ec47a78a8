#include <openjpeg.h>
#include <stdlib.h>
#include <string.h>

#include "decoders.h"
#include "jp2_boxes.h"

struct source {
    const uint8_t *bytes;
    size_t size, position;
};

static OPJ_SIZE_T read_bytes(void *target, OPJ_SIZE_T count, void *data) {
    struct source *source = data;
    size_t left = source->size - source->position, size = count < left ? count : left;
    if (size == 0) return (OPJ_SIZE_T)-1;
    memcpy(target, source->bytes + source->position, size);
    source->position += size;
    return size;
}

static OPJ_OFF_T skip(OPJ_OFF_T count, void *data) {
    struct source *source = data;
    if (count < 0 || (size_t)count > source->size - source->position) return -1;
    source->position += (size_t)count;
    return count;
}

static OPJ_BOOL seek(OPJ_OFF_T position, void *data) {
    struct source *source = data;
    if (position < 0 || (size_t)position > source->size) return OPJ_FALSE;
    source->position = (size_t)position;
    return OPJ_TRUE;
}

static opj_stream_t *open_stream(struct source *source) {
    opj_stream_t *stream = opj_stream_create(1 << 16, OPJ_TRUE);
    if (!stream) return NULL;
    opj_stream_set_user_data(stream, source, NULL);
    opj_stream_set_user_data_length(stream, source->size);
    opj_stream_set_read_function(stream, read_bytes);
    opj_stream_set_skip_function(stream, skip);
    opj_stream_set_seek_function(stream, seek);
    return stream;
}

/// A component's value at x, y of the first component, from 0 to 255.
static uint8_t value(const opj_image_comp_t *component, const opj_image_comp_t *first, uint32_t x, uint32_t y) {
    if (!component->data || component->w == 0 || component->h == 0) return 255;
    uint32_t column = (uint32_t)((uint64_t)x * component->w / first->w), row = (uint32_t)((uint64_t)y * component->h / first->h);
    int64_t sample = component->data[(size_t)row * component->w + column];
    if (component->sgnd) sample += (int64_t)1 << (component->prec - 1);
    int64_t most = ((int64_t)1 << component->prec) - 1;
    if (most <= 0) return 0;
    sample = sample < 0 ? 0 : sample > most ? most : sample;
    return (uint8_t)((sample * 255 + most / 2) / most);
}

static uint8_t clamped(double value) { return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)(value + 0.5); }

/// Delivers the rows. The file stores the amount of ink; the picture takes 255 minus it.
static void deliver(const struct offstage_image_job *job, const opj_image_t *picture, bool has_alpha, bool is_ink) {
    const opj_image_comp_t *first = &picture->comps[0];
    bool is_gray = picture->numcomps < 3;
    bool is_luma = picture->color_space == OPJ_CLRSPC_SYCC && !is_gray;
    uint8_t *row = malloc(4 * (size_t)first->w);
    if (!row) {
        offstage_image_no_memory(job->image, 4 * (uint64_t)first->w);
        return;
    }
    bool goes_on = true;
    for (uint32_t y = 0; goes_on && y < first->h; y++) {
        for (uint32_t x = 0; x < first->w; x++) {
            uint8_t *pixel = row + 4 * (size_t)x;
            for (int i = 0; i < 3; i++) pixel[i] = value(&picture->comps[is_gray ? 0 : i], first, x, y);
            if (is_luma) {
                double luma = pixel[0], blue = pixel[1] - 128.0, red = pixel[2] - 128.0;
                pixel[0] = clamped(luma + 1.402 * red);
                pixel[1] = clamped(luma - 0.344136 * blue - 0.714136 * red);
                pixel[2] = clamped(luma + 1.772 * blue);
            }
            pixel[3] = has_alpha || is_ink ? value(&picture->comps[picture->numcomps - 1], first, x, y) : 255;
            for (int i = 0; is_ink && i < 4; i++) pixel[i] = (uint8_t)(255 - pixel[i]);
        }
        goes_on = offstage_image_row(job->image, row);
    }
    free(row);
}

static uint32_t reduced(uint32_t size, uint32_t halvings) {
    return (uint32_t)(((uint64_t)size + ((uint64_t)1 << halvings) - 1) >> halvings);
}

/// The maximum number of times that the decoder can halve the picture, which depends on the component with the fewest
/// resolutions.
static uint32_t most_halvings(opj_codec_t *codec) {
    opj_codestream_info_v2_t *info = opj_get_cstr_info(codec);
    const opj_tccp_info_t *components = info ? info->m_default_tile_info.tccp_info : NULL;
    uint32_t least = components && info->nbcomps > 0 ? UINT32_MAX : 1;
    for (uint32_t i = 0; components && i < info->nbcomps; i++)
        if (components[i].numresolutions < least) least = components[i].numresolutions;
    if (info) opj_destroy_cstr_info(&info);
    return least > 0 ? least - 1 : 0;
}

/// Decodes, begins the picture and delivers its rows. The library determines the colours only while decoding.
static void decode_pixels(const struct offstage_image_job *job, opj_codec_t *codec, opj_stream_t *stream,
    opj_image_t *picture, uint32_t halvings, struct offstage_image_head *head) {
    bool is_whole = opj_set_decoded_resolution_factor(codec, halvings) && opj_decode(codec, stream, picture)
        && jp2_find_tiles(job->bytes, job->size).are_whole;
    is_whole = opj_end_decompress(codec, stream) && is_whole;
    // A palette has replaced the components.
    const opj_image_comp_t *first = picture->numcomps > 0 ? &picture->comps[0] : NULL;
    if (!first || !first->data || first->w == 0 || first->h == 0 || !offstage_image_allows(job->image, first->w, first->h)) {
        offstage_image_damaged(job->image);
        return;
    }
    // The file's own rounding of halved sizes.
    head->decoded_width = first->w;
    head->decoded_height = first->h;
    bool is_ink = picture->color_space == OPJ_CLRSPC_CMYK && picture->numcomps >= 4;
    bool has_alpha = !is_ink && (picture->numcomps == 2 || picture->numcomps == 4);
    head->has_alpha = has_alpha;
    head->layout = is_ink ? OFFSTAGE_IMAGE_CMYK : has_alpha ? OFFSTAGE_IMAGE_RGBA : OFFSTAGE_IMAGE_RGBX;
    head->profile = picture->icc_profile_buf;
    head->profile_size = picture->icc_profile_len;
    if (!offstage_image_begin(job->image, head)) return;
    if (!is_whole) offstage_image_partial(job->image);
    deliver(job, picture, has_alpha, is_ink);
}

static void decode(const struct offstage_image_job *job, opj_codec_t *codec, struct source *source) {
    opj_dparameters_t parameters;
    opj_set_default_decoder_parameters(&parameters);
    opj_stream_t *stream = open_stream(source);
    opj_image_t *picture = NULL;
    // A truncated file shows what it contains.
    if (!stream || !opj_setup_decoder(codec, &parameters) || !opj_decoder_set_strict_mode(codec, OPJ_FALSE)
        || !opj_read_header(stream, codec, &picture) || picture->numcomps == 0) {
        offstage_image_damaged(job->image);
    } else {
        const opj_image_comp_t *first = &picture->comps[0];
        bool has_alpha = picture->numcomps == 2 || picture->numcomps == 4;
        struct offstage_image_head head = {
            .width = first->w,
            .height = first->h,
            .bits = first->prec,
            .has_alpha = has_alpha,
            .layout = has_alpha ? OFFSTAGE_IMAGE_RGBA : OFFSTAGE_IMAGE_RGBX,
        };
        // The file also contains the picture at half size, a quarter, and so on.
        uint32_t halvings = 0, most = jp2_has_palette(job->bytes, job->size) ? 0 : most_halvings(codec);
        for (double left = offstage_image_reduction(job->image, &head); left >= 2 && halvings < most && halvings < 16; left /= 2)
            halvings++;
        head.decoded_width = reduced(first->w, halvings);
        head.decoded_height = reduced(first->h, halvings);
        head.reduction = (double)(1u << halvings);
        if (offstage_image_options(job->image)->is_info) offstage_image_begin(job->image, &head);
        else if (offstage_image_allows(job->image, head.width, head.height))
            decode_pixels(job, codec, stream, picture, halvings, &head);
    }
    if (picture) opj_image_destroy(picture);
    if (stream) opj_stream_destroy(stream);
}

void decode_jpeg_2000(const struct offstage_image_job *job) {
    struct source source = {job->bytes, jp2_find_tiles(job->bytes, job->size).usable_size, 0};
    bool is_bare = job->size >= 4 && memcmp(job->bytes, "\xff\x4f\xff\x51", 4) == 0;
    opj_codec_t *codec = opj_create_decompress(is_bare ? OPJ_CODEC_J2K : OPJ_CODEC_JP2);
    if (codec) decode(job, codec, &source);
    else offstage_image_no_memory(job->image, 0);
    if (codec) opj_destroy_codec(codec);
}
