// BLAKE2bp with results of 32 bytes: the standard's tree digest, for files that are so large that BLAKE2b would take a large part of
// the time of decoding them.
#ifndef OFFSTAGE_DIGEST_H
#define OFFSTAGE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define OFFSTAGE_DIGEST_LANES 4
/// Bytes: one block of each lane.
#define OFFSTAGE_DIGEST_STRIPE 512

struct offstage_digest {
    /// Of each lane's digest so far, the eight words.
    uint64_t words[8][OFFSTAGE_DIGEST_LANES];
    /// The bytes of each lane in `words`.
    uint64_t count;
    /// The next bytes. The last block of a lane is computed in another way, so there are some until the end.
    uint8_t held[2 * OFFSTAGE_DIGEST_STRIPE];
    size_t held_count;
};

void offstage_digest_begin(struct offstage_digest *digest);
void offstage_digest_add(struct offstage_digest *digest, const void *bytes, size_t count);

/// The results of the lanes, in order: the message of the tree's root.
void offstage_digest_leaves(struct offstage_digest *digest, uint8_t leaves[64 * OFFSTAGE_DIGEST_LANES]);

#endif
