#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "offstage_annotations.h"

static bool reserve(struct pdf_buffer *buffer, size_t size) {
    if (buffer->has_failed) return false;
    if (size <= buffer->room - buffer->size) return true;
    size_t room = buffer->room ? buffer->room : 1024;
    while (room - buffer->size < size) {
        if (room > SIZE_MAX / 2) return buffer->has_failed = true, false;
        room *= 2;
    }
    uint8_t *bytes = realloc(buffer->bytes, room);
    if (!bytes) return buffer->has_failed = true, false;
    buffer->bytes = bytes;
    buffer->room = room;
    return true;
}

void pdf_add(struct pdf_buffer *buffer, const void *bytes, size_t size) {
    if (size == 0 || !reserve(buffer, size)) return;
    memcpy(buffer->bytes + buffer->size, bytes, size);
    buffer->size += size;
}

void pdf_text(struct pdf_buffer *buffer, const char *text) { pdf_add(buffer, text, strlen(text)); }

void pdf_format(struct pdf_buffer *buffer, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int count = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (count < 0 || (size_t)count >= sizeof text) buffer->has_failed = true;
    else pdf_add(buffer, text, (size_t)count);
}

void pdf_number(struct pdf_buffer *buffer, double value) {
    char text[40];
    // Readers don't accept larger numbers.
    if (!(value > -1e7)) value = -1e7;
    if (value > 1e7) value = 1e7;
    // The program sets no locale, so the decimal separator is a point.
    int count = snprintf(text, sizeof text, "%.3f", value);
    while (count > 1 && text[count - 1] == '0') count--;
    if (text[count - 1] == '.') count--;
    if (count == 2 && text[0] == '-' && text[1] == '0') text[0] = '0', count = 1;
    text[count++] = ' ';
    pdf_add(buffer, text, (size_t)count);
}

void pdf_free(struct pdf_buffer *buffer) {
    free(buffer->bytes);
    memset(buffer, 0, sizeof *buffer);
}
