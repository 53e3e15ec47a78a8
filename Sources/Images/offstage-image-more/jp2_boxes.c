#include "jp2_boxes.h"

#include <stdlib.h>
#include <string.h>

static uint64_t number(const uint8_t *bytes, size_t count) {
    uint64_t number = 0;
    for (size_t i = 0; i < count; i++) number = number << 8 | bytes[i];
    return number;
}

/// The content of the first box of a type among consecutive boxes. The last one may be truncated.
static bool find_box(const char *type, const uint8_t **bytes, size_t *size) {
    const uint8_t *place = *bytes;
    for (size_t left = *size; left >= 8;) {
        uint64_t length = number(place, 4), head = 8;
        if (length == 1 && left >= 16) {
            head = 16;
            length = number(place + 8, 8);
        }
        // 0: to the end.
        if (length == 0 || length > left) length = left;
        if (length < head) return false;
        if (memcmp(place + 4, type, 4) == 0) {
            *bytes = place + head;
            *size = (size_t)(length - head);
            return true;
        }
        place += length;
        left -= (size_t)length;
    }
    return false;
}

bool jp2_has_palette(const uint8_t *bytes, size_t size) {
    return find_box("jp2h", &bytes, &size) && find_box("pclr", &bytes, &size);
}

enum marker { START = 0xff4f, SIZES = 0xff51, TILE_PART = 0xff90, END = 0xffd9 };

/// The number of tiles, from the sizes in a segment; 0 if it is invalid.
static uint64_t tile_count(const uint8_t *segment, uint64_t size) {
    if (size < 36) return 0;
    // The fields after the length and the capabilities: the far corner, the near corner, a tile's size, the first tile's corner.
    uint64_t values[8], counts[2];
    for (int i = 0; i < 8; i++) values[i] = number(segment + 4 + 4 * i, 4);
    for (int i = 0; i < 2; i++) {
        if (values[4 + i] == 0 || values[i] <= values[6 + i]) return 0;
        counts[i] = (values[i] - values[6 + i] + values[4 + i] - 1) / values[4 + i];
    }
    // A tile's number has 16 bits.
    return counts[0] <= 65536 && counts[1] <= 65536 && counts[0] * counts[1] <= 65536 ? counts[0] * counts[1] : 0;
}

/// A tile's parts: the number found, and the expected number; 0 if the file does not specify it.
struct parts {
    uint8_t found, count;
};

/// The size of a part's header.
#define PART_HEAD 14

/// Walks the parts of tiles from the first one to the end of the file.
///
/// @return the end of the last complete part. Sets `is_whole` to false if a part is truncated.
static size_t follow_parts(const uint8_t *bytes, size_t size, struct parts *tiles, uint64_t count, bool *is_whole) {
    size_t left = size;
    while (left >= PART_HEAD && number(bytes, 2) == TILE_PART) {
        uint64_t tile = number(bytes + 4, 2), length = number(bytes + 6, 4);
        // The last part may continue to the end of the file, which has a marker for that case.
        bool is_to_end = length == 0 && number(bytes + left - 2, 2) == END;
        if (is_to_end) length = left - 2;
        *is_whole = *is_whole && tile < count && length >= PART_HEAD && length <= left;
        if (tile >= count || length < PART_HEAD || length > left) return left;
        if (tiles[tile].found < UINT8_MAX) tiles[tile].found++;
        if (bytes[11] > 0) tiles[tile].count = bytes[11];
        bytes += length;
        left -= (size_t)length;
    }
    return left;
}

struct jp2_tiles jp2_find_tiles(const uint8_t *bytes, size_t size) {
    struct jp2_tiles result = {.are_whole = false, .usable_size = size};
    size_t file_size = size;
    const uint8_t *file = bytes;
    bool is_bare = size >= 4 && number(bytes, 2) == START;
    if (!is_bare && !find_box("jp2c", &bytes, &size)) return result;
    if (size < 4 || number(bytes, 2) != START) return result;
    uint64_t count = 0;
    for (bytes += 2, size -= 2; size >= 4 && number(bytes, 2) != TILE_PART;) {
        uint64_t marker = number(bytes, 2), length = number(bytes + 2, 2) + 2;
        if (length > size) return result;
        if (marker == SIZES) count = tile_count(bytes + 2, length - 2);
        bytes += length;
        size -= (size_t)length;
    }
    struct parts *tiles = count > 0 ? calloc(count, sizeof *tiles) : NULL;
    if (!tiles) return result;
    result.are_whole = true;
    size_t rest = follow_parts(bytes, size, tiles, count, &result.are_whole);
    for (uint64_t i = 0; i < count && result.are_whole; i++)
        result.are_whole = tiles[i].found > 0 && tiles[i].found >= tiles[i].count;
    bool has_end = rest >= 2 && number(bytes + size - rest, 2) == END;
    if (bytes + size == file + file_size && rest <= PART_HEAD && size > rest && !has_end) result.usable_size = file_size - rest;
    free(tiles);
    return result;
}
