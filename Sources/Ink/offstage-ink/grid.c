// Splits one large sheet into pages.
#include <math.h>
#include <stdlib.h>

#include "board.h"

/// The maximum number of pages of a sheet. The rest is left out, which the document's facts record.
#define MOST_PAGES 10000

struct key {
    int32_t row, column;
};

struct keys {
    struct document *document;
    struct key *keys;
    size_t count;
};

static int compare(const void *a, const void *b) {
    const struct key *first = a, *second = b;
    if (first->row != second->row) return first->row < second->row ? -1 : 1;
    return first->column < second->column ? -1 : first->column > second->column;
}

/// Sorts the keys and removes duplicates.
static void tidy(struct keys *keys) {
    qsort(keys->keys, keys->count, sizeof *keys->keys, compare);
    size_t kept = 0;
    for (size_t i = 0; i < keys->count; i++)
        if (kept == 0 || compare(&keys->keys[kept - 1], &keys->keys[i]) != 0) keys->keys[kept++] = keys->keys[i];
    keys->count = kept;
}

static void add(struct keys *keys, int32_t row, int32_t column) {
    if (keys->count == 2 * MOST_PAGES) tidy(keys);
    if (keys->count < 2 * MOST_PAGES) keys->keys[keys->count++] = (struct key){row, column};
}

static int32_t place(double value, double step) { return (int32_t)fmin(fmax(floor(value / step), -1e6), 1e6); }

static void add_box(struct keys *keys, double left, double top, double right, double bottom, const struct offstage_ink_page *page) {
    int32_t last_row = place(bottom, page->height), last_column = place(right, page->width);
    int32_t first_row = place(top, page->height), first_column = place(left, page->width);
    if (((int64_t)last_row - first_row + 1) * ((int64_t)last_column - first_column + 1) > MOST_PAGES) {
        keys->document->facts |= OFFSTAGE_INK_IS_CUT;
        last_row = first_row < INT32_MAX - 99 && last_row > first_row + 99 ? first_row + 99 : last_row;
        last_column = last_column > first_column + 99 ? first_column + 99 : last_column;
    }
    for (int32_t row = first_row; row <= last_row; row++)
        for (int32_t column = first_column; column <= last_column; column++) add(keys, row, column);
}

static void find_pages(struct keys *keys, const struct document *sheet, const struct board_grid *grid) {
    // A sheet that extends a hair beyond a page needs no further page.
    const double hair = 0.1;
    if (grid->right > grid->left && grid->bottom > grid->top)
        add_box(keys, grid->left + hair, grid->top + hair, grid->right - hair, grid->bottom - hair, &grid->page);
    for (size_t i = 0; i < sheet->item_count; i++) {
        const struct item *item = &sheet->items[i];
        struct offstage_ink_box box;
        // Ignores the line's width, which alone does not require a page.
        if (!document_item_box(sheet, item, false, &box)) continue;
        add_box(keys, box.left + hair, box.top + hair, fmax(box.right - hair, box.left + hair), fmax(box.bottom - hair, box.top + hair), &grid->page);
    }
    tidy(keys);
    if (keys->count == 0) add(keys, 0, 0);
    if (keys->count > MOST_PAGES) {
        keys->document->facts |= OFFSTAGE_INK_IS_CUT;
        keys->count = MOST_PAGES;
    }
}

/// An item on a page.
struct pair {
    uint32_t page, item;
};

struct pairs {
    struct pair *pairs;
    size_t count, room;
};

static int compare_pairs(const void *a, const void *b) {
    const struct pair *first = a, *second = b;
    if (first->page != second->page) return first->page < second->page ? -1 : 1;
    return first->item < second->item ? -1 : first->item > second->item;
}

static bool add_pair(struct document *document, struct pairs *pairs, size_t page, size_t item) {
    if (pairs->count == pairs->room) {
        size_t room = pairs->room ? 2 * pairs->room : 1024;
        struct pair *larger = realloc(pairs->pairs, room * sizeof *larger);
        if (!larger) return document_stop(document, OFFSTAGE_WIRE_NO_MEMORY, 0, 0), false;
        pairs->pairs = larger;
        pairs->room = room;
    }
    pairs->pairs[pairs->count++] = (struct pair){(uint32_t)page, (uint32_t)item};
    return true;
}

/// Finds the pages that each item touches.
static void match(const struct keys *keys, const struct document *sheet, const struct board_grid *grid, struct pairs *pairs) {
    for (size_t i = 0; i < sheet->item_count && !keys->document->failure; i++) {
        struct offstage_ink_box box;
        if (!document_item_box(sheet, &sheet->items[i], true, &box)) continue;
        struct key first = {place(box.top, grid->page.height), place(box.left, grid->page.width)};
        struct key last = {place(box.bottom, grid->page.height), place(box.right, grid->page.width)};
        int64_t count = ((int64_t)last.row - first.row + 1) * ((int64_t)last.column - first.column + 1);
        if (count > (int64_t)keys->count) {
            for (size_t k = 0; k < keys->count; k++) {
                struct key key = keys->keys[k];
                if (key.row >= first.row && key.row <= last.row && key.column >= first.column && key.column <= last.column
                    && !add_pair(keys->document, pairs, k, i))
                    return;
            }
            continue;
        }
        for (int32_t row = first.row; row <= last.row; row++)
            for (int32_t column = first.column; column <= last.column; column++) {
                struct key *found = bsearch(&(struct key){row, column}, keys->keys, keys->count, sizeof *keys->keys, compare);
                if (found && !add_pair(keys->document, pairs, (size_t)(found - keys->keys), i)) return;
            }
    }
    if (pairs->count > 1) qsort(pairs->pairs, pairs->count, sizeof *pairs->pairs, compare_pairs);
}

void board_divide(struct document *document, const struct document *sheet, const struct board_grid *grid) {
    struct keys keys = {.document = document, .keys = malloc((2 * MOST_PAGES + 1) * sizeof *keys.keys)};
    struct pairs pairs = {0};
    if (!keys.keys) return document_stop(document, OFFSTAGE_WIRE_NO_MEMORY, 0, 0);
    find_pages(&keys, sheet, grid);
    match(&keys, sheet, grid, &pairs);
    size_t next = 0;
    for (size_t k = 0; k < keys.count && !document->failure; k++) {
        struct page *page = document_add_page(document, grid->page.width, grid->page.height);
        if (!page) break;
        page->head = grid->page;
        document_add_layer(document, NULL);
        float x = (float)keys.keys[k].column * grid->page.width, y = (float)keys.keys[k].row * grid->page.height;
        for (; next < pairs.count && pairs.pairs[next].page == k && !document->failure; next++)
            document_add_copy(document, sheet, &sheet->items[pairs.pairs[next].item], -x, -y);
        document_progress(document);
    }
    document->facts |= sheet->facts;
    free(pairs.pairs);
    free(keys.keys);
}
