#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jerror.h>
#include <jpeglib.h>

#include "decoders.h"

#define EXIF_MARKER (JPEG_APP0 + 1)
#define PROFILE_MARKER (JPEG_APP0 + 2)

struct errors {
    struct jpeg_error_mgr manager;
    jmp_buf place;
    /// True if the file ended too early; true if it has bytes that cannot be decoded.
    bool has_ended, is_damaged;
    /// The maximum number of scans in a progressive file, and true if it has more.
    uint64_t most_scans;
    bool has_many_scans;
    /// The first missing row of pixels if the file ended early.
    JDIMENSION end;
};

static void leave(j_common_ptr decoder) { longjmp(((struct errors *)decoder->err)->place, 1); }

static void note(j_common_ptr decoder, int level) {
    struct errors *errors = (struct errors *)decoder->err;
    // The other warnings are about markers, or about bytes that need not be there.
    int code = errors->manager.msg_code;
    if (level >= 0) return;
    if (code == JWRN_HIT_MARKER && !errors->has_ended) {
        struct jpeg_decompress_struct *reader = (struct jpeg_decompress_struct *)decoder;
        // Data between two restart markers is too short. The next part is complete.
        bool goes_on = reader->unread_marker >= JPEG_RST0 && reader->unread_marker <= JPEG_RST0 + 7;
        if (goes_on) errors->is_damaged = true;
        else {
            errors->has_ended = true;
            // The library reads a row of blocks ahead of the rows that it returns.
            errors->end = reader->input_iMCU_row * (JDIMENSION)(reader->max_v_samp_factor * reader->min_DCT_scaled_size);
        }
    }
    if (code == JWRN_HUFF_BAD_CODE || code == JWRN_MUST_RESYNC || code == JWRN_EXTRANEOUS_DATA) errors->is_damaged = true;
}

/// Called for each row of blocks.
static void count_scans(j_common_ptr decoder) {
    struct jpeg_decompress_struct *reader = (struct jpeg_decompress_struct *)decoder;
    struct errors *errors = (struct errors *)decoder->err;
    errors->has_many_scans = reader->is_decompressor && (uint64_t)reader->input_scan_number > errors->most_scans;
    if (errors->has_many_scans) leave(decoder);
}

static void ignore(j_common_ptr decoder) { (void)decoder; }

static enum offstage_image_layout layout(struct jpeg_decompress_struct *decoder) {
    if (decoder->num_components == 4) {
        decoder->out_color_space = JCS_CMYK;
        return OFFSTAGE_IMAGE_CMYK;
    }
    decoder->out_color_space = JCS_EXT_RGBX;
    return OFFSTAGE_IMAGE_RGBX;
}

/// Adobe's programs store 255 minus the amount of ink. Other files store the amount.
static void invert(JSAMPLE *row, size_t count) {
    for (size_t i = 0; i < count; i++) row[i] = (JSAMPLE)(255 - row[i]);
}

static void decode(struct jpeg_decompress_struct *decoder, const struct errors *errors, const struct offstage_image_job *job) {
    jpeg_mem_src(decoder, job->bytes, job->size);
    jpeg_save_markers(decoder, EXIF_MARKER, 0xffff);
    jpeg_save_markers(decoder, PROFILE_MARKER, 0xffff);
    jpeg_read_header(decoder, TRUE);
    struct offstage_image_head head = {.width = decoder->image_width, .height = decoder->image_height, .layout = layout(decoder)};
    for (jpeg_saved_marker_ptr marker = decoder->marker_list; marker; marker = marker->next)
        if (marker->marker == EXIF_MARKER && head.orientation == 0)
            head.orientation = offstage_image_orientation(marker->data, marker->data_length);

    // Halves, quarters and eighths are faster than the other fractions.
    double reduction = offstage_image_reduction(job->image, &head);
    decoder->scale_num = 1;
    decoder->scale_denom = reduction >= 8 ? 8 : reduction >= 4 ? 4 : reduction >= 2 ? 2 : 1;
    jpeg_calc_output_dimensions(decoder);
    head.decoded_width = decoder->output_width;
    head.decoded_height = decoder->output_height;
    head.reduction = decoder->scale_denom;
    JOCTET *profile = NULL;
    unsigned int profile_size = 0;
    if (jpeg_read_icc_profile(decoder, &profile, &profile_size)) {
        head.profile = profile;
        head.profile_size = profile_size;
    }
    bool goes_on = offstage_image_begin(job->image, &head);
    free(profile);
    if (!goes_on) return;

    jpeg_start_decompress(decoder);
    // Deliberately not aligned to a register: the library writes aligned rows past the processor's cache, but this program reads
    // them at once.
    JSAMPROW row =
        (JSAMPROW)decoder->mem->alloc_large((j_common_ptr)decoder, JPOOL_IMAGE, decoder->output_width * 4 + 4) + 4;
    bool is_inverted = head.layout == OFFSTAGE_IMAGE_CMYK && !decoder->saw_Adobe_marker;
    // A truncated progressive file has all rows, but with less detail.
    bool is_progressive = jpeg_has_multiple_scans(decoder);
    while (decoder->output_scanline < decoder->output_height) {
        jpeg_read_scanlines(decoder, &row, 1);
        // The library fills the missing rows with grey.
        if (errors->has_ended && !is_progressive && decoder->output_scanline > errors->end) break;
        if (is_inverted) invert(row, decoder->output_width * 4);
        if (!offstage_image_row(job->image, row)) break;
    }
    if (errors->is_damaged || (errors->has_ended && is_progressive)) offstage_image_partial(job->image);
}

void decode_jpeg(const struct offstage_image_job *job) {
    struct jpeg_decompress_struct decoder;
    struct errors errors = {.most_scans = offstage_image_options(job->image)->scans};
    decoder.err = jpeg_std_error(&errors.manager);
    errors.manager.error_exit = leave;
    errors.manager.emit_message = note;
    errors.manager.output_message = ignore;
    struct jpeg_progress_mgr progress = {.progress_monitor = count_scans};
    if (setjmp(errors.place) == 0) {
        jpeg_create_decompress(&decoder);
        decoder.progress = &progress;
        decode(&decoder, &errors, job);
    } else if (errors.has_many_scans) {
        offstage_image_fail(job->image, OFFSTAGE_IMAGE_TOO_MANY_SCANS, errors.most_scans + 1, 0);
    } else if (errors.manager.msg_code == JERR_BAD_PRECISION) {
        offstage_image_fail(job->image, OFFSTAGE_IMAGE_UNSUPPORTED, OFFSTAGE_IMAGE_VARIANT_12_BIT_JPEG, 0);
    } else if (errors.manager.msg_code == JERR_SOF_UNSUPPORTED) {
        offstage_image_fail(job->image, OFFSTAGE_IMAGE_UNSUPPORTED, OFFSTAGE_IMAGE_VARIANT_LOSSLESS_JPEG, 0);
    } else {
        offstage_image_damaged(job->image);
    }
    jpeg_destroy_decompress(&decoder);
}
