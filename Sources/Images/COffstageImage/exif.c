#include <string.h>

#include "offstage_image.h"

static uint32_t number(const uint8_t *p, int count, bool is_little) {
    uint32_t value = 0;
    for (int i = 0; i < count; i++) value |= (uint32_t)p[i] << 8 * (is_little ? i : count - 1 - i);
    return value;
}

int offstage_image_orientation(const uint8_t *bytes, size_t size) {
    if (size >= 6 && memcmp(bytes, "Exif\0\0", 6) == 0) {
        bytes += 6;
        size -= 6;
    }
    if (size < 14) return 0;
    bool is_little = memcmp(bytes, "II", 2) == 0;
    if (!is_little && memcmp(bytes, "MM", 2) != 0) return 0;
    uint32_t start = number(bytes + 4, 4, is_little);
    if (start > size - 2) return 0;
    uint32_t count = number(bytes + start, 2, is_little);
    for (uint32_t i = 0; i < count && start + 2 + 12 * (size_t)(i + 1) <= size; i++) {
        const uint8_t *entry = bytes + start + 2 + 12 * (size_t)i;
        // Tag 0x0112, a short; some programs write a long.
        uint32_t type = number(entry + 2, 2, is_little);
        if (number(entry, 2, is_little) == 0x0112 && (type == 3 || type == 4)) {
            uint32_t value = number(entry + 8, type == 3 ? 2 : 4, is_little);
            return value >= 1 && value <= 8 ? (int)value : 0;
        }
    }
    return 0;
}
