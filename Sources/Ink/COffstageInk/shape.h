#ifndef OFFSTAGE_INK_SHAPE_H
#define OFFSTAGE_INK_SHAPE_H

#include "ink.h"

/// A texture's image at one size: `side` rows of `side` bytes of opacity, with a zero byte on each side.
struct ink_level {
    uint32_t side;
    const uint8_t *bytes;
    /// The columns and rows, from 0, outside which everything is zero.
    uint32_t left, top, right, bottom;
};

struct offstage_ink_shape {
    /// From the largest to a single pixel.
    struct ink_level levels[8];
    uint32_t count;
    uint8_t memory[];
};

static inline const uint8_t *ink_level_row(const struct ink_level *level, uint32_t y) {
    return level->bytes + (size_t)(y + 1) * (level->side + 2) + 1;
}

#endif
