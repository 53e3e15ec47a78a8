// The decoders of this program.
#ifndef DECODERS_H
#define DECODERS_H

#include <offstage_sound.h>

void sndfile_decode(struct sound *sound);
void mp3_decode(struct sound *sound);

/// Bytes that libsndfile reads instead of those in the document.
struct correction {
    int64_t place;
    int count;
    uint8_t bytes[8];
};

/// The corrections that libsndfile needs to decode a sound, or all of it.
struct corrections {
    int count;
    struct correction all[20];
    /// The parts of the sound, which are read one after the other: the chunks of samples in a WAV file. At least 1.
    int parts;
    /// The length of the samples in the head of a CAF file, and in the file, bytes; 0 if they agree or if the first one is unknown.
    int64_t promised, present;
    /// The frames in the head of a FLAC file; 0 if they are unknown.
    uint64_t frames;
    /// A length in the head was 0, with samples behind it.
    bool has_false_length;
    /// The sound has a codec that libsndfile does not have.
    bool has_other_codec;
    /// Not a beginning that libsndfile knows. It would look for another file.
    bool is_unknown;
};

/// Finds the corrections for a part of a document. Leaves the document at its start.
struct corrections corrections_for(struct document *document, int part);
/// The offset of the number of samples in a FLAC file.
#define FLAC_TOTAL 21

/// Those for a FLAC file with this number, which has five bytes.
struct corrections corrections_for_flac(const uint8_t *total);
/// Corrects `count` bytes that were read from an offset in the document.
void correct(const struct corrections *corrections, int64_t position, uint8_t *bytes, int64_t count);

/// A stream of an Ogg file. Several follow each other in the recording of a radio station, one for each title.
struct ogg_link {
    /// The offsets in the file of its first byte and behind its last one.
    int64_t start, end;
    /// Its last page is not whole, or not marked as its last.
    bool is_cut;
    /// FLAC, which `ogg_flac_open` unpacks.
    bool is_flac;
    /// Neither Vorbis, Opus nor FLAC.
    bool has_other_codec;
};

/// The stream that begins at `link->end`. Returns false at the end of the document.
bool ogg_next(struct document *document, struct ogg_link *link);

/// The FLAC file in the pages of an Ogg stream, which libsndfile does not unpack.
struct ogg_flac {
    /// Of each page, the offset of its content in the FLAC file and in the document.
    struct ogg_flac_page {
        int64_t place, offset;
    } *pages;
    size_t count;
    int64_t size, position;
};

/// Finds the pages of the stream that a document consists of. Returns false if there is none, or no memory. `ogg_flac_close` frees them.
bool ogg_flac_open(struct document *document, struct ogg_flac *flac);
/// Like `document_read`.
int64_t ogg_flac_read(struct document *document, struct ogg_flac *flac, void *bytes, int64_t size);
void ogg_flac_close(struct ogg_flac *flac);

#endif
