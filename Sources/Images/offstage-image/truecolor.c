#include "truecolor.h"

#include <isa-l/igzip_lib.h>
#include <stdlib.h>

#include "chunks.h"

// In Debian's build of libspng, the byte-by-byte filters take half of the time, and zlib most of the rest. For such files, this
// uses ISA-L to decompress, and filters a pixel at a time.

/// The number of bytes to decompress at once, if a row has fewer.
#define BLOCK (256 << 10)
/// A pixel of three bytes is read as four.
#define SLACK 4

typedef uint8_t b4 __attribute__((ext_vector_type(4)));
typedef int16_t s4 __attribute__((ext_vector_type(4)));

static inline s4 load(const uint8_t *p) {
    b4 value;
    memcpy(&value, p, sizeof value);
    return __builtin_convertvector(value, s4);
}

/// Stores the low bytes.
__attribute__((always_inline)) static inline s4 store(uint8_t *p, s4 value, unsigned channels) {
    value &= 255;
    b4 bytes = __builtin_convertvector(value, b4);
    memcpy(p, &bytes, channels);
    return value;
}

static inline s4 smaller(s4 one, s4 other) { return __builtin_elementwise_min(one, other); }

/// The neighbour closest to left + up - corner; on a tie, the first one.
static inline s4 paeth(s4 left, s4 up, s4 corner) {
    s4 across = up - corner, down = left - corner;
    s4 to_left = __builtin_elementwise_abs(across), to_up = __builtin_elementwise_abs(down);
    s4 to_corner = __builtin_elementwise_abs(across + down), least = smaller(to_left, smaller(to_up, to_corner));
    return to_left == least ? left : to_up == least ? up : corner;
}

/// Undoes a row's filter. Inlined for each number of channels. False for an unknown filter.
__attribute__((always_inline)) static inline bool unfilter(
    uint8_t filter, uint8_t *row, const uint8_t *above, size_t size, unsigned channels) {
    s4 left = 0, corner = 0;
    switch (filter) {
    case 0: return true;
    case 1:
        for (size_t i = 0; i < size; i += channels) left = store(row + i, load(row + i) + left, channels);
        return true;
    case 2:
        for (size_t i = 0; i < size; i++) row[i] = (uint8_t)(row[i] + above[i]);
        return true;
    case 3:
        for (size_t i = 0; i < size; i += channels)
            left = store(row + i, load(row + i) + ((left + load(above + i)) >> 1), channels);
        return true;
    case 4:
        for (size_t i = 0; i < size; i += channels) {
            s4 up = load(above + i);
            left = store(row + i, load(row + i) + paeth(left, up, corner), channels);
            corner = up;
        }
        return true;
    default: return false;
    }
}

/// The compressed pixels of a file.
struct packed {
    const struct offstage_image_job *job;
    size_t at;
    struct inflate_state state;
    /// The bytes of zlib's header still to skip.
    uint32_t head;
    bool has_begun, has_ended;
};

/// Passes the next chunk of pixels to the library. False if there is none.
static bool refill(struct packed *packed) {
    struct chunk chunk;
    while (chunk_next(packed->job->bytes, packed->job->size, &packed->at, &chunk)) {
        bool is_pixels = chunk_is(&chunk, "IDAT");
        // All pixel chunks must be consecutive.
        if (packed->has_begun && !is_pixels) return false;
        if (!is_pixels) continue;
        packed->has_begun = true;
        uint32_t skipped = chunk.length < packed->head ? chunk.length : packed->head;
        packed->head -= skipped;
        packed->state.next_in = (uint8_t *)chunk.bytes + skipped;
        packed->state.avail_in = chunk.length - skipped;
        return true;
    }
    return false;
}

/// Decompresses up to `size` bytes. Returns fewer at the end of the file or at damage.
static size_t unpack(struct packed *packed, uint8_t *bytes, size_t size) {
    struct inflate_state *state = &packed->state;
    state->next_out = bytes;
    state->avail_out = (uint32_t)size;
    while (state->avail_out > 0 && !packed->has_ended) {
        if (state->avail_in == 0 && !refill(packed)) packed->has_ended = true;
        // Call this even without input bytes, because the library retains some output.
        uint32_t before = state->avail_out;
        int result = isal_inflate(state);
        if (result != ISAL_DECOMP_OK || state->block_state == ISAL_BLOCK_FINISH) packed->has_ended = true;
        if (packed->has_ended && before == state->avail_out) break;
    }
    return size - state->avail_out;
}

void truecolor_draw(const struct offstage_image_job *job, uint32_t width, uint32_t height, unsigned channels) {
    // The filter's number precedes each row.
    size_t row_size = (size_t)width * channels, step = row_size + 1, count = BLOCK / step > 1 ? BLOCK / step : 1;
    struct packed *packed = calloc(1, sizeof *packed);
    uint8_t *rows = malloc(count * step + SLACK), *above = calloc(1, row_size + SLACK);
    uint32_t y = 0;
    bool goes_on = packed && rows && above;
    if (!goes_on) offstage_image_no_memory(job->image, count * step);
    else {
        isal_inflate_init(&packed->state);
        packed->job = job;
        packed->at = PNG_SIGNATURE;
        packed->head = 2;
        packed->has_begun = packed->has_ended = false;
    }
    bool is_damaged = false;
    while (goes_on && y < height) {
        size_t wanted = height - y < count ? height - y : count, whole = unpack(packed, rows, wanted * step) / step;
        const uint8_t *previous = above;
        for (size_t i = 0; goes_on && i < whole; i++, y++) {
            uint8_t *row = rows + i * step;
            bool is_known = channels == 3 ? unfilter(*row, row + 1, previous, row_size, 3)
                                          : unfilter(*row, row + 1, previous, row_size, 4);
            if (!is_known) is_damaged = true;
            goes_on = is_known && offstage_image_row(job->image, row + 1);
            previous = row + 1;
        }
        if (whole < wanted) is_damaged = true;
        goes_on = goes_on && !is_damaged;
        if (goes_on) memcpy(above, previous, row_size);
    }
    if (is_damaged) offstage_image_damaged(job->image);
    free(packed);
    free(rows);
    free(above);
}
