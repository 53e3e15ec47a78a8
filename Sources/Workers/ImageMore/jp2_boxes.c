#include "jp2_boxes.h"

#include <stdlib.h>
#include <string.h>

static uint64_t number(const uint8_t *bytes, size_t count) {
    uint64_t number = 0;
    for (size_t i = 0; i < count; i++) number = number << 8 | bytes[i];
    return number;
}

/// The content of the first box of a type, among the boxes that follow one another. The last one may be cut.
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

/// The number of tiles, from the sizes in a segment; 0 if it makes no sense.
static uint64_t tile_count(const uint8_t *segment, uint64_t size) {
    if (size < 36) return 0;
    // Behind the length and the capabilities: the far corner, the near corner, a tile's size, the first tile's corner.
    uint64_t values[8], counts[2];
    for (int i = 0; i < 8; i++) values[i] = number(segment + 4 + 4 * i, 4);
    for (int i = 0; i < 2; i++) {
        if (values[4 + i] == 0 || values[i] <= values[6 + i]) return 0;
        counts[i] = (values[i] - values[6 + i] + values[4 + i] - 1) / values[4 + i];
    }
    // A tile's number has 16 bits.
    return counts[0] <= 65536 && counts[1] <= 65536 && counts[0] * counts[1] <= 65536 ? counts[0] * counts[1] : 0;
}

/// Follows the parts of tiles from the first one to the end of the file, and counts the tiles that are whole in `tiles`, which has a place
/// for each.
static uint64_t whole_tiles(const uint8_t *bytes, size_t size, uint8_t *tiles, uint64_t count) {
    uint64_t whole = 0;
    while (size >= 12 && number(bytes, 2) == TILE_PART) {
        uint64_t tile = number(bytes + 4, 2), length = number(bytes + 6, 4);
        uint8_t part = bytes[10], parts = bytes[11];
        // Without a length, or with too large a one, the part may be cut.
        if (tile >= count || length < 14 || length > size) return 0;
        // The first part of a tile may leave its number of parts open.
        bool is_last = parts == 0 || part + 1 == parts;
        if (is_last && !tiles[tile]) {
            tiles[tile] = 1;
            whole++;
        }
        bytes += length;
        size -= (size_t)length;
    }
    return size == 0 || number(bytes, size < 2 ? size : 2) == (size < 2 ? 0xff : END) ? whole : 0;
}

bool jp2_has_all_tiles(const uint8_t *bytes, size_t size) {
    if (size < 4 || number(bytes, 2) != START) {
        if (!find_box("jp2c", &bytes, &size)) return false;
    }
    if (size < 4 || number(bytes, 2) != START) return false;
    uint64_t count = 0;
    for (bytes += 2, size -= 2; size >= 4 && number(bytes, 2) != TILE_PART;) {
        uint64_t marker = number(bytes, 2), length = number(bytes + 2, 2) + 2;
        if (length > size) return false;
        if (marker == SIZES) count = tile_count(bytes + 2, length - 2);
        bytes += length;
        size -= (size_t)length;
    }
    if (count == 0) return false;
    uint8_t *tiles = calloc(count, 1);
    bool has_all = tiles && whole_tiles(bytes, size, tiles, count) == count;
    free(tiles);
    return has_all;
}
