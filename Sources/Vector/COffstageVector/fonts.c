#include "offstage_vector.h"

#include <hb-subset.h>
#include <stdlib.h>
#include <string.h>

/// Tables for text layout and for screens. The document's text is already laid out, for any size.
static const hb_tag_t dropped[] = {
    HB_TAG('G', 'S', 'U', 'B'), HB_TAG('G', 'P', 'O', 'S'), HB_TAG('G', 'D', 'E', 'F'), HB_TAG('B', 'A', 'S', 'E'),
    HB_TAG('J', 'S', 'T', 'F'), HB_TAG('M', 'A', 'T', 'H'), HB_TAG('S', 'T', 'A', 'T'), HB_TAG('n', 'a', 'm', 'e'),
    HB_TAG('O', 'S', '/', '2'), HB_TAG('k', 'e', 'r', 'n'), HB_TAG('g', 'a', 's', 'p'), HB_TAG('D', 'S', 'I', 'G'),
};

static hb_face_t *subset(hb_face_t *face, const uint16_t *glyphs, size_t count) {
    hb_subset_input_t *input = hb_subset_input_create_or_fail();
    if (!input) return NULL;
    hb_subset_input_set_flags(
        input, HB_SUBSET_FLAGS_RETAIN_GIDS | HB_SUBSET_FLAGS_NO_HINTING | HB_SUBSET_FLAGS_NOTDEF_OUTLINE);
    for (size_t i = 0; i < count; i++) hb_set_add(hb_subset_input_glyph_set(input), glyphs[i]);
    hb_set_t *tables = hb_subset_input_set(input, HB_SUBSET_SETS_DROP_TABLE_TAG);
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++) hb_set_add(tables, dropped[i]);
    hb_face_t *result = hb_subset_or_fail(face, input);
    hb_subset_input_destroy(input);
    return result;
}

uint8_t *offstage_font_subset(
    const void *font, size_t length, const uint16_t *glyphs, size_t count, size_t *subset_length) {
    hb_blob_t *blob = hb_blob_create(font, (unsigned int)length, HB_MEMORY_MODE_READONLY, NULL, NULL);
    hb_face_t *face = hb_face_create(blob, 0);
    hb_blob_destroy(blob);
    hb_face_t *part = subset(face, glyphs, count);
    hb_face_destroy(face);
    if (!part) return NULL;
    blob = hb_face_reference_blob(part);
    hb_face_destroy(part);
    unsigned int size = 0;
    const char *bytes = hb_blob_get_data(blob, &size);
    uint8_t *result = bytes && size ? malloc(size) : NULL;
    if (result) memcpy(result, bytes, size);
    *subset_length = size;
    hb_blob_destroy(blob);
    return result;
}

struct offstage_font {
    hb_font_t *font;
    hb_buffer_t *buffer;
};

offstage_font *offstage_font_open(const char *path, unsigned int index) {
    hb_blob_t *blob = hb_blob_create_from_file_or_fail(path);
    if (!blob) return NULL;
    offstage_font *font = malloc(sizeof *font);
    if (font) {
        hb_face_t *face = hb_face_create(blob, index);
        font->font = hb_font_create(face);
        font->buffer = hb_buffer_create();
        hb_face_destroy(face);
    }
    hb_blob_destroy(blob);
    return font;
}

void offstage_font_close(offstage_font *font) {
    hb_buffer_destroy(font->buffer);
    hb_font_destroy(font->font);
    free(font);
}

uint32_t offstage_font_glyph(offstage_font *font, const char *text) {
    hb_buffer_reset(font->buffer);
    hb_buffer_add_utf8(font->buffer, text, -1, 0, -1);
    hb_buffer_guess_segment_properties(font->buffer);
    // Variation selectors have no glyphs.
    hb_buffer_set_flags(font->buffer, HB_BUFFER_FLAG_REMOVE_DEFAULT_IGNORABLES);
    hb_shape(font->font, font->buffer, NULL, 0);
    unsigned int count = 0;
    const hb_glyph_info_t *glyphs = hb_buffer_get_glyph_infos(font->buffer, &count);
    return count == 1 ? glyphs[0].codepoint : 0;
}
