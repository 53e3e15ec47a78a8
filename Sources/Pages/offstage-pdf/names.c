// Page entries that PDFium's interface does not expose, or exposes only for a page that was read completely. A document that does
// not contain an entry's name has no such entry; nearly all documents contain none of the names.
#define _GNU_SOURCE
#include "names.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/// The maximum size of unpacked objects to search. Beyond it, the document is assumed to have all names.
#define MOST (64u << 20)
#define BLOCK (64u << 10)
/// The maximum length of a name with its value; blocks overlap by this many bytes.
#define OVERLAP 64u

static const uint8_t *find(const uint8_t *bytes, size_t size, const char *text) {
    return size == 0 ? NULL : memmem(bytes, size, text, strlen(text));
}

/// True if the text has the entry with a value other than 0. A reference counts as such a value.
static bool has_entry(const uint8_t *bytes, size_t size, const char *name) {
    const uint8_t *end = bytes + size;
    while ((bytes = find(bytes, (size_t)(end - bytes), name))) {
        bytes += strlen(name);
        while (bytes < end && (*bytes == ' ' || *bytes == '\r' || *bytes == '\n' || *bytes == '\t')) bytes++;
        const uint8_t *value = bytes;
        while (bytes < end && *bytes == '0') bytes++;
        if (bytes == value || bytes == end) return true;
        if ((*bytes >= '1' && *bytes <= '9') || *bytes == '.') return true;
    }
    return false;
}

/// True if the text has the entry, and its value does not start with two zeros.
static bool has_other_corner(const uint8_t *bytes, size_t size, const char *name) {
    const uint8_t *end = bytes + size;
    while ((bytes = find(bytes, (size_t)(end - bytes), name))) {
        bytes += strlen(name);
        int zeros = 0;
        for (bool is_number = false; bytes < end && zeros < 2; bytes++) {
            bool is_zero = *bytes == '0' || (*bytes == '.' && is_number);
            if (is_number && !is_zero) zeros++;
            is_number = is_zero;
            bool is_space = *bytes == ' ' || *bytes == '\r' || *bytes == '\n' || *bytes == '\t' || *bytes == '[';
            if (!is_zero && !is_space) break;
        }
        if (zeros < 2 && bytes < end) return true;
    }
    return false;
}

static void look(struct names *names, const uint8_t *bytes, size_t size) {
    names->has_unit |= find(bytes, size, "/UserUnit") != NULL;
    names->has_rotation |= has_entry(bytes, size, "/Rotate");
    names->has_layers |= find(bytes, size, "/OCProperties") != NULL;
    names->has_origin |= has_other_corner(bytes, size, "/MediaBox") || has_other_corner(bytes, size, "/CropBox");
}

static bool is_complete(const struct names *names) {
    return names->has_unit && names->has_rotation && names->has_layers && names->has_origin;
}

/// Searches a stream of packed objects.
static void look_inside(struct names *names, const uint8_t *bytes, size_t size, size_t *rest) {
    static uint8_t block[OVERLAP + BLOCK];
    z_stream stream = {.next_in = (Bytef *)bytes, .avail_in = size < UINT32_MAX ? (uInt)size : UINT32_MAX};
    if (inflateInit(&stream) != Z_OK) return;
    size_t kept = 0;
    int result = Z_OK;
    while (result == Z_OK && *rest > 0) {
        stream.next_out = block + kept;
        stream.avail_out = BLOCK;
        result = inflate(&stream, Z_NO_FLUSH);
        size_t count = kept + BLOCK - stream.avail_out;
        look(names, block, count);
        *rest -= *rest < count - kept ? *rest : count - kept;
        kept = count < OVERLAP ? count : OVERLAP;
        memmove(block, block + count - kept, kept);
    }
    inflateEnd(&stream);
}

struct names names_of(const uint8_t *bytes, size_t size, bool is_encrypted) {
    struct names names = {0};
    const uint8_t *end = bytes + size, *place = bytes;
    size_t rest = MOST;
    look(&names, bytes, size);
    while (!is_complete(&names) && (place = find(place, (size_t)(end - place), "/ObjStm"))) {
        place += strlen("/ObjStm");
        const uint8_t *data = find(place, (size_t)(end - place), "stream");
        if (!data) break;
        data += strlen("stream");
        if (data < end && *data == '\r') data++;
        if (data < end && *data == '\n') data++;
        if (is_encrypted || rest == 0) return (struct names){true, true, true, true};
        look_inside(&names, data, (size_t)(end - data), &rest);
    }
    return names;
}

/// A document with one page, as the library writes it.
static struct {
    struct pdfium_writer writer;
    char bytes[1 << 20];
    size_t size;
} written;

static int write_block(struct pdfium_writer *writer, const void *data, unsigned long size) {
    (void)writer;
    size_t room = sizeof written.bytes - written.size, count = size < room ? size : room;
    memcpy(written.bytes + written.size, data, count);
    written.size += count;
    return 1;
}

double user_unit(pdfium_document document, int page) {
    pdfium_document copy = pdfium.FPDF_CreateNewDocument();
    if (!copy) return 1;
    written.writer = (struct pdfium_writer){.version = 1, .write = write_block};
    written.size = 0;
    if (pdfium.FPDF_ImportPagesByIndex(copy, document, &page, 1, 0)) pdfium.FPDF_SaveAsCopy(copy, &written.writer, PDFIUM_WHOLE);
    pdfium.FPDF_CloseDocument(copy);
    // The library sorts a dictionary's keys, so /UserUnit follows /Type, and writes the page before its content and its fonts.
    static const char name[] = "/Type/Page/UserUnit ";
    const uint8_t *entry = find((const uint8_t *)written.bytes, written.size, name);
    if (!entry) return 1;
    char number[32] = {0};
    size_t offset = (size_t)(entry - (const uint8_t *)written.bytes) + strlen(name), room = written.size - offset;
    memcpy(number, written.bytes + offset, room < sizeof number - 1 ? room : sizeof number - 1);
    double unit = strtod(number, NULL);
    return unit > 0 && unit <= MOST_UNIT ? unit : 1;
}
