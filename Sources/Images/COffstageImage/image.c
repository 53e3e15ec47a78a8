#include <stdlib.h>
#include <string.h>

#include "image.h"

struct offstage_image *offstage_image_open(const struct offstage_worker_job *job, struct offstage_worker_reply *reply) {
    const struct offstage_image_options *options = (const void *)job->options;
    if (job->options_size != sizeof *options || options->version != OFFSTAGE_IMAGE_VERSION) {
        offstage_worker_fail(reply, OFFSTAGE_IMAGE_BAD_OPTIONS, job->options_size, OFFSTAGE_IMAGE_VERSION);
        return NULL;
    }
    struct offstage_image *image = calloc(1, sizeof *image);
    if (!image) {
        offstage_worker_fail(reply, OFFSTAGE_WIRE_NO_MEMORY, sizeof *image, 0);
        return NULL;
    }
    image->options = options;
    image->reply = reply;
    image->pixel_limit = job->pixel_limit;
    return image;
}

const struct offstage_image_options *offstage_image_options(const struct offstage_image *image) { return image->options; }

void offstage_image_fail(struct offstage_image *image, enum offstage_image_failure code, uint64_t first, uint64_t second) {
    image->has_failed = true;
    offstage_worker_fail(image->reply, code, first, second);
}

void offstage_image_damaged(struct offstage_image *image) {
    if (image->has_failed || image->options->is_info) return;
    if (!image->has_begun || image->delivered == 0) offstage_image_fail(image, OFFSTAGE_IMAGE_DAMAGED, 0, 0);
}

void offstage_image_no_memory(struct offstage_image *image, uint64_t size) {
    image->has_failed = true;
    offstage_worker_fail(image->reply, OFFSTAGE_WIRE_NO_MEMORY, size, 0);
}

void offstage_image_partial(struct offstage_image *image) { image->report.is_partial = 1; }

bool offstage_image_allows(struct offstage_image *image, uint64_t width, uint64_t height) {
    if (width <= UINT32_MAX && (width == 0 || height <= image->options->source_pixels / width)) return true;
    offstage_image_fail(image, OFFSTAGE_IMAGE_TOO_LARGE, width, height);
    return false;
}

bool offstage_image_begin(struct offstage_image *image, const struct offstage_image_head *head) {
    if (image->has_failed) return false;
    if (head->width == 0 || head->height == 0) {
        offstage_image_fail(image, OFFSTAGE_IMAGE_DAMAGED, 0, 0);
        return false;
    }
    struct offstage_image_report *report = &image->report;
    report->orientation = head->orientation >= 1 && head->orientation <= 8 ? (uint32_t)head->orientation : 1;
    report->frames = head->frames ? head->frames : 1;
    report->bits = head->bits ? head->bits : 8;
    report->has_alpha = head->has_alpha;
    if (!offstage_image_allows(image, head->width, head->height)) return false;
    report->width = (uint32_t)head->width;
    report->height = (uint32_t)head->height;
    if (image->options->frame > report->frames) {
        offstage_image_fail(image, OFFSTAGE_IMAGE_NO_FRAME, report->frames, 0);
        return false;
    }
    image->layout = head->layout;
    image->is_opaque = head->is_opaque || head->layout == OFFSTAGE_IMAGE_RGB || head->layout == OFFSTAGE_IMAGE_RGBX
        || head->layout == OFFSTAGE_IMAGE_CMYK;
    image->decoded_width = (uint32_t)(head->decoded_width ? head->decoded_width : head->width);
    image->decoded_height = (uint32_t)(head->decoded_height ? head->decoded_height : head->height);
    image->x_scale = head->reduction > 0 ? 1 / head->reduction : (double)image->decoded_width / report->width;
    image->y_scale = head->reduction > 0 ? 1 / head->reduction : (double)image->decoded_height / report->height;
    if (!image_plan(image, head)) return false;
    if (!image_colors_begin(image, head)) {
        offstage_image_no_memory(image, 0);
        return false;
    }
    image->has_begun = true;
    if (image->options->is_info) return false;
    const struct plan *plan = &image->plan;
    if ((uint64_t)plan->width * plan->height > image->pixel_limit) {
        // Check before allocating the tables, which grow with the sides.
        offstage_worker_fail(image->reply, OFFSTAGE_WIRE_TOO_MANY_PIXELS, plan->width, plan->height);
        image->has_failed = true;
        return false;
    }
    if (image_scaling_begin(image)) return true;
    offstage_image_no_memory(image, 0);
    return false;
}

/// Allocates the picture's memory at the first row, so that a file with only a header costs nothing.
static bool make_picture(struct offstage_image *image) {
    const struct plan *plan = &image->plan;
    const uint8_t *background = image->options->background;
    bool is_covered = image->is_opaque && plan->inner_width == plan->width && plan->inner_height == plan->height;
    image->pixels =
        offstage_worker_picture(image->reply, plan->width, plan->height, is_covered || background[3] == 255);
    if (!image->pixels) image->has_failed = true;
    else if (background[3] > 0 && !is_covered)
        for (size_t i = 0; i < (size_t)plan->width * plan->height; i++) memcpy(image->pixels + 4 * i, background, 4);
    return image->pixels != NULL;
}

bool offstage_image_row(struct offstage_image *image, const void *row) {
    if (!image->has_begun || image->has_failed || image->is_complete || image->delivered == image->decoded_height) return false;
    if (!image->pixels && !make_picture(image)) return false;
    image_scaling_row(image, row);
    return !image->is_complete;
}

void offstage_image_close(struct offstage_image *image) {
    if (!image->has_failed && !image->options->is_info) {
        if (image->has_begun && image->delivered > 0) image_scaling_end(image);
        else offstage_image_fail(image, OFFSTAGE_IMAGE_DAMAGED, 0, 0);
    }
    struct offstage_image_report *report = &image->report;
    if (!image->has_failed) {
        // Rows below the crop rectangle don't count as missing.
        report->rows = image->is_complete || image->options->is_info || image->delivered == image->decoded_height
            ? report->height
            : (uint32_t)((uint64_t)image->delivered * report->height / image->decoded_height);
        // The background is visible where the picture lacks rows or pixels.
        if ((report->rows < report->height || report->is_partial) && image->options->background[3] < 255) offstage_worker_transparent(image->reply);
        offstage_worker_report(image->reply, report, sizeof *report);
    }
    image_colors_end(image);
    free(image->columns.taps);
    free(image->columns.weights);
    free(image->rows.taps);
    free(image->rows.weights);
    free(image->pair);
    free(image->ring);
    free(image->line);
    free(image->tap_rows);
    free(image);
}
