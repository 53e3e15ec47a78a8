#include "offstage_deflate.h"

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stdlib.h>

// Level 2 produces the same bytes on every x86-64 processor with SSE 4.2. With level 3, processors with AVX2 and AVX-512
// produce different ones. More memory makes it neither faster nor the files smaller.
enum { level = 2, level_memory = ISAL_DEF_LVL2_SMALL };

struct offstage_deflate {
    struct isal_zstream stream;
    uint8_t memory[level_memory];
};

struct offstage_deflate *offstage_deflate_new(void) {
    // The memory must be zero. ISA-L takes the contents of its tables for positions in the input, so another stream's leftovers
    // would change the output.
    struct offstage_deflate *deflate = calloc(1, sizeof *deflate);
    if (!deflate) return NULL;
    isal_deflate_init(&deflate->stream);
    deflate->stream.level = level;
    deflate->stream.level_buf = deflate->memory;
    deflate->stream.level_buf_size = level_memory;
    deflate->stream.gzip_flag = IGZIP_ZLIB;
    deflate->stream.flush = NO_FLUSH;
    return deflate;
}

void offstage_deflate_free(struct offstage_deflate *deflate) { free(deflate); }

void offstage_deflate_give(struct offstage_deflate *deflate, const void *bytes, size_t count, bool is_last) {
    deflate->stream.next_in = (uint8_t *)bytes;
    deflate->stream.avail_in = (uint32_t)count;
    deflate->stream.end_of_stream = is_last;
}

size_t offstage_deflate_read(struct offstage_deflate *deflate, void *bytes, size_t capacity) {
    deflate->stream.next_out = bytes;
    deflate->stream.avail_out = (uint32_t)capacity;
    // It fails only if the settings are invalid.
    if (isal_deflate(&deflate->stream) != COMP_OK) abort();
    return capacity - deflate->stream.avail_out;
}

uint32_t offstage_crc(uint32_t sum, const void *bytes, size_t count) { return crc32_gzip_refl(sum, bytes, count); }
