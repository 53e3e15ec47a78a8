// Objects of a PDF document.
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "offstage_annotations.h"

/// Shorter streams are not compressed.
#define SHORT 128

void pdf_writer_free(struct pdf_writer *writer) {
    pdf_free(&writer->out);
    free(writer->entries);
    free(writer->images);
    memset(writer, 0, sizeof *writer);
}

uint32_t pdf_reserve(struct pdf_writer *writer) { return writer->next++; }

void pdf_begin(struct pdf_writer *writer, uint32_t number, uint32_t generation) {
    if (writer->entry_count == writer->entry_room) {
        size_t room = writer->entry_room ? 2 * writer->entry_room : 64;
        struct pdf_entry *entries = realloc(writer->entries, room * sizeof *entries);
        if (!entries) {
            writer->has_failed = true;
            return;
        }
        writer->entries = entries;
        writer->entry_room = room;
    }
    writer->entries[writer->entry_count++] = (struct pdf_entry){number, generation, writer->out.size};
    writer->number = number;
    writer->generation = generation;
    pdf_format(&writer->out, "%u %u obj\n", number, generation);
}

void pdf_end(struct pdf_writer *writer) {
    pdf_text(&writer->out, "\nendobj\n");
    if (writer->out.has_failed) writer->has_failed = true;
}

void pdf_bytes(struct pdf_writer *writer, const uint8_t *bytes, size_t size) {
    struct pdf_buffer encrypted = {0}, *out = &writer->out;
    if (writer->cipher) {
        writer->cipher->encrypt(writer->cipher->context, writer->number, writer->generation, false, bytes, size, &encrypted);
        if (encrypted.has_failed) writer->has_failed = true;
        bytes = encrypted.bytes;
        size = encrypted.size;
    }
    pdf_text(out, "(");
    for (size_t i = 0; i < size; i++) {
        switch (bytes[i]) {
        case '(': pdf_text(out, "\\("); break;
        case ')': pdf_text(out, "\\)"); break;
        case '\\': pdf_text(out, "\\\\"); break;
        case '\r': pdf_text(out, "\\r"); break;
        default: pdf_add(out, bytes + i, 1);
        }
    }
    pdf_text(out, ")");
    pdf_free(&encrypted);
}

static void add_unit(struct pdf_buffer *units, uint32_t unit) {
    pdf_add(units, (uint8_t[2]){(uint8_t)(unit >> 8), (uint8_t)unit}, 2);
}

void pdf_string(struct pdf_writer *writer, const char *text, size_t size) {
    bool is_plain = true;
    for (size_t i = 0; i < size && is_plain; i++)
        is_plain = (text[i] >= 0x20 && text[i] < 0x7F) || text[i] == '\n' || text[i] == '\t';
    if (is_plain) return pdf_bytes(writer, (const uint8_t *)text, size);
    struct pdf_buffer units = {0};
    add_unit(&units, 0xFEFF);
    for (size_t i = 0; i < size;) {
        uint8_t first = (uint8_t)text[i++];
        size_t more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
        uint32_t value = first < 0x80 ? first : first & (0x3Fu >> more);
        for (; more > 0 && i < size && ((uint8_t)text[i] & 0xC0) == 0x80; more--) value = value << 6 | ((uint8_t)text[i++] & 0x3F);
        if (value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) value = 0xFFFD;
        if (value < 0x10000) add_unit(&units, value);
        else {
            add_unit(&units, 0xD800 + ((value - 0x10000) >> 10));
            add_unit(&units, 0xDC00 + ((value - 0x10000) & 0x3FF));
        }
    }
    if (units.has_failed) writer->has_failed = true;
    pdf_bytes(writer, units.bytes, units.size);
    pdf_free(&units);
}

void pdf_stream(
    struct pdf_writer *writer, uint32_t number, const struct pdf_buffer *entries, const uint8_t *bytes, size_t size) {
    uLongf packed_size = compressBound(size);
    uint8_t *packed = size > SHORT ? malloc(packed_size) : NULL;
    bool is_packed = packed && compress2(packed, &packed_size, bytes, size, 6) == Z_OK && packed_size + 20 < size;
    struct pdf_buffer encrypted = {0};
    const uint8_t *content = is_packed ? packed : bytes;
    size_t content_size = is_packed ? packed_size : size;
    if (writer->cipher) {
        writer->cipher->encrypt(writer->cipher->context, number, 0, true, content, content_size, &encrypted);
        if (encrypted.has_failed) writer->has_failed = true;
        content = encrypted.bytes;
        content_size = encrypted.size;
    }
    pdf_begin(writer, number, 0);
    pdf_text(&writer->out, "<< ");
    pdf_add(&writer->out, entries->bytes, entries->size);
    if (entries->has_failed) writer->has_failed = true;
    pdf_format(&writer->out, "/Length %zu %s>>\nstream\n", content_size, is_packed ? "/Filter /FlateDecode " : "");
    pdf_add(&writer->out, content, content_size);
    pdf_text(&writer->out, "\nendstream");
    pdf_end(writer);
    free(packed);
    pdf_free(&encrypted);
}
