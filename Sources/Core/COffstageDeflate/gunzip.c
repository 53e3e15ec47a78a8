#include "offstage_deflate.h"

#include <isa-l/igzip_lib.h>

struct offstage_gunzip {
    struct inflate_state state;
};

size_t offstage_gunzip_size(void) { return sizeof(struct offstage_gunzip); }

void offstage_gunzip_begin(struct offstage_gunzip *gunzip, const void *bytes, size_t count) {
    isal_inflate_init(&gunzip->state);
    gunzip->state.crc_flag = ISAL_GZIP;
    gunzip->state.next_in = (uint8_t *)bytes;
    gunzip->state.avail_in = (uint32_t)count;
}

ptrdiff_t offstage_gunzip_read(struct offstage_gunzip *gunzip, void *bytes, size_t capacity) {
    struct inflate_state *state = &gunzip->state;
    state->next_out = bytes;
    state->avail_out = (uint32_t)capacity;
    if (state->block_state != ISAL_BLOCK_FINISH && isal_inflate(state) != ISAL_DECOMP_OK) return -1;
    // If there is space for more output but the stream has not ended, the file is truncated.
    if (state->block_state != ISAL_BLOCK_FINISH && state->avail_out > 0) return -1;
    return (ptrdiff_t)(capacity - state->avail_out);
}
