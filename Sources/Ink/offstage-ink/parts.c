// The parts of a page that others draw: images in other formats, and letters in files of other formats.
#include <stdlib.h>
#include <string.h>

#include "outlines.h"
#include "picture.h"
#include "text.h"

size_t page_items(const struct document *document, const struct page *page, size_t *first) {
    *first = 0;
    if (page->layer_count == 0) return 0;
    const struct layer *layer = &document->layers[page->layers], *last = layer + page->layer_count - 1;
    *first = layer->items;
    return last->items + last->item_count - layer->items;
}

static bool is_foreign(const struct document *document, const struct item *item) {
    return item->kind == ITEM_IMAGE && item->byte_count > 0 && !is_png(document->bytes + item->bytes, item->byte_count);
}

bool needs_pictures(const struct document *document, const struct page *page) {
    size_t first, count = page_items(document, page, &first);
    for (size_t i = 0; i < count; i++)
        if (is_foreign(document, &document->items[first + i])) return true;
    return false;
}

uint8_t *answer_bytes(struct offstage_worker_reply *reply, size_t count) {
    uint64_t rows = (count + sizeof(uint64_t) + 4095) / 4096, size = count;
    uint8_t *bytes = offstage_worker_picture(reply, 1024, rows, true);
    if (!bytes) return NULL;
    memcpy(bytes, &size, sizeof size);
    return bytes + sizeof size;
}

static uint8_t *put(uint8_t *at, const void *bytes, size_t count) {
    if (count) memcpy(at, bytes, count);
    return at + count;
}

void answer_images(struct document *document, const struct page *page, struct offstage_worker_reply *reply) {
    const size_t head = sizeof(struct offstage_ink_record) + sizeof(uint32_t) + sizeof(struct offstage_ink_image_head);
    size_t first, count = page_items(document, page, &first), size = 0;
    for (size_t i = 0; i < count; i++) {
        const struct item *item = &document->items[first + i];
        if (is_foreign(document, item)) size += head + item->byte_count;
    }
    uint8_t *at = answer_bytes(reply, size);
    for (size_t i = 0; at && i < count; i++) {
        const struct item *item = &document->items[first + i];
        if (!is_foreign(document, item)) continue;
        const struct offstage_ink_record record = {
            OFFSTAGE_INK_IMAGE, (uint32_t)(head - sizeof(struct offstage_ink_record) + item->byte_count)};
        const uint32_t number = (uint32_t)i;
        at = put(at, &record, sizeof record);
        at = put(at, &number, sizeof number);
        at = put(at, &item->head.image, sizeof item->head.image);
        at = put(at, document->bytes + item->bytes, item->byte_count);
    }
}

void answer_letters(struct document *document, const struct page *page, double scale, struct offstage_worker_reply *reply) {
    size_t first, count = page_items(document, page, &first);
    struct outlines outlines = {0};
    // The end of each text's outlines.
    size_t *ends = calloc(count + 1, sizeof *ends), size = 0;
    const size_t head = sizeof(struct offstage_ink_record) + sizeof(struct offstage_ink_letters_head), corner = 12;
    if (!ends) return document_stop(document, OFFSTAGE_WIRE_NO_MEMORY, 0, 0);
    for (size_t i = 0; i < count && !document->failure; i++) {
        const struct item *item = &document->items[first + i];
        bool is_text = item->kind == ITEM_TEXT;
        if (is_text && collect_text(&outlines, scale, item, document->bytes) == TEXT_NO_MEMORY)
            document_stop(document, OFFSTAGE_WIRE_NO_MEMORY, 0, 0);
        if (outlines.count * corner > document->most_bytes)
            document_stop(document, OFFSTAGE_INK_OVER_LIMIT, 1, document->most_bytes);
        ends[i + 1] = outlines.count;
        if (ends[i + 1] > ends[i]) size += head + (ends[i + 1] - ends[i]) * corner;
    }
    uint8_t *at = document->failure ? NULL : answer_bytes(reply, size);
    for (size_t i = 0; at && i < count; i++) {
        if (ends[i + 1] == ends[i]) continue;
        struct offstage_ink_letters_head letters = {.item = (uint32_t)i};
        memcpy(letters.color, document->items[first + i].head.text.color, 4);
        const struct offstage_ink_record record = {
            OFFSTAGE_INK_OUTLINES, (uint32_t)(sizeof letters + (ends[i + 1] - ends[i]) * corner)};
        at = put(at, &record, sizeof record);
        at = put(at, &letters, sizeof letters);
        for (size_t c = ends[i]; c < ends[i + 1]; c++) {
            const struct offstage_ink_corner *from = &outlines.corners[c];
            const uint32_t begins = from->begins;
            at = put(at, &from->x, sizeof from->x);
            at = put(at, &from->y, sizeof from->y);
            at = put(at, &begins, sizeof begins);
        }
    }
    free(ends);
    free(outlines.corners);
}
