// The decoders of this program.
#ifndef DECODERS_H
#define DECODERS_H

#include <offstage_sound.h>

void sndfile_decode(struct sound *sound);
void mp3_decode(struct sound *sound);

/// The length of the samples of a CAF file that says none, or more than there are. The library would refuse it.
struct caf_length {
    /// Of the length's 8 bytes in the file; 0 if it is right.
    int64_t place;
    /// In bytes; negative if the file says none.
    int64_t promised;
    int64_t present;
};

struct caf_length caf_samples(struct document *document);
/// Puts the right length into bytes that were read from a position.
void caf_correct(const struct caf_length *length, int64_t position, uint8_t *bytes, int64_t count);

/// True if the last page of an Ogg stream is not whole, or not marked as its last.
bool ogg_was_cut(struct document *document);

#endif
