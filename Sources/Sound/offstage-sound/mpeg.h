// The frames of MP3.
#ifndef MPEG_H
#define MPEG_H

#include <offstage_sound.h>

/// Reads a document in blocks, because libmpg123 requests single bytes while it searches for a frame.
struct mpeg_reader {
    struct document *document;
    /// The block's offset in the document, and its size.
    int64_t start, count;
    uint8_t bytes[65536];
};

/// Like `document_read`.
int64_t mpeg_read(struct mpeg_reader *reader, void *bytes, int64_t size);
/// Moves the document to the next frame that is followed by another one. Returns false if there is none.
bool mpeg_find(struct mpeg_reader *reader);

/// The facts in the first frame.
struct mpeg_head {
    /// The size of a frame from Fraunhofer's encoder that contains a table instead of samples; 0 if there is none. libmpg123
    /// would play it.
    int64_t vbri_size;
    /// True if the frame contains the sound's length. `frames` then counts samples with VBRI, or MPEG frames otherwise.
    bool has_length;
    uint64_t frames;
    /// True if the frame headers don't determine a length, so `mpeg_find` cannot find them.
    bool has_free_rate;
};

/// Reads the first frame. Leaves the document at its start.
struct mpeg_head mpeg_head(struct mpeg_reader *reader);
/// Removes APE and ID3v1 tags from a document's end, because libmpg123 mistakes the former for junk.
void mpeg_cut_tags(struct document *document);

#endif
