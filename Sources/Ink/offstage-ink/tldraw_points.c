// The points of tldraw's freehand lines, which newer files pack.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base64.h"
#include "tldraw.h"
#include "values.h"

/// A 16-bit number as in IEEE 754.
static double half(const uint8_t *bytes) {
    unsigned bits = bytes[0] | (unsigned)bytes[1] << 8;
    int exponent = (int)(bits >> 10 & 31);
    double fraction = (bits & 1023) / 1024.0;
    if (exponent == 31) return NAN;
    double value = exponent == 0 ? ldexp(fraction, -14) : ldexp(1 + fraction, exponent - 15);
    return bits & 0x8000 ? -value : value;
}

static double single(const uint8_t *bytes) {
    float value;
    memcpy(&value, bytes, sizeof value);
    return (double)value;
}

/// Reads packed points.
///
/// - parts: the count of numbers per point: 3 for x, y and the pressure, or 2 for x and y.
/// - has_deltas: true if the first point has 32-bit numbers, and the others are 16-bit differences. False: all have 16 bits.
static void unpack_points(const char *base64, int parts, bool has_deltas, tldraw_take_point take, void *context) {
    char *copy = strdup(base64);
    if (!copy) return;
    size_t count = decode_base64(copy, strlen(copy)), size = (size_t)parts * 2, at = 0;
    const uint8_t *bytes = (const uint8_t *)copy;
    double point[3] = {0, 0, 0.5};
    if (has_deltas && count >= 2 * size) {
        for (int i = 0; i < parts; i++) point[i] = single(bytes + 4 * i);
        take(context, point[0], point[1], point[2]);
        at = 2 * size;
    }
    for (; count - at >= size && (at > 0 || !has_deltas); at += size) {
        for (int i = 0; i < parts; i++) point[i] = has_deltas ? point[i] + half(bytes + at + 2 * i) : half(bytes + at + 2 * i);
        take(context, point[0], point[1], point[2]);
    }
    free(copy);
}

void tldraw_points(const json_t *segment, tldraw_take_point take, void *context) {
    const json_t *points = json_object_get(segment, "points"), *point;
    const char *path = member_text(segment, "path");
    size_t index;
    double x, y;
    if (*path) return unpack_points(path, member_number(segment, "dim", 3) == 2 ? 2 : 3, true, take, context);
    if (json_is_string(points)) return unpack_points(json_string_value(points), 3, false, take, context);
    json_array_foreach(points, index, point) {
        read_pair(point, &x, &y);
        const json_t *third = json_array_get(point, 2);
        take(context, x, y, json_is_number(third) ? json_number_value(third) : member_number(point, "z", 0.5));
    }
}
