// Texts on a page: lines of runs, each in one font and one script. HarfBuzz places the glyphs, and their outlines are filled like
// strokes. So any part of a page drawn separately equals the same part of the whole page.
#include "text.h"

#include <hb-ot.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fonts.h"
#include "outlines.h"

/// The maximum number of runs per line. The rest of the line is not drawn.
#define MOST_RUNS 1024

struct run {
    size_t start, end;
    hb_font_t *font;
    hb_script_t script;
    /// In page units. `left` is the line's position at the start of the run, for its tabs.
    double width, left;
};

struct line {
    struct run runs[MOST_RUNS];
    size_t count;
    double width;
    bool is_right_to_left;
};

struct text {
    /// NULL to only collect the outlines.
    struct offstage_ink_scratch *scratch;
    const struct offstage_ink_target *target;
    struct outlines *outlines;
    /// Device px for each page unit.
    double scale;
    const struct offstage_ink_text_head *head;
    struct text_font font;
    const char *bytes;
    hb_buffer_t *buffer;
    enum text_result result;
};

static double unit(const struct text *text, hb_font_t *font) {
    return text->head->size / (double)hb_face_get_upem(hb_font_get_face(font));
}

/// The next character. Invalid bytes are left out.
static hb_codepoint_t next(const char *bytes, size_t end, size_t *at) {
    uint8_t first = (uint8_t)bytes[(*at)++];
    size_t more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
    hb_codepoint_t value = first < 0x80 ? first : first & (0x3Fu >> more);
    for (; more > 0 && *at < end && ((uint8_t)bytes[*at] & 0xC0) == 0x80; more--) value = value << 6 | ((uint8_t)bytes[(*at)++] & 0x3F);
    return value;
}

static bool is_control(hb_codepoint_t character) { return character < 0x20 || (character >= 0x7F && character < 0xA0); }

/// True for a character that takes the font of the previous one: a mark, a joiner, a space.
static bool is_company(hb_codepoint_t character) {
    switch (hb_unicode_general_category(hb_unicode_funcs_get_default(), character)) {
    case HB_UNICODE_GENERAL_CATEGORY_CONTROL:
    case HB_UNICODE_GENERAL_CATEGORY_FORMAT:
    case HB_UNICODE_GENERAL_CATEGORY_NON_SPACING_MARK:
    case HB_UNICODE_GENERAL_CATEGORY_ENCLOSING_MARK:
    case HB_UNICODE_GENERAL_CATEGORY_SPACE_SEPARATOR: return true;
    default: return false;
    }
}

/// Divides a line into runs.
static void divide(struct text *text, size_t start, size_t end, struct line *line) {
    line->count = 0;
    line->is_right_to_left = false;
    bool has_direction = false;
    struct run *run = NULL;
    for (size_t at = start; at < end;) {
        size_t place = at;
        hb_codepoint_t character = next(text->bytes, end, &at);
        // No font has a glyph for it except a box.
        if (is_control(character)) character = ' ';
        hb_script_t script = hb_unicode_script(hb_unicode_funcs_get_default(), character);
        bool is_neutral = script == HB_SCRIPT_COMMON || script == HB_SCRIPT_INHERITED || script == HB_SCRIPT_UNKNOWN;
        hb_font_t *font = run && is_company(character) ? run->font : fonts_for(character, run ? run->font : NULL, text->font.first);
        if (!font) {
            if (!is_company(character)) text->result = TEXT_INCOMPLETE;
            font = run ? run->font : fonts_any(text->font.first);
        }
        if (!is_neutral && !has_direction) {
            has_direction = true;
            line->is_right_to_left = hb_script_get_horizontal_direction(script) == HB_DIRECTION_RTL;
        }
        if (run && run->font == font && (is_neutral || run->script == script || run->script == HB_SCRIPT_COMMON)) {
            if (!is_neutral) run->script = script;
            run->end = at;
            continue;
        }
        if (line->count == MOST_RUNS || !font) {
            text->result = TEXT_INCOMPLETE;
            return;
        }
        run = &line->runs[line->count++];
        *run = (struct run){place, at, font, is_neutral ? HB_SCRIPT_COMMON : script, 0, 0};
    }
}

/// Widens tabs, which were shaped as spaces, to the next multiple of eight spaces.
static void widen_tabs(struct text *text, const struct run *run) {
    if (!memchr(text->bytes + run->start, '\t', run->end - run->start)) return;
    unsigned count;
    const hb_glyph_info_t *glyphs = hb_buffer_get_glyph_infos(text->buffer, &count);
    hb_glyph_position_t *places = hb_buffer_get_glyph_positions(text->buffer, &count);
    double at = run->left / unit(text, run->font);
    for (unsigned g = 0; g < count; g++) {
        double step = 8.0 * places[g].x_advance;
        // A mark on a tab belongs to its cluster, and has no width.
        bool is_tab = glyphs[g].cluster < run->end - run->start && text->bytes[run->start + glyphs[g].cluster] == '\t' && step > 0;
        double stop = is_tab ? (floor(at / step + 0.001) + 1) * step : 0;
        // If the tab stop is too far away, the space stays.
        if (is_tab && stop > at && stop - at < 1e8) places[g].x_advance = (hb_position_t)(stop - at);
        at += places[g].x_advance;
    }
}

static void shape(struct text *text, const struct run *run) {
    hb_buffer_reset(text->buffer);
    hb_buffer_add_utf8(text->buffer, text->bytes + run->start, (int)(run->end - run->start), 0, (int)(run->end - run->start));
    // Before shaping, the buffer contains characters, not glyphs.
    unsigned count;
    hb_glyph_info_t *characters = hb_buffer_get_glyph_infos(text->buffer, &count);
    for (unsigned i = 0; i < count; i++)
        if (is_control(characters[i].codepoint)) characters[i].codepoint = ' ';
    hb_buffer_set_script(text->buffer, run->script);
    hb_direction_t direction = hb_script_get_horizontal_direction(run->script);
    hb_buffer_set_direction(text->buffer, direction == HB_DIRECTION_RTL ? HB_DIRECTION_RTL : HB_DIRECTION_LTR);
    hb_buffer_set_language(text->buffer, hb_language_from_string("en", 2));
    hb_shape(run->font, text->buffer, NULL, 0);
    widen_tabs(text, run);
}

static void measure(struct text *text, size_t start, size_t end, struct line *line) {
    divide(text, start, end, line);
    line->width = 0;
    for (size_t i = 0; i < line->count; i++) {
        struct run *run = &line->runs[i];
        // A right-to-left line has its runs in another order, so its tabs count from the start of their run.
        run->left = line->is_right_to_left ? 0 : line->width;
        shape(text, run);
        unsigned count;
        const hb_glyph_position_t *places = hb_buffer_get_glyph_positions(text->buffer, &count);
        run->width = 0;
        for (unsigned g = 0; g < count; g++) run->width += places[g].x_advance;
        run->width *= unit(text, run->font);
        line->width += run->width;
    }
}

static void draw_run(struct text *text, const struct run *run, double x, double y) {
    shape(text, run);
    unsigned count;
    const hb_glyph_info_t *glyphs = hb_buffer_get_glyph_infos(text->buffer, &count);
    const hb_glyph_position_t *places = hb_buffer_get_glyph_positions(text->buffer, &count);
    double scale = unit(text, run->font);
    for (unsigned g = 0; g < count && text->result != TEXT_NO_MEMORY; g++) {
        const struct glyph_place place = {
            x + places[g].x_offset * scale, y - places[g].y_offset * scale, scale, text->font.is_italic ? 0.2 : 0};
        if (text->scratch) text->outlines->count = 0;
        bool is_drawn = add_glyph(text->outlines, run->font, glyphs[g].codepoint, &place, text->scale);
        if (is_drawn && text->scratch)
            is_drawn = offstage_ink_fill(
                text->scratch, text->target, text->outlines->corners, text->outlines->count, text->head->color);
        if (!is_drawn) text->result = TEXT_NO_MEMORY;
        x += places[g].x_advance * scale;
    }
}

/// Returns the line's height, page units.
static double draw_line(struct text *text, size_t start, size_t end, double y) {
    static struct line line;
    measure(text, start, end, &line);
    hb_font_extents_t extents = {0};
    hb_font_t *font = fonts_any(text->font.first);
    hb_font_get_h_extents(font, &extents);
    double scale = unit(text, font), x = text->head->x;
    for (size_t i = 0; i < line.count; i++) {
        // In a right-to-left line, the first run is the last one from the left.
        const struct run *run = &line.runs[line.is_right_to_left ? line.count - 1 - i : i];
        draw_run(text, run, x, y + extents.ascender * scale);
        x += run->width;
    }
    return (extents.ascender - extents.descender) * scale;
}

static enum text_result draw_lines(struct text text, const struct item *item, const uint8_t *bytes) {
    const char *name = (const char *)bytes + item->bytes;
    size_t name_count = strnlen(name, item->byte_count);
    if (name_count == item->byte_count) return TEXT_DRAWN;
    text.head = &item->head.text;
    text.font = fonts_named(name);
    text.bytes = name + name_count + 1;
    size_t count = item->byte_count - name_count - 1;
    if (!fonts_any(text.font.first)) return TEXT_INCOMPLETE;
    if (!(text.head->size > 0) || !isfinite(text.head->x) || !isfinite(text.head->y)) return TEXT_DRAWN;
    text.buffer = hb_buffer_create();
    if (!hb_buffer_allocation_successful(text.buffer)) return TEXT_NO_MEMORY;
    double y = text.head->y;
    for (size_t start = 0; start <= count && text.result != TEXT_NO_MEMORY;) {
        const char *newline = memchr(text.bytes + start, '\n', count - start);
        size_t end = newline ? (size_t)(newline - text.bytes) : count;
        y += draw_line(&text, start, end, y);
        start = end + 1;
    }
    hb_buffer_destroy(text.buffer);
    return text.result;
}

enum text_result draw_text(
    struct offstage_ink_scratch *scratch, const struct offstage_ink_target *target, const struct item *item, const uint8_t *bytes) {
    struct outlines outlines = {0};
    const struct text text = {.scratch = scratch, .target = target, .outlines = &outlines, .scale = target->scale};
    enum text_result result = draw_lines(text, item, bytes);
    free(outlines.corners);
    return result;
}

enum text_result collect_text(struct outlines *outlines, double scale, const struct item *item, const uint8_t *bytes) {
    return draw_lines((struct text){.outlines = outlines, .scale = scale}, item, bytes);
}

double text_width(const char *font, double size, const char *line, size_t count) {
    static struct line measured;
    const struct offstage_ink_text_head head = {.size = (float)size};
    struct text text = {.head = &head, .font = fonts_named(font), .bytes = line, .buffer = hb_buffer_create()};
    double width = 0.55 * size * (double)count;
    if (fonts_any(text.font.first) && hb_buffer_allocation_successful(text.buffer)) {
        measure(&text, 0, count, &measured);
        width = measured.width;
    }
    hb_buffer_destroy(text.buffer);
    return width;
}

double text_height(const char *font, double size) {
    const struct offstage_ink_text_head head = {.size = (float)size};
    const struct text text = {.head = &head, .font = fonts_named(font)};
    hb_font_extents_t extents = {0};
    hb_font_t *first = fonts_any(text.font.first);
    if (!first) return 1.2 * size;
    hb_font_get_h_extents(first, &extents);
    return (extents.ascender - extents.descender) * unit(&text, first);
}
