// MPEG audio frames, for the host, which searches for the first one, and for the worker, which searches for the next one after
// junk.
#ifndef OFFSTAGE_MPEG_H
#define OFFSTAGE_MPEG_H

#include <stdint.h>

/// The version, the layer and the rate in a frame's header, which all frames of a sound share.
#define OFFSTAGE_MPEG_SAME 0xFFFE0C00u

/// The bytes of a frame with its header.
///
/// - Parameter head: its first four bytes, the first one in the highest bits.
/// - Returns: 0 for bytes that are not a header, and for a frame of a free bit rate.
static inline uint32_t offstage_mpeg_frame_size(uint32_t head) {
    // Kilobits per second: the three layers of MPEG-1, then layer I of MPEG-2, then its layers II and III.
    static const uint16_t rates[5][16] = {
        {0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448},
        {0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384},
        {0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320},
        {0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256},
        {0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},
    };
    static const uint16_t samples[4] = {44100, 48000, 32000};
    uint32_t version = head >> 19 & 3, layer = 4 - (head >> 17 & 3), rate = samples[head >> 10 & 3];
    if (head >> 21 != 0x7FF || version == 1 || layer == 4 || rate == 0) return 0;
    uint32_t is_low = version != 3;
    uint32_t bits = 1000u * rates[is_low ? (layer == 1 ? 3 : 4) : layer - 1][head >> 12 & 15], padding = head >> 9 & 1;
    if (version == 2) rate /= 2;
    if (version == 0) rate /= 4;
    if (bits == 0) return 0;
    if (layer == 1) return (12 * bits / rate + padding) * 4;
    return (layer == 3 && is_low ? 72 : 144) * bits / rate + padding;
}

#endif
