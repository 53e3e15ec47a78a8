// Packed files. The zip reader supports what an Xournal++ file can contain: one disk, and stored or deflated entries.
#include "container.h"

#include <string.h>
#include <zlib.h>

#define PIECE 65536

static uint32_t number16(const uint8_t *bytes) { return bytes[0] | (uint32_t)bytes[1] << 8; }
static uint32_t number32(const uint8_t *bytes) { return number16(bytes) | number16(bytes + 2) << 16; }

bool is_zip(const uint8_t *bytes, size_t count) { return count >= 4 && memcmp(bytes, "PK\3\4", 4) == 0; }

/// Counts unpacked bytes, because a small file can unpack to a large one.
struct meter {
    struct document *document;
    uint64_t count;
};

static bool pass(struct meter *meter, const uint8_t *bytes, size_t count, sink sink, void *context) {
    meter->count += count;
    if (meter->count > meter->document->most_bytes) {
        document_stop(meter->document, OFFSTAGE_INK_OVER_LIMIT, 1, meter->document->most_bytes);
        return false;
    }
    return sink(context, bytes, count);
}

/// - window: the format, see zlib's manual.
static bool inflate_all(
    struct document *document, const uint8_t *bytes, size_t count, int window, sink sink, void *context) {
    uint8_t piece[PIECE];
    struct meter meter = {document, 0};
    z_stream stream = {0};
    if (inflateInit2(&stream, window) != Z_OK) {
        document_stop(document, OFFSTAGE_WIRE_NO_MEMORY, 0, 0);
        return false;
    }
    bool is_whole = false, goes_on = true;
    while (goes_on) {
        if (stream.avail_in == 0) {
            uInt next = (uInt)(count < 1u << 30 ? count : 1u << 30);
            stream.next_in = (Bytef *)bytes;
            stream.avail_in = next;
            bytes += next;
            count -= next;
        }
        stream.next_out = piece;
        stream.avail_out = PIECE;
        int result = inflate(&stream, Z_NO_FLUSH);
        size_t made = PIECE - stream.avail_out;
        if (made > 0 && !pass(&meter, piece, made, sink, context)) goes_on = false;
        else if (result == Z_STREAM_END) is_whole = true, goes_on = false;
        else if (result != Z_OK || (made == 0 && stream.avail_in == 0 && count == 0)) goes_on = false;
    }
    inflateEnd(&stream);
    return is_whole;
}

static bool give(struct document *document, const uint8_t *bytes, size_t count, sink sink, void *context) {
    struct meter meter = {document, 0};
    while (count > 0) {
        size_t next = count < 1u << 20 ? count : 1u << 20;
        if (!pass(&meter, bytes, next, sink, context)) return false;
        bytes += next;
        count -= next;
    }
    return true;
}

/// The offset of the directory at the end of a zip file; `count` if there is none.
static size_t directory(const uint8_t *bytes, size_t count, uint32_t *entries) {
    for (size_t back = 22; back <= count && back < 22 + 65536; back++) {
        const uint8_t *end = bytes + count - back;
        if (memcmp(end, "PK\5\6", 4) != 0) continue;
        *entries = number16(end + 10);
        uint32_t place = number32(end + 16);
        return place < count ? place : count;
    }
    return count;
}

bool unpack_entry(
    struct document *document, const uint8_t *bytes, size_t count, const char *name, size_t name_length, sink sink,
    void *context) {
    uint32_t entries = 0;
    size_t at = directory(bytes, count, &entries);
    for (uint32_t i = 0; i < entries; i++) {
        if (count - at < 46 || memcmp(bytes + at, "PK\1\2", 4) != 0) return false;
        const uint8_t *entry = bytes + at;
        uint32_t method = number16(entry + 10), packed = number32(entry + 20), length = number16(entry + 28), local = number32(entry + 42);
        size_t rest = (size_t)length + number16(entry + 30) + number16(entry + 32);
        if (count - at - 46 < rest) return false;
        at += 46 + rest;
        if (length != name_length || memcmp(entry + 46, name, length) != 0) continue;
        if (local > count || count - local < 30 || memcmp(bytes + local, "PK\3\4", 4) != 0) return false;
        size_t start = (size_t)local + 30 + number16(bytes + local + 26) + number16(bytes + local + 28);
        if (start > count || packed > count - start) return false;
        if (method == 0) return give(document, bytes + start, packed, sink, context);
        return method == 8 && inflate_all(document, bytes + start, packed, -15, sink, context);
    }
    return false;
}

bool unpack(struct document *document, const uint8_t *bytes, size_t count, sink sink, void *context) {
    if (is_zip(bytes, count)) return unpack_entry(document, bytes, count, "content.xml", 11, sink, context);
    if (count >= 2 && bytes[0] == 0x1F && bytes[1] == 0x8B) return inflate_all(document, bytes, count, 31, sink, context);
    return give(document, bytes, count, sink, context);
}
