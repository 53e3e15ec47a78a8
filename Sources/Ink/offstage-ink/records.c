// Ink as records for the host.
#include "records.h"

#include <string.h>

static const char magic[8] = "offsink1";

/// The number of points that fill a part.
#define POINTS_BETWEEN_PARTS 4000

static size_t point_size(const struct item *item) { return item->has_tilt ? 24 : 16; }

static size_t texture_size(const struct item *item) { return item->head.texture ? sizeof(struct offstage_ink_texture) : 0; }

static size_t item_size(const struct item *item) {
    switch (item->kind) {
    case ITEM_STROKE:
        return sizeof(struct offstage_ink_stroke_head) + texture_size(item) + item->point_count * point_size(item);
    case ITEM_TEXT: return sizeof(struct offstage_ink_text_head) + item->byte_count;
    case ITEM_IMAGE:
        if (item->source_count) return sizeof(struct offstage_ink_formula_head) + item->source_count + item->byte_count;
        return sizeof(struct offstage_ink_image_head) + item->byte_count;
    }
    return 0;
}

/// The records sent so far.
static struct {
    struct offstage_worker_reply *reply;
    uint8_t buffer[OFFSTAGE_WIRE_PAYLOAD];
    size_t used;
    size_t masks, pages, layers, items;
    /// True if earlier records are void.
    bool begins;
} sent;

static void flush(void) {
    // Ignores the result: nothing displays the progress, and if the host is gone, this process ends anyway.
    if (sent.used) offstage_worker_part(sent.reply, sent.buffer, sent.used, 0, 0, (const uint64_t[2]){sent.begins, 0});
    if (sent.used) sent.begins = false;
    sent.used = 0;
}

static void put(const void *bytes, size_t count) {
    const uint8_t *from = bytes;
    while (count > 0) {
        size_t room = sizeof sent.buffer - sent.used, some = count < room ? count : room;
        memcpy(sent.buffer + sent.used, from, some);
        sent.used += some;
        from += some;
        count -= some;
        if (sent.used == sizeof sent.buffer) flush();
    }
}

static void put_head(uint32_t kind, size_t size) {
    const struct offstage_ink_record head = {kind, (uint32_t)size};
    put(&head, sizeof head);
}

static void put_mask(const struct document *document, const struct mask *mask) {
    size_t size = (size_t)mask->side * mask->side;
    const struct offstage_ink_mask_head head = {.image = mask->image, .side = mask->side};
    put_head(OFFSTAGE_INK_MASK, sizeof head + size);
    put(&head, sizeof head);
    put(document->bytes + mask->bytes, size);
}

static void put_item(const struct document *document, const struct item *item) {
    if (item->kind == ITEM_IMAGE && item->source_count) {
        put_head(OFFSTAGE_INK_FORMULA, item_size(item));
        const struct offstage_ink_formula_head head = {item->head.image, (uint32_t)item->source_count};
        put(&head, sizeof head);
        put(document->bytes + item->source, item->source_count);
        return put(document->bytes + item->bytes, item->byte_count);
    }
    if (item->kind != ITEM_STROKE) {
        bool is_text = item->kind == ITEM_TEXT;
        put_head(is_text ? OFFSTAGE_INK_TEXT : OFFSTAGE_INK_IMAGE, item_size(item));
        put(&item->head, is_text ? sizeof item->head.text : sizeof item->head.image);
        return put(document->bytes + item->bytes, item->byte_count);
    }
    put_head(OFFSTAGE_INK_STROKE, item_size(item));
    uint32_t flags = (item->has_tilt ? OFFSTAGE_INK_HAS_TILT : 0) | (item->head.texture ? OFFSTAGE_INK_HAS_TEXTURE : 0);
    const struct offstage_ink_stroke_head head = {item->style, flags, (uint32_t)item->point_count};
    put(&head, sizeof head);
    if (item->head.texture) put(&document->textures[item->head.texture - 1], sizeof *document->textures);
    for (size_t i = 0; i < item->point_count; i++) {
        const struct offstage_ink_point *point = &document->points[item->points + i];
        const float small[4] = {point->x, point->y, point->pressure, point->time};
        if (item->has_tilt) put(point, sizeof *point);
        else put(small, sizeof small);
    }
}

static void begin(bool begins) {
    sent.used = sent.masks = sent.pages = sent.layers = sent.items = 0;
    sent.begins = begins;
    put(magic, sizeof magic);
}

void begin_records(struct offstage_worker_reply *reply, struct document *document) {
    sent.reply = reply;
    begin(true);
    document->send = send_records;
    document->unsent = document->point_count;
}

void send_records(struct document *document) {
    // A page has changed since it was sent, for example one whose background follows its strokes.
    if (document->is_changed) begin(true);
    document->is_changed = false;
    for (; sent.masks < document->mask_count; sent.masks++) put_mask(document, &document->masks[sent.masks]);
    for (size_t p = sent.pages ? sent.pages - 1 : 0; p < document->page_count; p++) {
        const struct page *page = &document->pages[p];
        if (p == sent.pages) {
            put_head(OFFSTAGE_INK_PAGE, sizeof page->head + page->name_count);
            put(&page->head, sizeof page->head);
            put(document->bytes + page->name, page->name_count);
            sent.pages++;
        }
        for (size_t l = sent.layers > page->layers ? sent.layers - 1 : page->layers; l < page->layers + page->layer_count; l++) {
            const struct layer *layer = &document->layers[l];
            if (l == sent.layers) {
                put_head(OFFSTAGE_INK_LAYER, layer->name_count);
                put(document->bytes + layer->name, layer->name_count);
                sent.layers++;
            }
            for (; sent.items < layer->items + layer->item_count; sent.items++)
                put_item(document, &document->items[sent.items]);
        }
    }
    document->unsent = document->point_count;
    flush();
}

void end_records(struct document *document) {
    send_records(document);
    document->send = NULL;
}

void document_progress(struct document *document) {
    if (document->send && !document->failure && document->point_count - document->unsent >= POINTS_BETWEEN_PARTS) document->send(document);
}

void document_change_page(struct document *document, size_t page) {
    if (document->send && page < sent.pages) document->is_changed = true;
}

bool is_records(const uint8_t *bytes, size_t count) { return count >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0; }

static void read_stroke(struct document *document, const uint8_t *bytes, size_t size) {
    struct offstage_ink_stroke_head head;
    struct offstage_ink_texture texture;
    if (size < sizeof head) return document_stop(document, OFFSTAGE_INK_DAMAGED, 0, 0);
    memcpy(&head, bytes, sizeof head);
    size_t step = head.flags & OFFSTAGE_INK_HAS_TILT ? 24 : 16, start = sizeof head;
    if (head.flags & OFFSTAGE_INK_HAS_TEXTURE) start += sizeof texture;
    if (size < start || (size - start) / step < head.count) return document_stop(document, OFFSTAGE_INK_DAMAGED, 0, 0);
    struct item *item = document_add_item(document, ITEM_STROKE);
    if (!item) return;
    item->style = head.style;
    if (item->style.dash_count > OFFSTAGE_INK_DASHES) item->style.dash_count = OFFSTAGE_INK_DASHES;
    if (start > sizeof head) {
        memcpy(&texture, bytes + sizeof head, sizeof texture);
        document_add_texture(document, &texture);
    }
    for (uint32_t i = 0; i < head.count && !document->failure; i++) {
        struct offstage_ink_point point = {0};
        float small[4];
        const uint8_t *from = bytes + start + i * step;
        if (step == 24) memcpy(&point, from, sizeof point);
        else {
            memcpy(small, from, sizeof small);
            point = (struct offstage_ink_point){.x = small[0], .y = small[1], .pressure = small[2], .time = small[3]};
        }
        document_add_point(document, point);
    }
}

static void read_mask(struct document *document, const uint8_t *bytes, size_t size) {
    struct offstage_ink_mask_head head;
    if (size < sizeof head) return document_stop(document, OFFSTAGE_INK_DAMAGED, 0, 0);
    memcpy(&head, bytes, sizeof head);
    if (head.side > OFFSTAGE_INK_MOST_SIDE || size - sizeof head != (size_t)head.side * head.side)
        return document_stop(document, OFFSTAGE_INK_DAMAGED, 0, 0);
    document_add_mask(document, head.image, head.side, bytes + sizeof head);
}

static void read_formula(struct document *document, const uint8_t *bytes, size_t size) {
    struct offstage_ink_formula_head head;
    if (size < sizeof head) return document_stop(document, OFFSTAGE_INK_DAMAGED, 0, 0);
    memcpy(&head, bytes, sizeof head);
    if (head.source_size > size - sizeof head) return document_stop(document, OFFSTAGE_INK_DAMAGED, 0, 0);
    const uint8_t *source = bytes + sizeof head, *file = source + head.source_size;
    document_add_image(document, &head.image, (const char *)source, head.source_size, file, size - sizeof head - head.source_size);
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
    case OFFSTAGE_INK_MASK: read_mask(document, bytes, head.size); return;
    case OFFSTAGE_INK_FORMULA: read_formula(document, bytes, head.size); return;
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
