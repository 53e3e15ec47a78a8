// MP3 frames, as far as libmpg123 does not report them: whether the first frame is a header with a length, and where the next
// frame is after junk.

#include "mpeg.h"

#include <offstage_mpeg.h>
#include <string.h>
#include <unistd.h>

static uint32_t number(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

int64_t mpeg_read(struct mpeg_reader *reader, void *bytes, int64_t size) {
    struct document *document = reader->document;
    int64_t done = 0;
    while (done < size) {
        int64_t place = document->position - reader->start;
        if (place < 0 || place >= reader->count) {
            reader->start = document->position;
            place = 0;
            reader->count = document_read(document, reader->bytes, sizeof reader->bytes);
            document->position = reader->start;
            if (reader->count < 0) return done > 0 ? done : -1;
            if (reader->count == 0) break;
        }
        int64_t count = reader->count - place < size - done ? reader->count - place : size - done;
        memcpy((char *)bytes + done, reader->bytes + place, (size_t)count);
        done += count;
        document->position += count;
    }
    return done;
}

bool mpeg_find(struct mpeg_reader *reader) {
    struct document *document = reader->document;
    uint8_t head[4], next[4];
    while (true) {
        // Fills the buffer.
        int64_t start = document->position;
        if (mpeg_read(reader, head, sizeof head) < (int64_t)sizeof head) return false;
        document->position = start;
        int64_t place = start - reader->start;
        const uint8_t *found = memchr(reader->bytes + place, 0xFF, (size_t)(reader->count - place));
        document->position = found ? reader->start + (found - reader->bytes) : reader->start + reader->count;
        if (!found) continue;
        start = document->position;
        if (mpeg_read(reader, head, sizeof head) < (int64_t)sizeof head) return false;
        int64_t size = offstage_mpeg_frame_size(number(head));
        document->position = start + size;
        bool is_frame = size > 0 && mpeg_read(reader, next, sizeof next) == (int64_t)sizeof next
            && ((number(head) ^ number(next)) & OFFSTAGE_MPEG_SAME) == 0 && offstage_mpeg_frame_size(number(next)) > 0;
        document->position = is_frame ? start : start + 1;
        if (is_frame) return true;
    }
}

struct mpeg_head mpeg_head(struct mpeg_reader *reader) {
    struct document *document = reader->document;
    uint8_t bytes[64];
    struct mpeg_head result = {0};
    int64_t count = mpeg_read(reader, bytes, sizeof bytes);
    document->position = 0;
    if (count < (int64_t)sizeof bytes) return result;
    uint32_t head = number(bytes);
    int64_t size = offstage_mpeg_frame_size(head);
    bool is_low = (head >> 19 & 3) != 3, is_mono = (head >> 6 & 3) == 3;
    result.has_free_rate = head >> 21 == 0x7FF && (head >> 12 & 15) == 0;
    // After the side information, as if the frame had 32 bytes of it.
    if (size > 0 && memcmp(bytes + 36, "VBRI", 4) == 0) {
        result.vbri_size = size;
        result.has_length = true;
        result.frames = (uint64_t)number(bytes + 50) * (is_low ? 576 : 1152);
    }
    const uint8_t *tag = bytes + 4 + (is_low ? (is_mono ? 9 : 17) : is_mono ? 17 : 32);
    if ((memcmp(tag, "Xing", 4) == 0 || memcmp(tag, "Info", 4) == 0) && (tag[7] & 1)) {
        result.has_length = true;
        result.frames = number(tag + 8);
    }
    return result;
}

void mpeg_cut_tags(struct document *document) {
    uint8_t tag[32];
    int64_t end = document->size;
    document->position = end - 128;
    if (end >= 128 && document_read(document, tag, 3) == 3 && memcmp(tag, "TAG", 3) == 0) end -= 128;
    document->position = end - (int64_t)sizeof tag;
    if (end >= (int64_t)sizeof tag && document_read(document, tag, sizeof tag) == (int64_t)sizeof tag
        && memcmp(tag, "APETAGEX", 8) == 0) {
        // The size counts the footer, but not the header.
        int64_t size = tag[12] | tag[13] << 8 | tag[14] << 16 | (int64_t)tag[15] << 24;
        if (tag[23] & 0x80) size += (int64_t)sizeof tag;
        if (size < end) document->size = end - size;
    }
    document->position = 0;
}
