// The decoders of this program.
#ifndef DECODERS_H
#define DECODERS_H

#include <offstage_sound.h>

void sndfile_decode(struct sound *sound);
void mp3_decode(struct sound *sound);

/// Bytes that replace those in the document for libsndfile.
struct correction {
    int64_t place;
    int count;
    uint8_t bytes[8];
};

/// The corrections that libsndfile needs to decode a sound at all, or completely.
struct corrections {
    int count;
    struct correction all[20];
    /// The parts of the sound, read in order: the chunks of samples in a WAV file. At least 1.
    int parts;
    /// The length of the samples according to a CAF file's header, and in the file, in bytes; 0 if they agree or the former is
    /// unknown.
    int64_t promised, present;
    /// The number of frames in a FLAC file's header; 0 if unknown.
    uint64_t frames;
    /// True if a length in the header was 0, but samples follow.
    bool has_false_length;
    /// True if libsndfile does not support the sound's codec.
    bool has_other_codec;
    /// True if libsndfile does not recognize the beginning. It would look for another file.
    bool is_unknown;
};

/// Finds the corrections for a part of a document. Leaves the document at its start.
struct corrections corrections_for(struct document *document, int part);
/// The offset of the number of samples in a FLAC file.
#define FLAC_TOTAL 21

/// The corrections for a FLAC file with this number, which has five bytes.
struct corrections corrections_for_flac(const uint8_t *total);
/// Corrects `count` bytes that were read from an offset in the document.
void correct(const struct corrections *corrections, int64_t position, uint8_t *bytes, int64_t count);

/// A stream of an Ogg file. A radio station's recording has several in sequence, one for each title.
struct ogg_link {
    /// The offsets in the file of its first byte and after its last one.
    int64_t start, end;
    /// True if its last page is incomplete, or not marked as the last.
    bool is_cut;
    /// True for FLAC, which `ogg_flac_open` unpacks.
    bool is_flac;
    /// Neither Vorbis, Opus nor FLAC.
    bool has_other_codec;
};

/// The stream that begins at `link->end`. Returns false at the end of the document.
bool ogg_next(struct document *document, struct ogg_link *link);

/// The FLAC file in the pages of an Ogg stream, which libsndfile does not unpack.
struct ogg_flac {
    /// For each page, the offset of its content in the FLAC file and in the document.
    struct ogg_flac_page {
        int64_t place, offset;
    } *pages;
    size_t count;
    int64_t size, position;
};

/// Finds the pages of the stream that a document consists of. Returns false if there is none, or if memory is short.
/// `ogg_flac_close` frees them.
bool ogg_flac_open(struct document *document, struct ogg_flac *flac);
/// Like `document_read`.
int64_t ogg_flac_read(struct document *document, struct ogg_flac *flac, void *bytes, int64_t size);
void ogg_flac_close(struct ogg_flac *flac);

#endif
