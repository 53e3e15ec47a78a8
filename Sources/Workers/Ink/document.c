#include "document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void document_free(struct document *document) {
    free(document->pages);
    free(document->layers);
    free(document->items);
    free(document->points);
    free(document->bytes);
    memset(document, 0, sizeof *document);
}

void document_stop(struct document *document, uint32_t code, uint64_t first, uint64_t second) {
    if (document->failure) return;
    document->failure = code;
    document->failure_numbers[0] = first;
    document->failure_numbers[1] = second;
}

static bool grow(struct document *document, void **memory, size_t *room, size_t count, size_t size) {
    if (count <= *room) return true;
    size_t wanted = *room < 16 ? 16 : *room;
    while (wanted < count) wanted += wanted / 2;
    void *larger = wanted <= SIZE_MAX / 2 / size ? realloc(*memory, wanted * size) : NULL;
    if (!larger) {
        document_stop(document, OFFSTAGE_WIRE_NO_MEMORY, 0, 0);
        return false;
    }
    *memory = larger;
    *room = wanted;
    return true;
}

#define GROW(document, array, extra) \
    grow(document, (void **)&(document)->array##s, &(document)->array##_room, (document)->array##_count + (extra), \
         sizeof *(document)->array##s)

struct page *document_add_page(struct document *document, float width, float height) {
    if (!GROW(document, page, 1)) return NULL;
    struct page *page = &document->pages[document->page_count++];
    *page = (struct page){.head = {.width = width, .height = height, .color = {255, 255, 255, 255}}};
    page->layers = document->layer_count;
    return page;
}

struct layer *document_add_layer(struct document *document, const char *name) {
    size_t length = name ? strlen(name) : 0;
    size_t place = length ? document_add_bytes(document, name, length) : 0;
    if (document->failure || !GROW(document, layer, 1) || document->page_count == 0) return NULL;
    struct layer *layer = &document->layers[document->layer_count++];
    *layer = (struct layer){place, length, document->item_count, 0};
    struct page *page = &document->pages[document->page_count - 1];
    page->layer_count++;
    page->head.layers++;
    return layer;
}

struct item *document_add_item(struct document *document, enum item_kind kind) {
    if (document->page_count == 0 && !document_add_page(document, 595.27559f, 841.88976f)) return NULL;
    struct page *page = &document->pages[document->page_count - 1];
    if (page->layer_count == 0 && !document_add_layer(document, NULL)) return NULL;
    if (!GROW(document, item, 1)) return NULL;
    struct item *item = &document->items[document->item_count++];
    memset(item, 0, sizeof *item);
    item->kind = kind;
    item->points = document->point_count;
    document->layers[document->layer_count - 1].item_count++;
    if (kind == ITEM_STROKE) {
        document->stroke_count++;
        page->head.strokes++;
    }
    return item;
}

size_t document_add_bytes(struct document *document, const void *bytes, size_t count) {
    if (count > document->most_bytes || document->byte_count > document->most_bytes - count) {
        document_stop(document, OFFSTAGE_INK_OVER_LIMIT, 1, document->most_bytes);
        return 0;
    }
    if (!GROW(document, byte, count)) return 0;
    size_t place = document->byte_count;
    if (count) memcpy(document->bytes + place, bytes, count);
    document->byte_count += count;
    return place;
}

void document_add_point(struct document *document, struct offstage_ink_point point) {
    if (!(fabsf(point.x) <= OFFSTAGE_INK_FAR) || !(fabsf(point.y) <= OFFSTAGE_INK_FAR)) {
        document->facts |= OFFSTAGE_INK_HAS_BAD_POINTS;
        return;
    }
    if (document->point_count >= document->most_points)
        return document_stop(document, OFFSTAGE_INK_OVER_LIMIT, 0, document->most_points);
    if (!GROW(document, point, 1)) return;
    if (!(point.pressure >= 0 && point.pressure <= 1e4f)) point.pressure = 1;
    if (!(fabsf(point.tilt) <= 4)) point.tilt = 0;
    if (!(fabsf(point.azimuth) <= 8)) point.azimuth = 0;
    if (!(point.time >= 0 && point.time <= 1e9f)) point.time = 0;
    struct item *item = &document->items[document->item_count - 1];
    if (point.tilt != 0 || point.azimuth != 0) item->has_tilt = true;
    document->points[document->point_count++] = point;
    item->point_count++;
}

void document_fit_page(struct document *document, size_t number, float factor, float margin) {
    struct page *page = &document->pages[number];
    float left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY, widest = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t l = page->layers; l < page->layers + page->layer_count; l++) {
            struct layer *layer = &document->layers[l];
            for (size_t i = layer->items; i < layer->items + layer->item_count; i++) {
                struct item *item = &document->items[i];
                if (item->kind != ITEM_STROKE) continue;
                if (item->style.width > widest) widest = item->style.width;
                for (size_t p = item->points; p < item->points + item->point_count; p++) {
                    struct offstage_ink_point *point = &document->points[p];
                    if (pass == 0) {
                        left = fminf(left, point->x * factor), right = fmaxf(right, point->x * factor);
                        top = fminf(top, point->y * factor), bottom = fmaxf(bottom, point->y * factor);
                    } else {
                        point->x = point->x * factor - left + margin;
                        point->y = point->y * factor - top + margin;
                    }
                }
            }
        }
        if (pass == 0) margin += widest / 2;
    }
    page->head.width = left <= right ? right - left + 2 * margin : 2 * margin + 1;
    page->head.height = top <= bottom ? bottom - top + 2 * margin : 2 * margin + 1;
}
