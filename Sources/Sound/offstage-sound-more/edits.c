// The times at which the tracks of an MP4 file begin.
//
// An empty entry at the beginning of a track's edit list delays the track. GStreamer 1.26 compares times before the delay with times
// after it, and so drops as much of the track's end. Therefore GStreamer gets the list without these entries, as if the track were not
// delayed, and `container.c` adds the silence.

#define _GNU_SOURCE
#include "edits.h"

#include <string.h>
#include <unistd.h>

/// The maximum number of boxes to read. Only a hostile file has more.
#define MOST_BOXES 100000

/// The contents of a box.
struct box {
    char name[4];
    int64_t start, end;
};

static uint64_t number(const uint8_t *bytes, int size) {
    uint64_t number = 0;
    for (int i = 0; i < size; i++) number = number << 8 | bytes[i];
    return number;
}

/// Reads the header at a position, and moves to the next box. Returns false at the end, or if the box is invalid.
static bool next_box(struct document *document, int64_t *position, int64_t end, struct box *box, int *boxes_left) {
    uint8_t head[16];
    if (*boxes_left == 0 || end - *position < 8 || !document_read_at(document, *position, head, 8)) return false;
    (*boxes_left)--;
    uint64_t size = number(head, 4), head_size = 8;
    if (size == 1) {
        head_size = sizeof head;
        if (!document_read_at(document, *position, head, sizeof head)) return false;
        size = number(head + 8, 8);
    } else if (size == 0) {
        size = (uint64_t)(end - *position);
    }
    if (size < head_size || size > (uint64_t)(end - *position)) return false;
    memcpy(box->name, head + 4, sizeof box->name);
    box->start = *position + (int64_t)head_size;
    *position = box->end = *position + (int64_t)size;
    return true;
}

/// Finds the first box of a name within another one.
static bool find_box(struct document *document, struct box within, const char *name, struct box *box, int *boxes_left) {
    int64_t position = within.start;
    while (next_box(document, &position, within.end, box, boxes_left))
        if (memcmp(box->name, name, sizeof box->name) == 0) return true;
    return false;
}

/// Reads a number that follows two times. The size of the times depends on the box's version. Returns 0 if there is none.
static uint32_t number_after_times(struct document *document, struct box box) {
    uint8_t bytes[24];
    if (box.end - box.start < (int64_t)sizeof bytes || !document_read_at(document, box.start, bytes, sizeof bytes)) return 0;
    return (uint32_t)number(bytes + (bytes[0] == 1 ? 20 : 12), 4);
}

/// Reads a list. Returns false if it does not begin with an empty entry.
static bool read_list(struct document *document, struct box list, uint32_t timescale, struct edit *edit) {
    uint8_t bytes[20];
    if (list.end - list.start < 8 || !document_read_at(document, list.start, bytes, 8)) return false;
    int width = bytes[0] == 1 ? 8 : 4;
    int64_t entry_size = 2 * width + 4;
    edit->count = (uint32_t)number(bytes + 4, 4);
    edit->entries = list.start + 8;
    edit->end = edit->entries + edit->count * entry_size;
    if (edit->end > list.end) return false;
    uint64_t duration = 0;
    uint32_t empty = 0;
    for (; empty < edit->count; empty++) {
        if (!document_read_at(document, edit->entries + empty * entry_size, bytes, entry_size)) return false;
        // An empty edit's time in the track is -1.
        if (number(bytes + width, 4) != UINT32_MAX || number(bytes + 2 * width - 4, 4) != UINT32_MAX) break;
        if (__builtin_add_overflow(duration, number(bytes, width), &duration)) return false;
    }
    // A list without other entries plays nothing.
    if (empty == 0 || empty == edit->count) return false;
    edit->count -= empty;
    edit->shift = empty * entry_size;
    edit->start = gst_util_uint64_scale(duration, GST_SECOND, timescale);
    return true;
}

void edits_find(struct document *document, struct edits *edits) {
    int64_t position = document->position;
    int boxes_left = MOST_BOXES;
    struct box movie = {0}, box, track, list;
    bool is_found = find_box(document, (struct box){.end = document->size}, "moov", &movie, &boxes_left)
        && find_box(document, movie, "mvhd", &box, &boxes_left);
    uint32_t timescale = is_found ? number_after_times(document, box) : 0;
    for (int64_t next = movie.start; timescale > 0 && edits->size < G_N_ELEMENTS(edits->all);) {
        struct edit *edit = &edits->all[edits->size];
        if (!next_box(document, &next, movie.end, &track, &boxes_left)) break;
        if (memcmp(track.name, "trak", sizeof track.name) != 0) continue;
        if (!find_box(document, track, "tkhd", &box, &boxes_left)) continue;
        edit->track = number_after_times(document, box);
        if (find_box(document, track, "edts", &box, &boxes_left) && find_box(document, box, "elst", &list, &boxes_left)
            && read_list(document, list, timescale, edit))
            edits->size++;
    }
    document_seek(document, position, SEEK_SET);
}

void edits_apply(const struct edits *edits, struct document *document, int64_t offset, uint8_t *bytes, int64_t size) {
    int64_t position = document->position, end = offset + size;
    for (size_t i = 0; i < edits->size; i++) {
        const struct edit *edit = &edits->all[i];
        for (int64_t at = MAX(offset, edit->entries - 4); at < MIN(end, edit->entries); at++)
            bytes[at - offset] = (uint8_t)(edit->count >> 8 * (edit->entries - 1 - at));
        int64_t first = MAX(offset, edit->entries), last = MIN(end, edit->end - edit->shift);
        if (first < last && !document_read_at(document, first + edit->shift, bytes + (first - offset), last - first))
            memset(bytes + (first - offset), 0, last - first);
        first = MAX(offset, edit->end - edit->shift), last = MIN(end, edit->end);
        if (first < last) memset(bytes + (first - offset), 0, last - first);
    }
    document_seek(document, position, SEEK_SET);
}

GstClockTime edits_start(const struct edits *edits, GstPad *pad) {
    g_autofree gchar *stream = gst_pad_get_stream_id(pad);
    // GStreamer names a stream by its track's number, after a slash.
    const char *track = stream ? strrchr(stream, '/') : NULL;
    if (!track) return 0;
    guint64 number = g_ascii_strtoull(track + 1, NULL, 10);
    for (size_t i = 0; i < edits->size; i++)
        if (edits->all[i].track == number) return edits->all[i].start;
    return 0;
}
