#include "offstage_jpeg.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <jpeglib.h>
#include <jerror.h>

const int offstage_jpeg_side_limit = JPEG_MAX_DIMENSION;

struct offstage_jpeg {
    struct jpeg_compress_struct info;
    struct jpeg_error_mgr errors;
    struct jpeg_destination_mgr destination;
    jmp_buf failure;
    char message[JMSG_LENGTH_MAX];
    JOCTET *bytes;
    size_t length, capacity;
};

static void fail(j_common_ptr info) {
    struct offstage_jpeg *jpeg = info->client_data;
    jpeg->errors.format_message(info, jpeg->message);
    longjmp(jpeg->failure, 1);
}

// Discards warnings, which libjpeg would print.
static void ignore(j_common_ptr info) { (void)info; }

// Offstage uses its own destination, because jpeg_mem_dest leaks its memory if an error occurs while it grows.

static void start_output(j_compress_ptr info) {
    struct offstage_jpeg *jpeg = info->client_data;
    jpeg->capacity = 16384;
    jpeg->bytes = malloc(jpeg->capacity);
    if (!jpeg->bytes) ERREXIT1(info, JERR_OUT_OF_MEMORY, 0);
    jpeg->destination.next_output_byte = jpeg->bytes;
    jpeg->destination.free_in_buffer = jpeg->capacity;
}

static boolean grow_output(j_compress_ptr info) {
    struct offstage_jpeg *jpeg = info->client_data;
    JOCTET *bytes = realloc(jpeg->bytes, 2 * jpeg->capacity);
    if (!bytes) ERREXIT1(info, JERR_OUT_OF_MEMORY, 0);
    // libjpeg calls this when the buffer is full, whatever the value of free_in_buffer.
    jpeg->destination.next_output_byte = bytes + jpeg->capacity;
    jpeg->destination.free_in_buffer = jpeg->capacity;
    jpeg->bytes = bytes;
    jpeg->capacity *= 2;
    return TRUE;
}

static void end_output(j_compress_ptr info) {
    struct offstage_jpeg *jpeg = info->client_data;
    jpeg->length = jpeg->capacity - jpeg->destination.free_in_buffer;
}

struct offstage_jpeg *offstage_jpeg_new(void) { return calloc(1, sizeof(struct offstage_jpeg)); }

void offstage_jpeg_free(struct offstage_jpeg *jpeg) {
    jpeg_destroy_compress(&jpeg->info);
    free(jpeg->bytes);
    free(jpeg);
}

bool offstage_jpeg_start(struct offstage_jpeg *jpeg, const struct offstage_jpeg_settings *settings) {
    struct jpeg_compress_struct *info = &jpeg->info;
    info->err = jpeg_std_error(&jpeg->errors);
    info->client_data = jpeg;
    jpeg->errors.error_exit = fail;
    jpeg->errors.output_message = ignore;
    if (setjmp(jpeg->failure)) return false;
    jpeg_create_compress(info);
    jpeg->destination.init_destination = start_output;
    jpeg->destination.empty_output_buffer = grow_output;
    jpeg->destination.term_destination = end_output;
    info->dest = &jpeg->destination;

    info->image_width = settings->width;
    info->image_height = settings->height;
    info->input_components = 4;
    info->in_color_space = JCS_EXT_BGRX;
    jpeg_set_defaults(info);
    jpeg_set_quality(info, settings->quality, TRUE);
    // The first component is luma. The two others have one sample for each of its blocks.
    info->comp_info[0].h_samp_factor = settings->chroma_width;
    info->comp_info[0].v_samp_factor = settings->chroma_height;
    info->density_unit = 1;
    info->X_density = settings->pixels_per_inch;
    info->Y_density = settings->pixels_per_inch;
    jpeg_start_compress(info, TRUE);
    return true;
}

bool offstage_jpeg_write_row(struct offstage_jpeg *jpeg, const void *row) {
    if (setjmp(jpeg->failure)) return false;
    JSAMPROW rows[] = {(JSAMPROW)row};
    jpeg_write_scanlines(&jpeg->info, rows, 1);
    return true;
}

bool offstage_jpeg_finish(struct offstage_jpeg *jpeg) {
    if (setjmp(jpeg->failure)) return false;
    jpeg_finish_compress(&jpeg->info);
    return true;
}

const char *offstage_jpeg_error(const struct offstage_jpeg *jpeg) { return jpeg->message; }

void *offstage_jpeg_take(struct offstage_jpeg *jpeg, size_t *length) {
    void *bytes = jpeg->bytes;
    *length = jpeg->length;
    jpeg->bytes = NULL;
    return bytes;
}
