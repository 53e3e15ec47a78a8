#ifndef OFFSTAGE_INK_PICTURE_H
#define OFFSTAGE_INK_PICTURE_H

#include "document.h"

/// Draws an image file into the box. Returns false if it cannot be decoded.
bool draw_image(const struct offstage_ink_target *target, const struct offstage_ink_image_head *box, const uint8_t *bytes, size_t count);

/// Draws a page, or fails. Returns the facts about it.
uint32_t draw_page(
    const struct document *document, const struct offstage_ink_options *options, const uint8_t *backdrop,
    struct offstage_worker_reply *reply);

#endif
