#include <math.h>

#include "image.h"

static bool is_turned(int orientation) { return orientation >= 5; }

static double smaller(double a, double b) { return a < b ? a : b; }

static uint32_t whole(double size) { return size < 1 ? 1 : size > UINT32_MAX ? UINT32_MAX : (uint32_t)llround(size); }

/// Converts a rectangle of the rotated source to the file's stored orientation.
static struct rectangle stored(struct rectangle turned, int orientation, double width, double height) {
    // Width and height are those of the rotated source.
    struct rectangle r = turned;
    double right = width - r.x - r.width, below = height - r.y - r.height;
    switch (orientation) {
    case 2: return (struct rectangle){right, r.y, r.width, r.height};
    case 3: return (struct rectangle){right, below, r.width, r.height};
    case 4: return (struct rectangle){r.x, below, r.width, r.height};
    case 5: return (struct rectangle){r.y, r.x, r.height, r.width};
    case 6: return (struct rectangle){r.y, right, r.height, r.width};
    case 7: return (struct rectangle){below, right, r.height, r.width};
    case 8: return (struct rectangle){below, r.x, r.height, r.width};
    default: return r;
    }
}

bool image_plan(struct offstage_image *image, const struct offstage_image_head *head) {
    const struct offstage_image_options *options = image->options;
    struct plan *plan = &image->plan;
    int orientation = plan->orientation = image_orientation(options, (int)image->report.orientation);
    double width = is_turned(orientation) ? head->height : head->width;
    double height = is_turned(orientation) ? head->width : head->height;
    struct rectangle part = {0, 0, width, height};
    if (options->crop_width > 0) {
        if (options->crop_x >= width || options->crop_y >= height) {
            offstage_image_fail(image, OFFSTAGE_IMAGE_NO_CROP, (uint64_t)width, (uint64_t)height);
            return false;
        }
        part.x = options->crop_x;
        part.y = options->crop_y;
        part.width = smaller(options->crop_width, width - part.x);
        part.height = smaller(options->crop_height, height - part.y);
    }

    // The box. A missing side follows from the other.
    double box_width = options->width, box_height = options->height;
    bool has_box = box_width > 0 && box_height > 0;
    if (!has_box) {
        double scale = box_width > 0 ? box_width / part.width : box_height > 0 ? box_height / part.height : 1;
        if (options->fit == OFFSTAGE_IMAGE_INSIDE) scale = smaller(scale, 1);
        box_width = part.width * scale;
        box_height = part.height * scale;
    }
    double inner_width = box_width, inner_height = box_height;
    if (has_box && options->fit == OFFSTAGE_IMAGE_COVER) {
        double scale = fmax(box_width / part.width, box_height / part.height);
        double kept_width = smaller(part.width, box_width / scale), kept_height = smaller(part.height, box_height / scale);
        part.x += (part.width - kept_width) * options->gravity_x;
        part.y += (part.height - kept_height) * options->gravity_y;
        part.width = kept_width;
        part.height = kept_height;
    } else if (has_box && options->fit != OFFSTAGE_IMAGE_FILL) {
        double scale = smaller(box_width / part.width, box_height / part.height);
        if (options->fit == OFFSTAGE_IMAGE_INSIDE) scale = smaller(scale, 1);
        inner_width = part.width * scale;
        inner_height = part.height * scale;
    }
    plan->inner_width = whole(inner_width);
    plan->inner_height = whole(inner_height);
    bool is_padded = has_box && options->fit == OFFSTAGE_IMAGE_CONTAIN;
    plan->width = is_padded ? whole(box_width) : plan->inner_width;
    plan->height = is_padded ? whole(box_height) : plan->inner_height;
    if (plan->inner_width > plan->width) plan->inner_width = plan->width;
    if (plan->inner_height > plan->height) plan->inner_height = plan->height;
    plan->left = (uint32_t)lround((plan->width - plan->inner_width) * options->gravity_x);
    plan->top = (uint32_t)lround((plan->height - plan->inner_height) * options->gravity_y);
    plan->stored_width = is_turned(orientation) ? plan->inner_height : plan->inner_width;
    plan->stored_height = is_turned(orientation) ? plan->inner_width : plan->inner_height;
    plan->part = stored(part, orientation, width, height);
    return true;
}

double offstage_image_reduction(const struct offstage_image *image, const struct offstage_image_head *head) {
    // Plans on a copy, because `offstage_image_begin` plans again and reports failures.
    struct offstage_worker_reply *reply = image->reply;
    struct offstage_image copy = {.options = image->options, .reply = reply};
    copy.report.orientation = head->orientation >= 1 && head->orientation <= 8 ? (uint32_t)head->orientation : 1;
    if (image->options->is_info || (image->options->crop_width > 0 && head->width == 0)) return 1;
    if (!image_plan(&copy, head)) return 1;
    double reduction =
        smaller(copy.plan.part.width / copy.plan.stored_width, copy.plan.part.height / copy.plan.stored_height);
    // Keep one and a half times the picture's size for a good kernel.
    return fmax(1, reduction / 1.5);
}
