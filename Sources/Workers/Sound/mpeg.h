// The frames of MP3.
#ifndef MPEG_H
#define MPEG_H

#include <offstage_sound.h>

/// Reads a document in blocks: libmpg123 asks for single bytes while it looks for a frame.
struct mpeg_reader {
    struct document *document;
    /// The offset in the document of the first byte of the block, and the block's bytes.
    int64_t start, count;
    uint8_t bytes[65536];
};

/// Like `document_read`.
int64_t mpeg_read(struct mpeg_reader *reader, void *bytes, int64_t size);
/// Moves the document to the next frame that another one follows. Returns false if there is none.
bool mpeg_find(struct mpeg_reader *reader);

/// The facts in the first frame.
struct mpeg_head {
    /// The bytes of a frame of Fraunhofer's encoder that has a table instead of samples; 0 if there is none. libmpg123 would play it.
    int64_t vbri_size;
    /// The frame says how long the sound is: `frames`, of samples with VBRI, otherwise of MPEG.
    bool has_length;
    uint64_t frames;
    /// Its frames have no length in their heads, so that `mpeg_find` does not see them.
    bool has_free_rate;
};

/// Reads the first frame. Leaves the document at its start.
struct mpeg_head mpeg_head(struct mpeg_reader *reader);
/// Removes tags of the kinds APE and ID3v1 from a document's end: libmpg123 takes the first one for junk.
void mpeg_cut_tags(struct document *document);

#endif
