// The fonts of texts on pages. The host lists their files; they are mapped before the jail closes.
#define _GNU_SOURCE
#include "fonts.h"

#include <fcntl.h>
#include <strings.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text.h"

/// In the order of the host's list.
enum { SANS, SANS_BOLD, SERIF, SERIF_BOLD, FIXED, IDEOGRAPHS, COUNT };
static hb_font_t *fonts[COUNT];

static hb_font_t *load(const char *path) {
    struct stat info;
    hb_font_t *font = NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && fstat(file, &info) == 0 && info.st_size > 64) {
        // Unused pages of the mapping take no memory.
        void *memory = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (memory != MAP_FAILED) {
            hb_blob_t *blob = hb_blob_create(memory, (unsigned)info.st_size, HB_MEMORY_MODE_READONLY, NULL, NULL);
            hb_face_t *face = hb_face_create(blob, 0);
            font = hb_font_create(face);
            hb_face_destroy(face);
            hb_blob_destroy(blob);
        }
    }
    if (file >= 0) close(file);
    return font;
}

void text_load_fonts(char *const *paths, int count) {
    for (int i = 0; i < count && i < COUNT; i++) fonts[i] = load(paths[i]);
}

static bool has_word(const char *name, const char *const *words) {
    for (; *words; words++)
        if (strcasestr(name, *words)) return true;
    return false;
}

struct text_font fonts_named(const char *name) {
    static const char *const fixed[] = {"mono", "courier", "consol", "typewriter", "code", NULL};
    static const char *const serif[] = {"times", "roman", "georgia", "garamond", "palatino", "c059", "p052", "bookman", NULL};
    static const char *const italic[] = {"italic", "oblique", NULL}, *const bold[] = {"bold", "black", "heavy", NULL};
    bool is_serif = has_word(name, serif) || (strcasestr(name, "serif") && !strcasestr(name, "sans"));
    size_t first = has_word(name, fixed) ? FIXED : is_serif ? SERIF : SANS;
    if (first != FIXED && has_word(name, bold)) first++;
    return (struct text_font){first, has_word(name, italic)};
}

static bool has(hb_font_t *font, hb_codepoint_t character) {
    hb_codepoint_t glyph;
    return font && hb_font_get_nominal_glyph(font, character, &glyph);
}

hb_font_t *fonts_for(hb_codepoint_t character, hb_font_t *near, size_t first) {
    if (has(near, character)) return near;
    if (has(fonts[first], character)) return fonts[first];
    for (size_t i = 0; i < COUNT; i++)
        if (has(fonts[i], character)) return fonts[i];
    return NULL;
}

hb_font_t *fonts_any(size_t first) {
    if (fonts[first]) return fonts[first];
    for (size_t i = 0; i < COUNT; i++)
        if (fonts[i]) return fonts[i];
    return NULL;
}
