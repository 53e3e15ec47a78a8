#include "offstage_deflate.h"

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stdlib.h>
#include <string.h>

// Level 2 produces the same bytes on every x86-64 processor with SSE 4.2. With level 3, processors with AVX2 and AVX-512
// produce different ones. More memory would make neither compression faster nor files smaller.
enum { level = 2, level_memory = ISAL_DEF_LVL2_SMALL };

// The number of bytes at the start of a stream that form a separate block. In the body of a first block, ISA-L 2.30 hashes the third byte
// with bits 16 to 47 of the stream's address, so its output would differ between processes. The code for the end of a block
// does not do this, and an input this short is compressed by that code alone.
enum { head = 8 };

struct offstage_deflate {
    struct isal_zstream stream;
    // The size of the input after the first `head` bytes; 0 once ISA-L has it.
    size_t rest;
    bool rest_is_last;
    uint8_t memory[level_memory];
};

size_t offstage_deflate_size(void) { return sizeof(struct offstage_deflate); }

void offstage_deflate_begin(struct offstage_deflate *deflate) {
    // ISA-L treats its tables' contents as positions in the input, so another stream's leftovers would change the output.
    memset(deflate, 0, sizeof *deflate);
    isal_deflate_init(&deflate->stream);
    deflate->stream.level = level;
    deflate->stream.level_buf = deflate->memory;
    deflate->stream.level_buf_size = level_memory;
    deflate->stream.gzip_flag = IGZIP_ZLIB;
}

void offstage_deflate_give(struct offstage_deflate *deflate, const void *bytes, size_t count, bool is_last) {
    bool has_head = deflate->stream.total_in == 0 && count > head;
    deflate->rest = has_head ? count - head : 0;
    deflate->rest_is_last = is_last;
    deflate->stream.next_in = (uint8_t *)bytes;
    deflate->stream.avail_in = (uint32_t)(count - deflate->rest);
    deflate->stream.end_of_stream = is_last && !has_head;
    deflate->stream.flush = has_head ? SYNC_FLUSH : NO_FLUSH;
}

static void compress(struct isal_zstream *stream) {
    // isal_deflate fails only if the settings are invalid.
    if (isal_deflate(stream) != COMP_OK) abort();
}

size_t offstage_deflate_read(struct offstage_deflate *deflate, void *bytes, size_t capacity) {
    deflate->stream.next_out = bytes;
    deflate->stream.avail_out = (uint32_t)capacity;
    compress(&deflate->stream);
    if (deflate->rest > 0 && deflate->stream.avail_out > 0) {
        deflate->stream.avail_in = (uint32_t)deflate->rest;
        deflate->stream.end_of_stream = deflate->rest_is_last;
        deflate->stream.flush = NO_FLUSH;
        deflate->rest = 0;
        compress(&deflate->stream);
    }
    return capacity - deflate->stream.avail_out;
}

uint32_t offstage_crc(uint32_t sum, const void *bytes, size_t count) { return crc32_gzip_refl(sum, bytes, count); }
