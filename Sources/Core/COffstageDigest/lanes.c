// BLAKE2bp, the standard's tree of four lanes, computed in the four lanes of a vector. libb2 computes one lane after another,
// which takes five times as long. The vector width depends on the processor; the results do not.
#include "offstage_digest.h"

#include <string.h>

enum { LANES = OFFSTAGE_DIGEST_LANES, BLOCK = 128, STRIPE = OFFSTAGE_DIGEST_STRIPE, ROUNDS = 12 };

/// One word of each lane.
typedef uint64_t lanes __attribute__((vector_size(8 * LANES)));

static const uint64_t start_values[8] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};

static const uint8_t order[ROUNDS][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
};

/// The words of a lane's last block, and its size in bytes.
struct block {
    lanes count, last, last_node;
};

#define ROTATE(x, n) ((x) >> (n) | (x) << (64 - (n)))
#define MIX(a, b, c, d, i)                                             \
    do {                                                               \
        v[a] += v[b] + m[order[round][2 * (i)]];                       \
        v[d] = ROTATE(v[d] ^ v[a], 32);                                \
        v[c] += v[d];                                                  \
        v[b] = ROTATE(v[b] ^ v[c], 24);                                \
        v[a] += v[b] + m[order[round][2 * (i) + 1]];                   \
        v[d] = ROTATE(v[d] ^ v[a], 16);                                \
        v[c] += v[d];                                                  \
        v[b] = ROTATE(v[b] ^ v[c], 63);                                \
    } while (0)

/// Adds one block of each lane. `bytes` contains the blocks in sequence.
__attribute__((always_inline)) static inline void compress(lanes h[8], const uint8_t *bytes, const struct block *block) {
    lanes m[16], v[16];
    uint64_t words[LANES][16];
    memcpy(words, bytes, sizeof words);
    for (int i = 0; i < 16; i++) m[i] = (lanes){words[0][i], words[1][i], words[2][i], words[3][i]};
    for (int i = 0; i < 8; i++) {
        v[i] = h[i];
        v[8 + i] = (lanes){start_values[i], start_values[i], start_values[i], start_values[i]};
    }
    v[12] ^= block->count;
    v[14] ^= block->last;
    v[15] ^= block->last_node;
#pragma clang loop unroll(full)
    for (int round = 0; round < ROUNDS; round++) {
        MIX(0, 4, 8, 12, 0);
        MIX(1, 5, 9, 13, 1);
        MIX(2, 6, 10, 14, 2);
        MIX(3, 7, 11, 15, 3);
        MIX(0, 5, 10, 15, 4);
        MIX(1, 6, 11, 12, 5);
        MIX(2, 7, 8, 13, 6);
        MIX(3, 4, 9, 14, 7);
    }
    for (int i = 0; i < 8; i++) h[i] ^= v[i] ^ v[8 + i];
}

__attribute__((always_inline)) static inline void stripes(struct offstage_digest *digest, const uint8_t *bytes, size_t count) {
    lanes h[8];
    memcpy(h, digest->words, sizeof h);
    for (; count > 0; count--, bytes += STRIPE) {
        digest->count += BLOCK;
        const uint64_t done = digest->count;
        const struct block block = {.count = {done, done, done, done}};
        compress(h, bytes, &block);
    }
    memcpy(digest->words, h, sizeof h);
}

static void narrow(struct offstage_digest *digest, const uint8_t *bytes, size_t count) { stripes(digest, bytes, count); }

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void wide(struct offstage_digest *digest, const uint8_t *bytes, size_t count) {
    stripes(digest, bytes, count);
}

/// With a rotation instruction.
__attribute__((target("avx2,avx512f,avx512vl"))) static void widest(
    struct offstage_digest *digest, const uint8_t *bytes, size_t count) {
    stripes(digest, bytes, count);
}

static void add_stripes(struct offstage_digest *digest, const uint8_t *bytes, size_t count) {
    if (__builtin_cpu_supports("avx512vl")) widest(digest, bytes, count);
    else if (__builtin_cpu_supports("avx2")) wide(digest, bytes, count);
    else narrow(digest, bytes, count);
}
#else
static void add_stripes(struct offstage_digest *digest, const uint8_t *bytes, size_t count) { narrow(digest, bytes, count); }
#endif

void offstage_digest_begin(struct offstage_digest *digest) {
    memset(digest, 0, sizeof *digest);
    for (int lane = 0; lane < LANES; lane++) {
        for (int i = 0; i < 8; i++) digest->words[i][lane] = start_values[i];
        // The parameters: 32 bytes of result, no key, four leaves and two levels; the leaf's number; 64 bytes of a leaf's result.
        digest->words[0][lane] ^= 32 | 4 << 16 | 2 << 24;
        digest->words[1][lane] ^= (uint64_t)lane;
        digest->words[2][lane] ^= 64 << 8;
    }
}

static void hold(struct offstage_digest *digest, const uint8_t *bytes, size_t count) {
    memcpy(digest->held + digest->held_count, bytes, count);
    digest->held_count += count;
}

void offstage_digest_add(struct offstage_digest *digest, const void *memory, size_t count) {
    const uint8_t *bytes = memory;
    size_t room = sizeof digest->held - digest->held_count;
    if (count > room) {
        hold(digest, bytes, room);
        bytes += room;
        count -= room;
        // Keep more than a stripe: it contains the last block of each lane.
        size_t stripes = count > STRIPE ? 2 : 1, whole = count > STRIPE ? (count - STRIPE - 1) / STRIPE : 0;
        add_stripes(digest, digest->held, stripes);
        digest->held_count = (2 - stripes) * STRIPE;
        memcpy(digest->held, digest->held + STRIPE, digest->held_count);
        add_stripes(digest, bytes, whole);
        bytes += whole * STRIPE;
        count -= whole * STRIPE;
    }
    hold(digest, bytes, count);
}

/// The bytes of a lane in one of the two stripes.
static size_t part(const struct offstage_digest *digest, int stripe, int lane) {
    size_t start = (size_t)stripe * STRIPE + (size_t)lane * BLOCK;
    if (digest->held_count <= start) return 0;
    size_t count = digest->held_count - start;
    return count < BLOCK ? count : BLOCK;
}

void offstage_digest_leaves(struct offstage_digest *digest, uint8_t leaves[64 * LANES]) {
    memset(digest->held + digest->held_count, 0, sizeof digest->held - digest->held_count);
    // Lanes end at different positions, so each is finished separately, and the other lanes' results are ignored.
    for (int lane = 0; lane < LANES; lane++) {
        struct offstage_digest copy = *digest;
        int last = part(digest, 1, lane) > 0;
        if (last) narrow(&copy, copy.held, 1);
        lanes h[8];
        memcpy(h, copy.words, sizeof h);
        const uint64_t count = copy.count + part(digest, last, lane), all = ~0ull, node = lane == LANES - 1 ? all : 0;
        const struct block block = {{count, count, count, count}, {all, all, all, all}, {node, node, node, node}};
        compress(h, copy.held + last * STRIPE, &block);
        for (int i = 0; i < 8; i++) {
            uint64_t word = h[i][lane];
            memcpy(leaves + 64 * lane + 8 * i, &word, sizeof word);
        }
    }
}
