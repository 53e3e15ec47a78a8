#include "document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The maximum number of texture images in a document.
#define MOST_MASKS 256

void document_free(struct document *document) {
    free(document->pages);
    free(document->layers);
    free(document->items);
    free(document->points);
    free(document->textures);
    for (size_t i = 0; i < document->mask_count; i++) offstage_ink_shape_free(document->masks[i].shape);
    free(document->masks);
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
    if (kind == ITEM_STROKE) item->points = document->point_count;
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

void document_add_text(
    struct document *document, const struct offstage_ink_text_head *head, const char *font, const char *text, size_t count) {
    size_t length = strlen(font) + 1, place = document_add_bytes(document, font, length);
    document_add_bytes(document, text, count);
    struct item *item = document->failure ? NULL : document_add_item(document, ITEM_TEXT);
    if (!item) return;
    item->head.text = *head;
    item->bytes = place;
    item->byte_count = length + count;
}

void document_add_image(
    struct document *document, const struct offstage_ink_image_head *head, const char *source, size_t source_count, const void *bytes,
    size_t count) {
    size_t source_place = source_count ? document_add_bytes(document, source, source_count) : 0;
    size_t place = document_add_bytes(document, bytes, count);
    struct item *item = document->failure ? NULL : document_add_item(document, ITEM_IMAGE);
    if (!item) return;
    item->head.image = *head;
    item->source = source_place;
    item->source_count = source_count;
    item->bytes = place;
    item->byte_count = count;
}

void document_add_texture(struct document *document, const struct offstage_ink_texture *texture) {
    bool is_known = texture->shape != OFFSTAGE_INK_OWN_SHAPE;
    for (size_t i = 0; i < document->mask_count && !is_known; i++) is_known = document->masks[i].image == texture->image;
    if (texture->shape > OFFSTAGE_INK_OWN_SHAPE) is_known = false;
    if (!is_known) document->facts |= OFFSTAGE_INK_HAS_BAD_TEXTURE;
    if (!is_known || texture->shape == OFFSTAGE_INK_NO_SHAPE || document->item_count == 0 || !GROW(document, texture, 1)) return;
    document->textures[document->texture_count++] = *texture;
    document->items[document->item_count - 1].head.texture = document->texture_count;
}

const struct offstage_ink_texture *document_texture(
    const struct document *document, const struct item *item, const struct offstage_ink_shape **shape) {
    *shape = NULL;
    if (item->kind != ITEM_STROKE || item->head.texture == 0) return NULL;
    const struct offstage_ink_texture *texture = &document->textures[item->head.texture - 1];
    for (size_t i = 0; texture->shape == OFFSTAGE_INK_OWN_SHAPE && i < document->mask_count; i++)
        if (document->masks[i].image == texture->image) *shape = document->masks[i].shape;
    return texture;
}

bool document_add_mask(struct document *document, uint64_t image, uint32_t side, const uint8_t *bytes) {
    for (size_t i = 0; i < document->mask_count; i++)
        if (document->masks[i].image == image) return true;
    struct offstage_ink_shape *shape = document->mask_count < MOST_MASKS && image ? offstage_ink_shape_new(bytes, side) : NULL;
    size_t place = shape ? document_add_bytes(document, bytes, (size_t)side * side) : 0;
    if (!shape || document->failure || !GROW(document, mask, 1)) {
        offstage_ink_shape_free(shape);
        document->facts |= OFFSTAGE_INK_HAS_BAD_TEXTURE;
        return false;
    }
    document->masks[document->mask_count++] = (struct mask){image, side, place, shape};
    return true;
}

void document_add_copy(struct document *document, const struct document *from, const struct item *item, float x, float y) {
    size_t place = item->kind == ITEM_STROKE ? 0 : document_add_bytes(document, from->bytes + item->bytes, item->byte_count);
    struct item *copy = document->failure ? NULL : document_add_item(document, item->kind);
    if (!copy) return;
    copy->style = item->style;
    if (item->kind != ITEM_STROKE) copy->head = item->head;
    copy->bytes = place;
    copy->byte_count = item->byte_count;
    if (item->kind == ITEM_TEXT) copy->head.text.x += x, copy->head.text.y += y;
    if (item->kind == ITEM_IMAGE) {
        copy->head.image.left += x, copy->head.image.right += x;
        copy->head.image.top += y, copy->head.image.bottom += y;
    }
    for (size_t i = 0; item->kind == ITEM_STROKE && i < item->point_count && !document->failure; i++) {
        struct offstage_ink_point point = from->points[item->points + i];
        point.x += x, point.y += y;
        document_add_point(document, point);
    }
}

/// The estimated bounds of a text, assuming letters of average width.
static struct offstage_ink_box text_box(const struct document *document, const struct item *item) {
    const struct offstage_ink_text_head *head = &item->head.text;
    const char *bytes = (const char *)document->bytes + item->bytes;
    size_t at = strnlen(bytes, item->byte_count) + 1, longest = 0, lines = 1, length = 0;
    for (; at < item->byte_count; at++) {
        length = bytes[at] == '\n' ? 0 : length + ((uint8_t)bytes[at] >> 6 != 2);
        if (bytes[at] == '\n') lines++;
        if (length > longest) longest = length;
    }
    return (struct offstage_ink_box){
        head->x, head->y, head->x + 0.6f * head->size * (float)longest, head->y + 1.2f * head->size * (float)lines};
}

bool document_item_box(
    const struct document *document, const struct item *item, bool has_width, struct offstage_ink_box *box) {
    struct offstage_ink_style style = item->style;
    const struct offstage_ink_shape *shape;
    const struct offstage_ink_texture *texture = has_width ? document_texture(document, item, &shape) : NULL;
    if (!has_width) style.width = 0, style.smoothing = 0;
    const struct offstage_ink_image_head *image = &item->head.image;
    switch (item->kind) {
    case ITEM_STROKE:
        *box = offstage_ink_bounds(&style, texture, document->points + item->points, 0, item->point_count);
        return item->point_count > 0 && box->left <= box->right;
    case ITEM_TEXT: *box = text_box(document, item); break;
    case ITEM_IMAGE:
        *box = (struct offstage_ink_box){
            fminf(image->left, image->right), fminf(image->top, image->bottom), fmaxf(image->left, image->right),
            fmaxf(image->top, image->bottom)};
    }
    return isfinite(box->left) && isfinite(box->top) && isfinite(box->right) && isfinite(box->bottom);
}

/// Enlarges and moves an item.
static void map_item(struct document *document, struct item *item, float factor, float x, float y) {
    struct offstage_ink_image_head *image = &item->head.image;
    switch (item->kind) {
    case ITEM_STROKE:
        for (size_t p = item->points; p < item->points + item->point_count; p++) {
            struct offstage_ink_point *point = &document->points[p];
            point->x = point->x * factor + x;
            point->y = point->y * factor + y;
        }
        break;
    case ITEM_TEXT:
        item->head.text.x = item->head.text.x * factor + x;
        item->head.text.y = item->head.text.y * factor + y;
        break;
    case ITEM_IMAGE:
        image->left = image->left * factor + x, image->right = image->right * factor + x;
        image->top = image->top * factor + y, image->bottom = image->bottom * factor + y;
    }
}

void document_fit_page(struct document *document, size_t number, float factor, float margin) {
    struct page *page = &document->pages[number];
    if (page->layer_count == 0) return;
    const struct layer *first = &document->layers[page->layers], *last = first + page->layer_count - 1;
    float left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY, widest = 0;
    for (size_t i = first->items; i < last->items + last->item_count; i++) {
        const struct item *item = &document->items[i];
        struct offstage_ink_box box;
        if (item->kind == ITEM_STROKE && item->style.width > widest) widest = item->style.width;
        if (!document_item_box(document, item, false, &box)) continue;
        left = fminf(left, box.left * factor), right = fmaxf(right, box.right * factor);
        top = fminf(top, box.top * factor), bottom = fmaxf(bottom, box.bottom * factor);
    }
    margin += widest / 2;
    if (!(left <= right && top <= bottom)) left = right = top = bottom = 0;
    for (size_t i = first->items; i < last->items + last->item_count; i++)
        map_item(document, &document->items[i], factor, margin - left, margin - top);
    page->head.width = right - left + 2 * margin;
    page->head.height = bottom - top + 2 * margin;
}
