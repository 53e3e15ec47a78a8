#ifndef OFFSTAGE_INK_PICTURE_H
#define OFFSTAGE_INK_PICTURE_H

#include "document.h"

/// Draws an image file into the box. Returns false if it cannot be decoded.
bool draw_image(const struct offstage_ink_target *target, const struct offstage_ink_image_head *box, const uint8_t *bytes, size_t count);

/// True for an image that `draw_image` draws; the host draws others.
bool is_png(const uint8_t *bytes, size_t count);

/// Decodes a PNG file into red, green, blue and opacity. Returns NULL if that is not possible. The caller frees the result.
uint8_t *decode_png(const uint8_t *bytes, size_t count, uint32_t most_side, uint32_t *width, uint32_t *height);

/// Draws the host's picture of an image into the box.
void draw_picture(
    const struct offstage_ink_target *target, const struct offstage_ink_image_head *box, const struct offstage_ink_picture *picture,
    const uint8_t *pixels);

/// Pictures that the host has drawn: NULL for none. Images are in the order of their items.
struct drawn {
    const uint8_t *backdrop, *pictures;
    size_t picture_size;
};

/// Draws a page, or fails. Returns the facts about it.
uint32_t draw_page(
    const struct document *document, const struct offstage_ink_options *options, const struct drawn *drawn,
    struct offstage_worker_reply *reply);

/// The items of a page, which are consecutive. Returns their number.
size_t page_items(const struct document *document, const struct page *page, size_t *first);

/// True if the page has images that the host must draw.
bool needs_pictures(const struct document *document, const struct page *page);

/// Answers with the images that the host must draw, or with the outlines of letters.
void answer_images(struct document *document, const struct page *page, struct offstage_worker_reply *reply);
void answer_letters(struct document *document, const struct page *page, double scale, struct offstage_worker_reply *reply);

/// Makes space for bytes to send instead of a picture, preceded by their count: 1,024 px wide, and as high as necessary. Returns
/// NULL, with a failure in the reply, if there are too many.
uint8_t *answer_bytes(struct offstage_worker_reply *reply, size_t count);

#endif
