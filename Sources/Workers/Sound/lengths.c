// Finds files that were cut or are unfinished, where libsndfile refuses them or does not report it.

#include <string.h>
#include <unistd.h>

#include "decoders.h"

/// The largest page of an Ogg stream: a head, 255 lengths, and as many parts of 255 bytes.
#define LARGEST_OGG_PAGE (27 + 255 + 255 * 255)

static bool read_at(struct document *document, int64_t position, void *bytes, int64_t size) {
    return document_seek(document, position, SEEK_SET) == position && document_read(document, bytes, size) == size;
}

struct caf_length caf_samples(struct document *document) {
    struct caf_length length = {0};
    uint8_t head[12];
    int64_t position = 8;
    if (!read_at(document, 0, head, 8) || memcmp(head, "caff", 4) != 0) position = document->size;
    // Only a hostile file has more chunks.
    for (int chunk = 0; chunk < 1000 && read_at(document, position, head, sizeof head); chunk++) {
        int64_t size = 0;
        for (int i = 4; i < 12; i++) size = (int64_t)((uint64_t)size << 8 | head[i]);
        int64_t left = document->size - position - (int64_t)sizeof head;
        bool is_whole = size >= 0 && size <= left;
        if (memcmp(head, "data", 4) == 0 && !is_whole) {
            length.place = position + 4;
            length.promised = size;
            length.present = left;
        }
        if (!is_whole || length.place > 0) break;
        position += (int64_t)sizeof head + size;
    }
    document_seek(document, 0, SEEK_SET);
    return length;
}

void caf_correct(const struct caf_length *length, int64_t position, uint8_t *bytes, int64_t count) {
    if (length->place == 0) return;
    for (int i = 0; i < 8; i++) {
        int64_t index = length->place + i - position;
        if (index >= 0 && index < count) bytes[index] = (uint8_t)((uint64_t)length->present >> (56 - 8 * i));
    }
}

bool ogg_was_cut(struct document *document) {
    static uint8_t end[LARGEST_OGG_PAGE];
    int64_t position = document->position;
    int64_t count = document->size < LARGEST_OGG_PAGE ? document->size : LARGEST_OGG_PAGE;
    bool is_read = read_at(document, document->size - count, end, count);
    document_seek(document, position, SEEK_SET);
    if (!is_read) return false;
    for (int64_t place = count - 4; place >= 0; place--) {
        if (memcmp(end + place, "OggS", 4) != 0) continue;
        const uint8_t *page = end + place;
        int64_t left = count - place;
        if (left < 27 || left < 27 + page[26]) return true;
        int64_t size = 27 + page[26];
        for (int i = 0; i < page[26]; i++) size += page[27 + i];
        bool is_last = (page[5] & 4) != 0;
        return left < size || !is_last;
    }
    return true;
}
