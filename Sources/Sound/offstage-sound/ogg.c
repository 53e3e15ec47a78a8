// Finds the streams of an Ogg file. libsndfile reads only the first one.

#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>

#include "decoders.h"

/// The size of a page's header before its segment table, and the maximum size of both together.
#define HEAD 27
#define LARGEST_HEAD (HEAD + 255)

/// The offset of the next page's signature, or the document's size.
static int64_t find_page(struct document *document, int64_t position) {
    static uint8_t block[65536];
    while (position + 4 <= document->size) {
        document_seek(document, position, SEEK_SET);
        int64_t count = document_read(document, block, sizeof block);
        if (count < 4) break;
        const uint8_t *found = memmem(block, (size_t)count, "OggS", 4);
        if (found) return position + (found - block);
        // The signature may start in the last bytes.
        position += count - 3;
    }
    return document->size;
}

bool ogg_next(struct document *document, struct ogg_link *link) {
    int64_t size = document->size, position = find_page(document, link->end);
    if (position >= size) return false;
    *link = (struct ogg_link){.start = position, .end = size, .is_cut = true};
    bool is_first = true, is_begun = false;
    while (position < size) {
        uint8_t page[LARGEST_HEAD];
        document_seek(document, position, SEEK_SET);
        int64_t count = document_read(document, page, sizeof page);
        if (count < HEAD || count < HEAD + page[26]) {
            link->is_cut = true;
            break;
        }
        if (memcmp(page, "OggS", 4) != 0) {
            position = find_page(document, position + 1);
            continue;
        }
        bool begins = page[5] & 2;
        // Streams that run in parallel, such as those of a video, start together.
        if (begins && is_begun) {
            link->end = position;
            break;
        }
        is_begun |= !begins;
        int64_t length = HEAD + page[26];
        if (is_first && count >= length + 8) {
            const uint8_t *name = page + length;
            link->is_flac = memcmp(name, "\x7F" "FLAC", 5) == 0 || memcmp(name, "fLaC", 4) == 0;
            link->has_other_codec = !link->is_flac && memcmp(name, "\1vorbis", 7) != 0 && memcmp(name, "OpusHead", 8) != 0;
        }
        is_first = false;
        for (int i = 0; i < page[26]; i++) length += page[HEAD + i];
        link->is_cut = position + length > size || !(page[5] & 4);
        position += length;
    }
    document_seek(document, 0, SEEK_SET);
    return true;
}
