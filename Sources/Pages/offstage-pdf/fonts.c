// The fonts for text whose font is not in the document. PDFium itself has fonts with the metrics of Helvetica, Times and Courier,
// and adapts two more to the widths of other Latin fonts. For other scripts it uses these.
#include "fonts.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pdfium.h"

/// Windows charset numbers, which PDFium passes.
enum {
    CHARSET_ANSI = 0,
    CHARSET_DEFAULT = 1,
    CHARSET_SYMBOL = 2,
    CHARSET_JAPANESE = 128,
    CHARSET_KOREAN = 129,
    CHARSET_SIMPLIFIED_CHINESE = 134,
    CHARSET_TRADITIONAL_CHINESE = 136,
};

#define WHOLE_COLLECTION 0x74746366u

/// A font file, mapped before the jail closes. Unused pages of the mapping take no memory.
struct font {
    const uint8_t *bytes;
    size_t size;
    /// The offset of the font's own tables; in a collection, of one font's tables.
    size_t offset;
    bool is_collection;
};

enum { SANS, SANS_BOLD, SERIF, MONO, JAPANESE, KOREAN, SIMPLIFIED, TRADITIONAL, COUNT };
static struct font fonts[COUNT];

static uint32_t number(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static struct font map(const char *path) {
    struct font font = {0};
    struct stat info;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && fstat(file, &info) == 0 && info.st_size > 64) {
        void *memory = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (memory != MAP_FAILED) font = (struct font){memory, (size_t)info.st_size, 0, number(memory) == WHOLE_COLLECTION};
    }
    if (file >= 0) close(file);
    return font;
}

/// Returns a font of a collection; the first one if the collection has fewer fonts.
static struct font member(struct font font, uint32_t index) {
    if (!font.is_collection) return font;
    uint32_t count = number(font.bytes + 8);
    if (index >= count || 12 + 4 * ((size_t)index + 1) > font.size) index = 0;
    font.offset = number(font.bytes + 12 + 4 * index);
    if (font.offset >= font.size) return (struct font){0};
    return font;
}

void fonts_load(char *const *paths, int count) {
    // In the order of the host's list.
    struct font files[5] = {0};
    for (int i = 0; i < count && i < 5; i++) files[i] = map(paths[i]);
    fonts[SANS] = files[0];
    fonts[SANS_BOLD] = files[1].bytes ? files[1] : files[0];
    fonts[SERIF] = files[2].bytes ? files[2] : files[0];
    fonts[MONO] = files[3].bytes ? files[3] : files[0];
    // The order of the fonts in Noto's collection.
    for (uint32_t i = 0; i < 4 && files[4].bytes; i++) fonts[JAPANESE + i] = member(files[4], i);
}

/// True once the library had to use its adaptable fonts.
static bool has_adapted;

bool fonts_have_adapted(void) { return has_adapted; }

/// True for the library's own fonts that always look the same. It requests them by these names.
static bool is_fixed(const char *face) {
    static const char *const families[] = {"Courier", "Helvetica", "Times"};
    for (size_t i = 0; face && i < sizeof families / sizeof *families; i++) {
        size_t length = strlen(families[i]);
        if (strncmp(face, families[i], length) == 0 && (face[length] == 0 || face[length] == '-')) return true;
    }
    return false;
}

static void *choose(struct pdfium_fonts *self, int weight, int is_italic, int charset, int pitch, const char *face, int *is_exact) {
    (void)self, (void)is_italic;
    if (is_exact) *is_exact = 0;
    int index = SANS;
    switch (charset) {
    // PDFium's own fonts adapt to the document's widths.
    case CHARSET_ANSI:
    case CHARSET_DEFAULT:
    case CHARSET_SYMBOL: has_adapted |= !is_fixed(face); return NULL;
    case CHARSET_JAPANESE: index = JAPANESE; break;
    case CHARSET_KOREAN: index = KOREAN; break;
    case CHARSET_SIMPLIFIED_CHINESE: index = SIMPLIFIED; break;
    case CHARSET_TRADITIONAL_CHINESE: index = TRADITIONAL; break;
    default:
        // Bits of the pitch: 1 fixed, 16 roman.
        if (pitch & 1) index = MONO;
        else if (pitch & 16) index = SERIF;
        else if (weight > 500) index = SANS_BOLD;
    }
    if (fonts[index].bytes) return &fonts[index];
    has_adapted = true;
    return NULL;
}

static unsigned long read_table(struct pdfium_fonts *self, void *handle, unsigned table, unsigned char *bytes, unsigned long size) {
    (void)self;
    const struct font *font = handle;
    const uint8_t *start = font->bytes;
    size_t length = font->size;
    if (table == WHOLE_COLLECTION) {
        if (!font->is_collection) return 0;
    } else if (table == 0) {
        // PDFium finds a member of a collection by the difference of the two lengths.
        start += font->offset;
        length -= font->offset;
    } else {
        if (font->offset + 12 > font->size) return 0;
        size_t count = (size_t)font->bytes[font->offset + 4] << 8 | font->bytes[font->offset + 5];
        const uint8_t *entry = font->bytes + font->offset + 12;
        for (; count > 0; count--, entry += 16) {
            if ((size_t)(entry - font->bytes) + 16 > font->size) return 0;
            if (number(entry) == table) break;
        }
        if (count == 0) return 0;
        size_t offset = number(entry + 8);
        length = number(entry + 12);
        if (offset > font->size || length > font->size - offset) return 0;
        start = font->bytes + offset;
    }
    if (bytes && size >= length) memcpy(bytes, start, length);
    return length;
}

static void *find(struct pdfium_fonts *self, const char *face) { (void)self, (void)face; return NULL; }
static void list(struct pdfium_fonts *self, void *mapper) { (void)self, (void)mapper; }
static void release(struct pdfium_fonts *self) { (void)self; }
static void forget(struct pdfium_fonts *self, void *font) { (void)self, (void)font; }
static int charset(struct pdfium_fonts *self, void *font) { (void)self, (void)font; return CHARSET_DEFAULT; }

static unsigned long name(struct pdfium_fonts *self, void *font, char *bytes, unsigned long size) {
    (void)self;
    static const char *const names[COUNT] = {
        "Sans", "Sans Bold", "Serif", "Mono", "CJK Japanese", "CJK Korean", "CJK Simplified", "CJK Traditional"};
    const char *text = names[(struct font *)font - fonts];
    if (bytes && size > strlen(text)) strcpy(bytes, text);
    return strlen(text) + 1;
}

void fonts_offer(void) {
    static struct pdfium_fonts callbacks = {1, release, list, choose, find, read_table, name, charset, forget};
    has_adapted = false;
    pdfium.FPDF_SetSystemFontInfo(&callbacks);
}

const uint8_t *fonts_sans(size_t *size) {
    *size = fonts[SANS].size;
    return fonts[SANS].bytes;
}
