// Converts points between the displayed page and its own coordinates.
#include <string.h>

#include "offstage_annotations.h"

double page_width(const struct page_space *space) {
    return space->rotation & 1 ? space->top - space->bottom : space->right - space->left;
}

double page_height(const struct page_space *space) {
    return space->rotation & 1 ? space->right - space->left : space->top - space->bottom;
}

struct page_place page_at(const struct page_space *space, double x, double y) {
    switch (space->rotation) {
    case 1: return (struct page_place){space->left + y, space->bottom + x};
    case 2: return (struct page_place){space->right - x, space->bottom + y};
    case 3: return (struct page_place){space->right - y, space->top - x};
    default: return (struct page_place){space->left + x, space->top - y};
    }
}

struct page_place page_shown(const struct page_space *space, double x, double y) {
    switch (space->rotation) {
    case 1: return (struct page_place){y - space->bottom, x - space->left};
    case 2: return (struct page_place){space->right - x, y - space->bottom};
    case 3: return (struct page_place){space->top - y, space->right - x};
    default: return (struct page_place){x - space->left, space->top - y};
    }
}

size_t annotation_read(const uint8_t *bytes, size_t size, struct annotation *annotation) {
    struct offstage_pages_annotation *head = &annotation->head;
    if (size < sizeof *head) return 0;
    memcpy(head, bytes, sizeof *head);
    const size_t limit = size;
    bool varies = head->pen & OFFSTAGE_PAGES_WIDTHS;
    const size_t sizes[8] = {
        4 * (size_t)head->stroke_count, 8 * (size_t)head->point_count, varies ? 4 * (size_t)head->point_count : 0,
        head->identifier_size, head->author_size, head->modified_size, head->family_size, head->text_size};
    const uint8_t *parts[8];
    size_t used = sizeof *head;
    for (int i = 0; i < 8; i++) {
        if (sizes[i] > limit - used) return 0;
        parts[i] = bytes + used;
        used += sizes[i];
    }
    used = (used + 3) & ~(size_t)3;
    if (used > limit) return 0;
    annotation->lengths = (const uint32_t *)(const void *)parts[0];
    annotation->points = (const int32_t *)(const void *)parts[1];
    annotation->widths = varies ? (const uint32_t *)(const void *)parts[2] : NULL;
    annotation->identifier = (const char *)parts[3];
    annotation->author = (const char *)parts[4];
    annotation->modified = (const char *)parts[5];
    annotation->family = (const char *)parts[6];
    annotation->text = (const char *)parts[7];
    uint64_t sum = 0;
    for (uint32_t i = 0; i < head->stroke_count; i++) sum += annotation->lengths[i];
    return sum <= head->point_count ? used : 0;
}
