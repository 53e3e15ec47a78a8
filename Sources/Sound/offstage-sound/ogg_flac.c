// FLAC in Ogg: the pages of a stream contain a FLAC file, preceded by a few bytes.

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "decoders.h"

/// The size of a page's header before its segment table, and the maximum size of both together.
#define HEAD 27
#define LARGEST_HEAD (HEAD + 255)
/// The bytes before FLAC's signature: the mapping's name, its version, and the number of headers.
#define MAPPING 9
/// The maximum number; only a hostile file has more, because pages have some 4 KiB.
#define MOST_PAGES (4 << 20)

static bool add_page(struct ogg_flac *flac, int64_t offset, int64_t size) {
    if (flac->count == MOST_PAGES) return false;
    // Grows by powers of two.
    if ((flac->count & (flac->count - 1)) == 0) {
        size_t room = flac->count == 0 ? 1 : 2 * flac->count;
        struct ogg_flac_page *pages = realloc(flac->pages, room * sizeof *pages);
        if (!pages) return false;
        flac->pages = pages;
    }
    flac->pages[flac->count++] = (struct ogg_flac_page){.place = flac->size, .offset = offset};
    flac->size += size;
    return true;
}

bool ogg_flac_open(struct document *document, struct ogg_flac *flac) {
    *flac = (struct ogg_flac){0};
    int64_t position = 0;
    uint8_t first[4];
    while (position < document->size) {
        uint8_t page[LARGEST_HEAD];
        document_seek(document, position, SEEK_SET);
        int64_t count = document_read(document, page, sizeof page);
        if (count < HEAD || count < HEAD + page[26] || memcmp(page, "OggS", 4) != 0) break;
        // Another stream of the file, such as a video's, has another number.
        if (position == 0) memcpy(first, page + 14, sizeof first);
        bool is_own = memcmp(first, page + 14, sizeof first) == 0;
        int64_t length = 0, start = position + HEAD + page[26];
        for (int i = 0; i < page[26]; i++) length += page[HEAD + i];
        position = start + length;
        if (flac->count == 0 && page[HEAD + page[26]] == 0x7F && length > MAPPING) {
            start += MAPPING;
            length -= MAPPING;
        }
        if (start + length > document->size) length = document->size - start;
        if (is_own && length > 0 && !add_page(flac, start, length)) break;
    }
    return flac->count > 0;
}

/// The index of the last page that starts at or before a position.
static size_t page_at(const struct ogg_flac *flac, int64_t place) {
    size_t low = 0, high = flac->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (flac->pages[middle].place <= place) low = middle;
        else high = middle;
    }
    return low;
}

int64_t ogg_flac_read(struct document *document, struct ogg_flac *flac, void *bytes, int64_t size) {
    int64_t done = 0;
    for (size_t page = page_at(flac, flac->position); done < size && page < flac->count; page++) {
        int64_t end = page + 1 < flac->count ? flac->pages[page + 1].place : flac->size;
        int64_t count = end - flac->position;
        if (count > size - done) count = size - done;
        if (count <= 0) break;
        document_seek(document, flac->pages[page].offset + flac->position - flac->pages[page].place, SEEK_SET);
        int64_t read = document_read(document, (char *)bytes + done, count);
        if (read < 0) return done > 0 ? done : -1;
        done += read;
        flac->position += read;
        if (read < count) break;
    }
    return done;
}

void ogg_flac_close(struct ogg_flac *flac) {
    free(flac->pages);
    *flac = (struct ogg_flac){0};
}
