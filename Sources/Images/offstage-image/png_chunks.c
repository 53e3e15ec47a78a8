#include "png_chunks.h"

#include <isa-l/crc.h>

#include "chunks.h"

static bool is_one_of(const struct chunk *chunk, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (chunk_is(chunk, names[i])) return true;
    return false;
}

bool png_has_changed(const uint8_t *bytes, size_t size) {
    static const char *const names[] = {"IHDR", "PLTE", "tRNS", "IDAT", "fdAT", "fcTL"};
    struct chunk chunk;
    for (size_t place = PNG_SIGNATURE; chunk_next(bytes, size, &place, &chunk);) {
        // In a truncated file, the last chunk has no checksum.
        if ((size_t)(bytes + size - chunk.bytes) < chunk.length + 4ull) return false;
        if (is_one_of(&chunk, names, sizeof names / sizeof *names)
            && crc32_gzip_refl(0, chunk.bytes - 4, chunk.length + 4ull) != png_number(chunk.bytes + chunk.length))
            return true;
    }
    return false;
}

int png_late_orientation(const uint8_t *bytes, size_t size) {
    struct chunk chunk;
    bool is_late = false;
    for (size_t place = PNG_SIGNATURE; chunk_next(bytes, size, &place, &chunk);) {
        if (chunk_is(&chunk, "IDAT")) is_late = true;
        else if (is_late && chunk_is(&chunk, "eXIf")) return offstage_image_orientation(chunk.bytes, chunk.length);
    }
    return 0;
}

/// White, red, green and blue of ITU-T H.273, table 2. False for an unassigned number.
static bool primaries(uint8_t number, double xy[8]) {
    static const double known[][9] = {
        {1, 0},
        {4, 0.310, 0.316, 0.67, 0.33, 0.21, 0.71, 0.14, 0.08},
        {5, 0.3127, 0.3290, 0.64, 0.33, 0.29, 0.60, 0.15, 0.06},
        {6, 0.3127, 0.3290, 0.630, 0.340, 0.310, 0.595, 0.155, 0.070},
        {7, 0.3127, 0.3290, 0.630, 0.340, 0.310, 0.595, 0.155, 0.070},
        {8, 0.310, 0.316, 0.681, 0.319, 0.243, 0.692, 0.145, 0.049},
        {9, 0.3127, 0.3290, 0.708, 0.292, 0.170, 0.797, 0.131, 0.046},
        {11, 0.314, 0.351, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060},
        {12, 0.3127, 0.3290, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060},
        {22, 0.3127, 0.3290, 0.630, 0.340, 0.295, 0.605, 0.155, 0.077},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i][0] == number) {
            memcpy(xy, known[i] + 1, 8 * sizeof *xy);
            return true;
        }
    return false;
}

/// The exponent of table 3; 0 for sRGB's curve, which also approximates those of video. False for HDR and unknown curves.
static bool curve(uint8_t number, double *gamma) {
    switch (number) {
    case 1: case 6: case 11: case 12: case 13: case 14: case 15: *gamma = 0; return true;
    case 4: *gamma = 1 / 2.2; return true;
    case 5: *gamma = 1 / 2.8; return true;
    case 8: *gamma = 1; return true;
    default: return false;
    }
}

bool png_named_colors(const uint8_t *bytes, size_t size, struct offstage_image_head *head) {
    struct chunk chunk;
    for (size_t place = PNG_SIGNATURE; chunk_next(bytes, size, &place, &chunk) && !chunk_is(&chunk, "IDAT");) {
        if (!chunk_is(&chunk, "cICP") || chunk.length != 4) continue;
        double xy[8] = {0}, gamma = 0;
        // The pixels of a PNG file are always full-range RGB.
        if (!primaries(chunk.bytes[0], xy) || !curve(chunk.bytes[1], &gamma)) return false;
        memcpy(head->primaries, xy, sizeof xy);
        head->gamma = gamma;
        return true;
    }
    return false;
}
