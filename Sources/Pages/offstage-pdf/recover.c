// A truncated document has lost its trailer, which names the catalog. Without it, PDFium finds all objects, but does not know
// which is the catalog.
#include "recover.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }
static bool is_space(uint8_t byte) { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }

/// Finds the start and the end of the number before `end`, ignoring white space after it. False if something else precedes `end`.
static bool number_before(const uint8_t *bytes, size_t end, size_t *start, size_t *stop) {
    while (end > 0 && is_space(bytes[end - 1])) end--;
    *stop = end;
    while (end > 0 && is_digit(bytes[end - 1]) && *stop - end < 10) end--;
    *start = end;
    return *start < *stop;
}

/// Finds the last "N G obj" before `end`. Returns the length of the text "N G", or 0 if there is none.
static size_t object_before(const uint8_t *bytes, size_t end, char *text, size_t most) {
    for (size_t i = end; i >= 8; i--) {
        if (memcmp(bytes + i - 3, "obj", 3) != 0) continue;
        size_t start, stop, number, middle;
        // "endobj" ends with the same letters as "obj".
        if (!number_before(bytes, i - 3, &start, &stop) || !number_before(bytes, start, &number, &middle)) continue;
        int length = snprintf(
            text, most, "%.*s %.*s", (int)(middle - number), (const char *)bytes + number, (int)(stop - start),
            (const char *)bytes + start);
        return length > 0 && (size_t)length < most ? (size_t)length : 0;
    }
    return 0;
}

uint8_t *with_trailer(const uint8_t *bytes, size_t size, size_t *new_size) {
    static const char name[] = "/Catalog";
    const size_t length = sizeof name - 1;
    char object[32];
    for (size_t i = size; i >= length; i--) {
        if (memcmp(bytes + i - length, name, length) != 0) continue;
        if (object_before(bytes, i - length, object, sizeof object) == 0) continue;
        char trailer[80];
        int count = snprintf(trailer, sizeof trailer, "\ntrailer\n<< /Root %s R >>\n%%%%EOF\n", object);
        uint8_t *copy = malloc(size + (size_t)count);
        if (!copy) return NULL;
        memcpy(copy, bytes, size);
        memcpy(copy + size, trailer, (size_t)count);
        *new_size = size + (size_t)count;
        return copy;
    }
    return NULL;
}
