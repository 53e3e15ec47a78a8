// Detects truncated videos. The length of the sound does not show this, because the pictures can continue without it.

#include <string.h>
#include <unistd.h>

#include "container.h"

/// MP4: the last box ends beyond the file, or the samples have no index.
static bool boxes_are_cut(struct document *document) {
    uint8_t head[16];
    int64_t position = 0;
    bool has_samples = false, has_index = false;
    // Only a hostile file has more. Each part of a broadcast is two boxes.
    for (int box = 0; box < 100000 && position < document->size; box++) {
        if (!document_read_at(document, position, head, 8)) return true;
        uint64_t size = (uint64_t)head[0] << 24 | head[1] << 16 | head[2] << 8 | head[3];
        has_samples |= memcmp(head + 4, "mdat", 4) == 0;
        has_index |= memcmp(head + 4, "moov", 4) == 0 || memcmp(head + 4, "moof", 4) == 0;
        // The box extends to the end of the file.
        if (size == 0) break;
        if (size == 1) {
            if (!document_read_at(document, position, head, sizeof head)) return true;
            for (int i = 8; i < 16; i++) size = size << 8 | head[i];
        }
        if (size < 8 || size > (uint64_t)(document->size - position)) return true;
        position += (int64_t)size;
    }
    return has_samples && !has_index;
}

/// A length in Matroska: the leading zeros of its first byte give the number of further bytes. Returns its size in bytes, 0 if
/// invalid.
static int element_length(const uint8_t *bytes, uint64_t *length) {
    int count = 1;
    while (count <= 8 && !(bytes[0] & 0x100 >> count)) count++;
    if (count > 8) return 0;
    *length = bytes[0] & (0xFF >> count);
    bool is_unknown = *length == 0xFFu >> count;
    for (int i = 1; i < count; i++) {
        *length = *length << 8 | bytes[i];
        is_unknown &= bytes[i] == 0xFF;
    }
    if (is_unknown) *length = 0;
    return count;
}

/// Matroska: the segment ends beyond the file.
static bool segment_is_cut(struct document *document) {
    uint8_t bytes[12];
    uint64_t length;
    int64_t position = 0;
    for (int element = 0; element < 2; element++) {
        if (!document_read_at(document, position, bytes, sizeof bytes)) return false;
        // Both element IDs have four bytes.
        int count = element_length(bytes + 4, &length);
        if (count == 0 || length > INT64_MAX / 2) return false;
        position += 4 + count;
        if (element == 1) return memcmp(bytes, "\x18\x53\x80\x67", 4) == 0 && (int64_t)length > document->size - position;
        position += (int64_t)length;
    }
    return false;
}

bool container_was_cut(struct document *document) {
    uint8_t head[8] = {0};
    int64_t position = document->position;
    bool is_read = document_read_at(document, 0, head, sizeof head), is_cut = false;
    if (is_read && head[0] == 0x1A && head[1] == 0x45) is_cut = segment_is_cut(document);
    else if (is_read && memcmp(head + 4, "ftyp", 4) == 0) is_cut = boxes_are_cut(document);
    document_seek(document, position, SEEK_SET);
    return is_cut;
}
