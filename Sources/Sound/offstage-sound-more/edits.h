// The times at which the tracks of an MP4 file begin.
#ifndef EDITS_H
#define EDITS_H

#include <gst/gst.h>

#include "container.h"

/// An edit list that begins with empty entries.
struct edit {
    uint32_t track;
    /// The number of the other entries.
    uint32_t count;
    /// The time at which the track begins.
    GstClockTime start;
    /// The offsets of the first entry and of the list's end, and the size of the empty entries in bytes.
    int64_t entries, end, shift;
};

struct edits {
    struct edit all[OFFSTAGE_SOUND_TRACKS];
    size_t size;
};

/// Finds the lists. Restores the document's position.
void edits_find(struct document *document, struct edits *edits);
/// Removes the empty entries from bytes that were read at an offset. Restores the document's position.
void edits_apply(const struct edits *edits, struct document *document, int64_t offset, uint8_t *bytes, int64_t size);
/// The time at which the track of a pad begins.
GstClockTime edits_start(const struct edits *edits, GstPad *pad);

#endif
