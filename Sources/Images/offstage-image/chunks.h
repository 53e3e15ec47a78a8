// Chunks of PNG files that libspng does not process.
#ifndef CHUNKS_H
#define CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PNG_SIGNATURE 8
/// A chunk's length and name. Its checksum follows its bytes.
#define PNG_CHUNK_HEAD 8
#define PNG_CHUNK_EXTRA 12

struct chunk {
    const uint8_t *bytes;
    uint32_t length;
    char name[5];
};

static inline uint32_t png_number(const uint8_t *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline bool chunk_is(const struct chunk *chunk, const char *name) { return memcmp(chunk->name, name, 4) == 0; }

/// Reads the chunk at a position and moves past it. The last chunk of a truncated file is shorter than its stated length. False
/// at the end.
static inline bool chunk_next(const uint8_t *bytes, size_t size, size_t *at, struct chunk *chunk) {
    if (size < PNG_CHUNK_HEAD || *at > size - PNG_CHUNK_HEAD) return false;
    size_t left = size - *at - PNG_CHUNK_HEAD;
    chunk->length = png_number(bytes + *at);
    memcpy(chunk->name, bytes + *at + 4, 4);
    chunk->bytes = bytes + *at + PNG_CHUNK_HEAD;
    if (chunk->length > left) chunk->length = (uint32_t)left;
    *at += PNG_CHUNK_HEAD + chunk->length;
    *at += size - *at < 4 ? size - *at : 4;
    return !chunk_is(chunk, "IEND");
}

#endif
