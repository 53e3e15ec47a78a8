// Ink as the host reads it.
#include "records.h"

#include <string.h>

static const char magic[8] = "offsink1";

static size_t point_size(const struct item *item) { return item->has_tilt ? 24 : 16; }

static size_t item_size(const struct item *item) {
    switch (item->kind) {
    case ITEM_STROKE: return sizeof(struct offstage_ink_stroke_head) + item->point_count * point_size(item);
    case ITEM_TEXT: return sizeof(struct offstage_ink_text_head) + item->byte_count;
    case ITEM_IMAGE: return sizeof(struct offstage_ink_image_head) + item->byte_count;
    }
    return 0;
}

/// With its head, without those of its items.
static size_t record(size_t size) { return sizeof(struct offstage_ink_record) + size; }

size_t records_size(const struct document *document) {
    size_t size = sizeof magic;
    for (size_t i = 0; i < document->page_count; i++)
        size += record(sizeof(struct offstage_ink_page) + document->pages[i].name_count);
    for (size_t i = 0; i < document->layer_count; i++) size += record(document->layers[i].name_count);
    for (size_t i = 0; i < document->item_count; i++) size += record(item_size(&document->items[i]));
    return size;
}

static void put(uint8_t **at, const void *bytes, size_t count) {
    if (count) memcpy(*at, bytes, count);
    *at += count;
}

static void put_head(uint8_t **at, uint32_t kind, size_t size) {
    const struct offstage_ink_record head = {kind, (uint32_t)size};
    put(at, &head, sizeof head);
}

static void put_stroke(const struct document *document, const struct item *item, uint8_t **at) {
    put_head(at, OFFSTAGE_INK_STROKE, item_size(item));
    const struct offstage_ink_stroke_head head = {item->style, item->has_tilt, (uint32_t)item->point_count};
    put(at, &head, sizeof head);
    for (size_t i = 0; i < item->point_count; i++) {
        const struct offstage_ink_point *point = &document->points[item->points + i];
        const float small[4] = {point->x, point->y, point->pressure, point->time};
        if (item->has_tilt) put(at, point, sizeof *point);
        else put(at, small, sizeof small);
    }
}

void write_records(const struct document *document, uint8_t *bytes) {
    uint8_t *at = bytes;
    put(&at, magic, sizeof magic);
    for (size_t p = 0; p < document->page_count; p++) {
        const struct page *page = &document->pages[p];
        put_head(&at, OFFSTAGE_INK_PAGE, sizeof page->head + page->name_count);
        put(&at, &page->head, sizeof page->head);
        put(&at, document->bytes + page->name, page->name_count);
        for (size_t l = page->layers; l < page->layers + page->layer_count; l++) {
            const struct layer *layer = &document->layers[l];
            put_head(&at, OFFSTAGE_INK_LAYER, layer->name_count);
            put(&at, document->bytes + layer->name, layer->name_count);
            for (size_t i = layer->items; i < layer->items + layer->item_count; i++) {
                const struct item *item = &document->items[i];
                if (item->kind == ITEM_STROKE) {
                    put_stroke(document, item, &at);
                    continue;
                }
                bool is_text = item->kind == ITEM_TEXT;
                put_head(&at, is_text ? OFFSTAGE_INK_TEXT : OFFSTAGE_INK_IMAGE, item_size(item));
                put(&at, &item->head, is_text ? sizeof item->head.text : sizeof item->head.image);
                put(&at, document->bytes + item->bytes, item->byte_count);
            }
        }
    }
}

bool is_records(const uint8_t *bytes, size_t count) { return count >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0; }

static void read_stroke(struct document *document, const uint8_t *bytes, size_t size) {
    struct offstage_ink_stroke_head head;
    if (size < sizeof head) return document_stop(document, OFFSTAGE_INK_DAMAGED, 0, 0);
    memcpy(&head, bytes, sizeof head);
    size_t step = head.has_tilt ? 24 : 16;
    if ((size - sizeof head) / step < head.count) return document_stop(document, OFFSTAGE_INK_DAMAGED, 0, 0);
    struct item *item = document_add_item(document, ITEM_STROKE);
    if (!item) return;
    item->style = head.style;
    if (item->style.dash_count > OFFSTAGE_INK_DASHES) item->style.dash_count = OFFSTAGE_INK_DASHES;
    for (uint32_t i = 0; i < head.count && !document->failure; i++) {
        struct offstage_ink_point point = {0};
        float small[4];
        const uint8_t *from = bytes + sizeof head + i * step;
        if (head.has_tilt) memcpy(&point, from, sizeof point);
        else {
            memcpy(small, from, sizeof small);
            point = (struct offstage_ink_point){.x = small[0], .y = small[1], .pressure = small[2], .time = small[3]};
        }
        document_add_point(document, point);
    }
}

static void read_record(struct document *document, struct offstage_ink_record head, const uint8_t *bytes) {
    struct offstage_ink_page page;
    struct item *item;
    switch (head.kind) {
    case OFFSTAGE_INK_PAGE:
        if (head.size < sizeof page) return document_stop(document, OFFSTAGE_INK_DAMAGED, 0, 0);
        memcpy(&page, bytes, sizeof page);
        size_t name = document_add_bytes(document, bytes + sizeof page, head.size - sizeof page);
        struct page *added = document->failure ? NULL : document_add_page(document, page.width, page.height);
        if (!added) return;
        page.strokes = page.layers = page.facts = 0;
        added->head = page;
        added->name = name;
        added->name_count = head.size - sizeof page;
        return;
    case OFFSTAGE_INK_LAYER: document_add_layer(document, NULL); return; // Names are not drawn.
    case OFFSTAGE_INK_STROKE: read_stroke(document, bytes, head.size); return;
    case OFFSTAGE_INK_TEXT:
    case OFFSTAGE_INK_IMAGE:
        if (head.size < sizeof(struct offstage_ink_image_head)) return document_stop(document, OFFSTAGE_INK_DAMAGED, 0, 0);
        size_t size = sizeof(struct offstage_ink_image_head), place = document_add_bytes(document, bytes + size, head.size - size);
        item = document->failure ? NULL : document_add_item(document, head.kind == OFFSTAGE_INK_TEXT ? ITEM_TEXT : ITEM_IMAGE);
        if (!item) return;
        memcpy(&item->head, bytes, size);
        item->bytes = place;
        item->byte_count = head.size - size;
    }
}

void read_records(struct document *document, const uint8_t *bytes, size_t count) {
    document->format = OFFSTAGE_INK_RECORDS;
    size_t at = sizeof magic;
    while (count - at >= sizeof(struct offstage_ink_record) && !document->failure) {
        struct offstage_ink_record head;
        memcpy(&head, bytes + at, sizeof head);
        at += sizeof head;
        if (head.size > count - at) return document_stop(document, OFFSTAGE_INK_DAMAGED, 0, 0);
        read_record(document, head, bytes + at);
        at += head.size;
    }
    if (document->page_count == 0) document_stop(document, OFFSTAGE_INK_DAMAGED, 0, 0);
}
