// BLAKE2bp with results of 32 bytes, the standard's tree digest. For large files, on which BLAKE2b would take a substantial
// part of the decoding time.
#ifndef OFFSTAGE_DIGEST_H
#define OFFSTAGE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define OFFSTAGE_DIGEST_LANES 4
/// In bytes: one block per lane.
#define OFFSTAGE_DIGEST_STRIPE 512

struct offstage_digest {
    /// The eight words of each lane's digest so far.
    uint64_t words[8][OFFSTAGE_DIGEST_LANES];
    /// The number of bytes of each lane in `words`.
    uint64_t count;
    /// The pending bytes. A lane's last block is computed differently, so some bytes wait until the end.
    uint8_t held[2 * OFFSTAGE_DIGEST_STRIPE];
    size_t held_count;
};

void offstage_digest_begin(struct offstage_digest *digest);
void offstage_digest_add(struct offstage_digest *digest, const void *bytes, size_t count);

/// The results of the lanes, in order: the message of the tree's root.
void offstage_digest_leaves(struct offstage_digest *digest, uint8_t leaves[64 * OFFSTAGE_DIGEST_LANES]);

#endif
