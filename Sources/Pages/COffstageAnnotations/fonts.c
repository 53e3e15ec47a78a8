// The fonts of free texts. The host lists their files, which are mapped before the jail closes. Each is parsed on first use.
#define _GNU_SOURCE
#include "fonts.h"

#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "offstage_annotations.h"

/// In the host's order; more follow for other scripts.
enum { SANS, SANS_BOLD, SERIF, FIXED, IDEOGRAPHS, EMOJI, MOST = 64 };

static struct file { const char *bytes; size_t size; hb_font_t *font; } files[MOST];
static uint8_t file_count;

void annotation_load_fonts(char *const *paths, int count) {
    for (int i = 0; i < count && i < MOST; i++) {
        struct stat info;
        int file = open(paths[i], O_RDONLY | O_CLOEXEC);
        // Unused pages of the mapping take no memory.
        if (file >= 0 && fstat(file, &info) == 0 && info.st_size > 64) {
            void *memory = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, file, 0);
            if (memory != MAP_FAILED) files[i] = (struct file){memory, (size_t)info.st_size, NULL};
        }
        if (file >= 0) close(file);
        file_count = (uint8_t)(i + 1);
    }
}

static hb_font_t *load(uint8_t index) {
    if (index >= file_count || !files[index].bytes) return NULL;
    struct file *file = &files[index];
    if (file->font) return file->font;
    hb_blob_t *blob = hb_blob_create(file->bytes, (unsigned)file->size, HB_MEMORY_MODE_READONLY, NULL, NULL);
    hb_face_t *face = hb_face_create(blob, 0);
    file->font = hb_font_create(face);
    hb_face_destroy(face);
    hb_blob_destroy(blob);
    return file->font;
}

hb_font_t *font_at(uint8_t index) {
    hb_font_t *font = load(index);
    for (uint8_t i = 0; i < file_count && !font; i++) font = load(i);
    return font;
}

static bool has_word(const char *name, const char *const *words) {
    for (; *words; words++)
        if (strcasestr(name, *words)) return true;
    return false;
}

uint8_t font_named(const char *name, size_t size) {
    static const char *const fixed[] = {"mono", "courier", "consol", "typewriter", "code", NULL};
    static const char *const serif[] = {"times", "roman", "georgia", "garamond", "palatino", "bookman", "c059", "p052", NULL};
    char text[128] = {0};
    memcpy(text, name, size < sizeof text ? size : sizeof text - 1);
    if (has_word(text, fixed)) return FIXED;
    bool is_serif = has_word(text, serif) || (strcasestr(text, "serif") && !strcasestr(text, "sans"));
    return is_serif ? SERIF : SANS;
}

bool font_is_emoji(uint8_t index) { return index == EMOJI; }

static bool has(uint8_t index, uint32_t character) {
    hb_codepoint_t glyph;
    hb_font_t *font = load(index);
    return font && hb_font_get_nominal_glyph(font, character, &glyph);
}

uint8_t font_for(uint32_t character, uint8_t near, uint8_t first, bool is_emoji) {
    if (is_emoji && has(EMOJI, character)) return EMOJI;
    // Digits are emoji only with a variation selector.
    if (near != NO_FONT && near != EMOJI && has(near, character)) return near;
    if (has(first, character)) return first;
    for (uint8_t i = 0; i < file_count; i++)
        if (has(i, character)) return i;
    return NO_FONT;
}
