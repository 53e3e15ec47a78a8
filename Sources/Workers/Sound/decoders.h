// The decoders of this program.
#ifndef DECODERS_H
#define DECODERS_H

#include <offstage_sound.h>

void sndfile_decode(struct sound *sound);
void mp3_decode(struct sound *sound);

/// A correction of the samples' length in the head of a CAF file. libsndfile refuses a file whose length is unknown, or beyond the
/// end of the file.
struct caf_length {
    /// The offset in the file of the length, 8 bytes; 0 if no correction is necessary.
    int64_t place;
    /// The length in the head, bytes; negative if it is unknown.
    int64_t promised;
    /// The bytes of samples in the file.
    int64_t present;
};

/// Finds the correction for a document. Leaves the document at its start.
struct caf_length caf_samples(struct document *document);
/// Corrects `count` bytes that were read from an offset in the file.
void caf_correct(const struct caf_length *length, int64_t position, uint8_t *bytes, int64_t count);

/// True if the last page of an Ogg stream is not whole, or not marked as its last.
bool ogg_was_cut(struct document *document);

#endif
