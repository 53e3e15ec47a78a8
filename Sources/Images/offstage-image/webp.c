#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>
#include <webp/demux.h>

#include "decoders.h"

/// Decodes a still picture and reduces it. The library averages its colours and its alpha.
static void still(const struct offstage_image_job *job, const struct offstage_image_head *head) {
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config)) return;
    int width = (int)head->decoded_width, height = (int)head->decoded_height;
    size_t size = 4 * (size_t)width * (size_t)height;
    uint8_t *pixels = calloc(1, size);
    if (!pixels) {
        offstage_image_no_memory(job->image, size);
        return;
    }
    config.output.colorspace = MODE_rgbA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = pixels;
    config.output.u.RGBA.stride = 4 * width;
    config.output.u.RGBA.size = size;
    if ((uint64_t)width != head->width || (uint64_t)height != head->height) {
        config.options.use_scaling = 1;
        config.options.scaled_width = width;
        config.options.scaled_height = height;
    }
    // In steps, so that a truncated file shows its first rows.
    WebPIDecoder *decoder = WebPIDecode(NULL, 0, &config);
    int rows = 0;
    if (decoder) {
        VP8StatusCode status = WebPIUpdate(decoder, job->bytes, job->size);
        if (!WebPIDecGetRGB(decoder, &rows, NULL, NULL, NULL)) rows = 0;
        if (status == VP8_STATUS_OK) rows = height;
        if (status == VP8_STATUS_OUT_OF_MEMORY) offstage_image_no_memory(job->image, size);
    }
    for (int y = 0; y < rows && offstage_image_row(job->image, pixels + 4 * (size_t)y * (size_t)width); y++) continue;
    if (rows < height) offstage_image_damaged(job->image);
    if (decoder) WebPIDelete(decoder);
    WebPFreeDecBuffer(&config.output);
    free(pixels);
}

static uint32_t number(const uint8_t *p) { return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24; }

/// The size of the file up to the end of its last complete chunk.
static size_t whole_size(const uint8_t *bytes, size_t size) {
    size_t place = 12;
    while (size >= 8 && place <= size - 8) {
        uint64_t next = (uint64_t)place + 8 + number(bytes + place + 4);
        next += next % 2;
        if (next > size) break;
        place = (size_t)next;
    }
    return place;
}

/// A copy of a truncated file with only its complete frames, because the decoder of animations reads no others. NULL if
/// there is none.
static uint8_t *whole_frames(const struct offstage_image_job *job, size_t *size) {
    if (job->size < 20) return NULL;
    *size = whole_size(job->bytes, job->size);
    uint8_t *copy = *size < job->size ? malloc(*size) : NULL;
    if (!copy) return NULL;
    memcpy(copy, job->bytes, *size);
    for (int i = 0; i < 4; i++) copy[4 + i] = (uint8_t)((*size - 8) >> 8 * i);
    return copy;
}

/// Draws a frame of an animation over those before it.
static void animated(const struct offstage_image_job *job, const struct offstage_image_head *head, bool is_cut) {
    WebPAnimDecoderOptions options;
    if (!WebPAnimDecoderOptionsInit(&options)) return;
    options.color_mode = MODE_rgbA;
    options.use_threads = 0;
    WebPData data = {job->bytes, job->size};
    uint8_t *copy = is_cut ? whole_frames(job, &data.size) : NULL;
    if (copy) data.bytes = copy;
    else data.size = job->size;
    if (is_cut) offstage_image_partial(job->image);
    WebPAnimDecoder *decoder = WebPAnimDecoderNew(&data, &options);
    uint8_t *pixels = NULL;
    int time;
    bool is_there = decoder != NULL;
    for (uint32_t i = 0; is_there && i < job->frame; i++) is_there = WebPAnimDecoderGetNext(decoder, &pixels, &time);
    if (is_there)
        for (uint64_t y = 0; y < head->height && offstage_image_row(job->image, pixels + 4 * y * head->width); y++) continue;
    else offstage_image_damaged(job->image);
    if (decoder) WebPAnimDecoderDelete(decoder);
    free(copy);
}

static void chunk(WebPDemuxer *demuxer, const char *name, WebPChunkIterator *iterator) {
    iterator->chunk.bytes = NULL;
    iterator->chunk.size = 0;
    if (!WebPDemuxGetChunk(demuxer, name, 1, iterator)) iterator->chunk.size = 0;
}

void decode_webp(const struct offstage_image_job *job) {
    const WebPData data = {job->bytes, job->size};
    WebPDemuxState state;
    WebPDemuxer *demuxer = WebPDemuxPartial(&data, &state);
    WebPBitstreamFeatures features;
    struct offstage_image_head head = {.layout = OFFSTAGE_IMAGE_RGBA_PREMULTIPLIED};
    bool is_animated = false;
    WebPChunkIterator profile = {0}, exif = {0};
    // Before that state, the demuxer's sizes are invalid.
    if (demuxer && state >= WEBP_DEMUX_PARSED_HEADER) {
        head.width = WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_WIDTH);
        head.height = WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_HEIGHT);
        head.frames = WebPDemuxGetI(demuxer, WEBP_FF_FRAME_COUNT);
        uint32_t flags = WebPDemuxGetI(demuxer, WEBP_FF_FORMAT_FLAGS);
        is_animated = (flags & ANIMATION_FLAG) != 0;
        head.has_alpha = (flags & ALPHA_FLAG) != 0;
        chunk(demuxer, "ICCP", &profile);
        chunk(demuxer, "EXIF", &exif);
        head.orientation = offstage_image_orientation(exif.chunk.bytes, exif.chunk.size);
    } else if (WebPGetFeatures(job->bytes, job->size, &features) == VP8_STATUS_OK) {
        // A file truncated before the end of its first chunk.
        head.width = (uint64_t)features.width;
        head.height = (uint64_t)features.height;
        head.has_alpha = features.has_alpha;
        is_animated = features.has_animation;
    }
    if (!head.has_alpha) head.layout = OFFSTAGE_IMAGE_RGBX;
    head.profile = profile.chunk.bytes;
    head.profile_size = profile.chunk.size;
    if (!is_animated && head.width > 0 && head.height > 0) {
        double reduction = offstage_image_reduction(job->image, &head);
        if (reduction > 1) {
            head.decoded_width = (uint64_t)((double)head.width / reduction + 1);
            head.decoded_height = (uint64_t)((double)head.height / reduction + 1);
        } else {
            head.decoded_width = head.width;
            head.decoded_height = head.height;
        }
    }
    if (offstage_image_begin(job->image, &head)) {
        if (is_animated) animated(job, &head, state != WEBP_DEMUX_DONE);
        else still(job, &head);
    }
    WebPDemuxReleaseChunkIterator(&profile);
    WebPDemuxReleaseChunkIterator(&exif);
    if (demuxer) WebPDemuxDelete(demuxer);
}
