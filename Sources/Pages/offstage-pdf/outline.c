// The outline of a document.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "document.h"
#include "targets.h"

/// The maximum length of a title, bytes.
#define TITLE 1024
/// The number of bytes to keep free in a report, so that records stay complete.
#define RESERVE (sizeof(struct offstage_pages_record) + TITLE + TARGET)
/// The maximum number of items in an outline, which is the limit of the library's object tables.
#define ITEMS (1u << 23)
#define LEVELS 4096
/// The processor time after which a report continues in the next job.
#define JOB_TIME (CLOCKS_PER_SEC)

/// The end of the last report. The next one continues there if it is about the same document.
static struct {
    uint64_t generation;
    uint32_t number;
    int level;
    pdfium_item path[LEVELS];
} position;

/// The reported items. A damaged outline may lead back to one of them, and would otherwise be endless.
static struct {
    pdfium_item *items;
    size_t count, room;
} seen;

static size_t slot_of(pdfium_item item) {
    size_t slot = ((uintptr_t)item >> 4) * 0x9e3779b97f4a7c15u & (seen.room - 1);
    while (seen.items[slot] && seen.items[slot] != item) slot = (slot + 1) & (seen.room - 1);
    return slot;
}

/// Records an item. False if it was already recorded, or if memory is short.
static bool is_new(pdfium_item item) {
    if (2 * (seen.count + 1) > seen.room) {
        size_t old_room = seen.room;
        pdfium_item *old = seen.items, *larger = calloc(old_room ? 2 * old_room : 1024, sizeof *larger);
        if (!larger) return false;
        seen.items = larger;
        seen.room = old_room ? 2 * old_room : 1024;
        for (size_t i = 0; i < old_room; i++)
            if (old[i]) larger[slot_of(old[i])] = old[i];
        free(old);
    }
    size_t slot = slot_of(item);
    if (seen.items[slot]) return false;
    seen.items[slot] = item;
    return seen.count++, true;
}

static void forget_items(void) {
    free(seen.items);
    memset(&seen, 0, sizeof seen);
}

static void begin(struct work *work) {
    forget_items();
    position.generation = document_generation();
    position.number = 0;
    position.level = 0;
    position.path[0] = pdfium.FPDFBookmark_GetFirstChild(work->document, NULL);
}

static void add_item(struct work *work, pdfium_item item) {
    static unsigned short units[2048];
    static char bytes[TITLE + TARGET];
    static struct target target;
    unsigned long length = pdfium.FPDFBookmark_GetTitle(item, units, sizeof units);
    size_t size = length < 2 || length > sizeof units ? 0 : text_utf8(units, length / 2 - 1, bytes, TITLE - 1);
    find_target(work, pdfium.FPDFBookmark_GetAction(item), pdfium.FPDFBookmark_GetDest(work->document, item), &target);
    bytes[size++] = 0;
    // For a page, the number is enough.
    size_t rest = target.page >= 0 ? 0 : strlen(target.text);
    memcpy(bytes + size, target.text, rest);
    int32_t top = target.top >= 0 ? (int32_t)lround(target.top * 1000) : -1;
    add_record(work, OFFSTAGE_PAGES_ITEM, (int32_t[4]){position.level, target.page, top}, bytes, size + rest);
}

/// Continues after the last item of a level.
static void ascend(struct work *work) {
    if (--position.level < 0) return;
    position.path[position.level] = pdfium.FPDFBookmark_GetNextSibling(work->document, position.path[position.level]);
}

void list_outline(struct work *work) {
    if (position.generation != document_generation() || position.number != work->options->page) begin(work);
    clock_t start = clock();
    uint32_t first = position.number;
    while (position.level >= 0 && position.number < ITEMS) {
        pdfium_item item = position.path[position.level];
        if (!item || !is_new(item)) {
            ascend(work);
            continue;
        }
        if (position.number >= work->options->page) add_item(work, item);
        position.number++;
        pdfium_item child = position.level + 1 < LEVELS ? pdfium.FPDFBookmark_GetFirstChild(work->document, item) : NULL;
        if (child) position.path[++position.level] = child;
        else position.path[position.level] = pdfium.FPDFBookmark_GetNextSibling(work->document, item);
        bool is_late = position.number > first && position.number > work->options->page && clock() - start > JOB_TIME;
        if (!is_late && work->size + RESERVE <= OFFSTAGE_WIRE_PAYLOAD) continue;
        work->report.facts |= OFFSTAGE_PAGES_MORE;
        work->report.next = position.number;
        return;
    }
    forget_items();
    position.generation = 0;
}
