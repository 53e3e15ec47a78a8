#include <math.h>
#include <string.h>

#include "picture.h"
#include "text.h"

/// CSS px for each point.
#define PX (96.0 / 72)

/// The picture's position on the page, device px.
struct frame {
    double scale;
    int32_t x, y, width, height;
};

static double rounded(double value) { return fmax(1, floor(value + 0.5)); }

/// Finds the picture's position. Returns false, with a failure in the reply, for a page or a clip without a size.
static bool find_frame(
    const struct offstage_ink_page *page, const struct offstage_ink_options *options, struct offstage_worker_reply *reply,
    struct frame *frame) {
    double width = page->width * PX, height = page->height * PX, fit = 1;
    if (options->fit_width > 0 && options->fit_height > 0) fit = fmin(options->fit_width / width, options->fit_height / height);
    frame->scale = options->scale * fit * PX;
    double right = rounded(width * fit * options->scale), bottom = rounded(height * fit * options->scale), left = 0, top = 0;
    if (options->flags & OFFSTAGE_INK_STRETCH) frame->scale = options->backdrop_width / (double)page->width;
    if (options->flags & OFFSTAGE_INK_BACKDROP) right = options->backdrop_width, bottom = options->backdrop_height;
    if (options->flags & OFFSTAGE_INK_CLIP) {
        double x = options->clip[0] * options->scale, y = options->clip[1] * options->scale;
        left = fmax(0, floor(x + 0.5)), top = fmax(0, floor(y + 0.5));
        right = fmin(right, floor(x + options->clip[2] * options->scale + 0.5));
        bottom = fmin(bottom, floor(y + options->clip[3] * options->scale + 0.5));
    }
    // Also catches NaN.
    if (!(right > left && bottom > top)) {
        offstage_worker_fail(reply, OFFSTAGE_INK_NO_SIZE, 0, 0);
        return false;
    }
    if (!(right <= 1e8 && bottom <= 1e8)) {
        offstage_worker_fail(reply, OFFSTAGE_WIRE_TOO_MANY_PIXELS, (uint64_t)fmin(right, 1e9), (uint64_t)fmin(bottom, 1e9));
        return false;
    }
    const double scale = frame->scale;
    *frame = (struct frame){scale, (int32_t)left, (int32_t)top, (int32_t)(right - left), (int32_t)(bottom - top)};
    return true;
}

static void copy_backdrop(
    const struct offstage_ink_target *target, const struct offstage_ink_options *options, const uint8_t *backdrop) {
    for (int32_t y = 0; y < target->height; y++)
        memcpy(
            target->pixels + (size_t)y * target->bytes_per_row,
            backdrop + 4 * ((size_t)(target->y + y) * options->backdrop_width + (size_t)target->x), 4 * (size_t)target->width);
}

static bool has_transparency(const struct offstage_ink_target *target) {
    for (int32_t y = 0; y < target->height; y++)
        for (int32_t x = 0; x < target->width; x++)
            if (target->pixels[(size_t)y * target->bytes_per_row + 4 * (size_t)x + 3] != 255) return true;
    return false;
}

/// The next picture from the host, if it belongs to this item.
static bool take_picture(struct drawn *drawn, uint32_t item, struct offstage_ink_picture *picture, const uint8_t **pixels) {
    if (drawn->picture_size < sizeof *picture) return false;
    memcpy(picture, drawn->pictures, sizeof *picture);
    size_t size = 4 * (size_t)picture->width * picture->height;
    if (picture->item != item || size == 0 || size > drawn->picture_size - sizeof *picture) return false;
    *pixels = drawn->pictures + sizeof *picture;
    drawn->pictures += sizeof *picture + size;
    drawn->picture_size -= sizeof *picture + size;
    return true;
}

static uint32_t draw_items(
    const struct document *document, const struct page *page, const struct offstage_ink_target *target, struct drawn drawn,
    struct offstage_ink_scratch *scratch, struct offstage_worker_reply *reply) {
    uint32_t facts = page->head.facts;
    size_t first, count = page_items(document, page, &first);
    for (size_t i = 0; i < count; i++) {
        const struct item *item = &document->items[first + i];
        struct offstage_ink_picture picture;
        const uint8_t *pixels;
        bool is_drawn = true;
        const struct offstage_ink_shape *shape;
        const struct offstage_ink_texture *texture = document_texture(document, item, &shape);
        if (item->kind == ITEM_STROKE)
            is_drawn = offstage_ink_draw(
                scratch, target, &item->style, texture, shape, document->points + item->points, item->point_count);
        if (item->kind == ITEM_TEXT) {
            enum text_result result = draw_text(scratch, target, item, document->bytes);
            if (result == TEXT_INCOMPLETE) facts |= OFFSTAGE_INK_HAS_TEXT;
            is_drawn = result != TEXT_NO_MEMORY;
        }
        if (!is_drawn) offstage_worker_fail(reply, OFFSTAGE_WIRE_NO_MEMORY, 0, 0);
        if (item->kind != ITEM_IMAGE) continue;
        if (take_picture(&drawn, (uint32_t)i, &picture, &pixels)) draw_picture(target, &item->head.image, &picture, pixels);
        else if (!draw_image(target, &item->head.image, document->bytes + item->bytes, item->byte_count))
            facts |= OFFSTAGE_INK_HAS_BAD_IMAGE;
    }
    return facts;
}

uint32_t draw_page(
    const struct document *document, const struct offstage_ink_options *options, const struct drawn *drawn,
    struct offstage_worker_reply *reply) {
    const uint8_t *backdrop = drawn->backdrop;
    const struct page *page = &document->pages[options->page];
    struct frame frame;
    if (!find_frame(&page->head, options, reply, &frame)) return 0;
    struct offstage_ink_scratch *scratch = offstage_ink_scratch_new();
    bool is_alone = options->flags & OFFSTAGE_INK_ALONE && !backdrop;
    uint8_t *pixels = offstage_worker_picture(reply, (uint64_t)frame.width, (uint64_t)frame.height, !is_alone);
    if (!pixels) return offstage_ink_scratch_free(scratch), 0;
    if (!scratch) return offstage_worker_fail(reply, OFFSTAGE_WIRE_NO_MEMORY, 0, 0), 0;
    const struct offstage_ink_target target = {
        pixels, 4 * (size_t)frame.width, frame.x, frame.y, frame.width, frame.height, frame.scale,
        !backdrop && !is_alone && offstage_ink_is_dark(&page->head)};
    if (backdrop) copy_backdrop(&target, options, backdrop);
    else if (!is_alone) offstage_ink_draw_paper(scratch, &target, &page->head);
    uint32_t facts = 0;
    if (!(options->flags & OFFSTAGE_INK_PLAIN)) facts = draw_items(document, page, &target, *drawn, scratch, reply);
    if (backdrop && has_transparency(&target)) offstage_worker_transparent(reply);
    offstage_ink_scratch_free(scratch);
    return facts;
}
