// The words of a free text, as filled outlines. HarfBuzz places the glyphs, and FriBidi orders lines with right-to-left words.
#include <fribidi.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "appearance.h"
#include "fonts.h"
#include "glyphs.h"

/// The line height, as a multiple of the font size.
#define LINE 1.25
#define MOST_LINES 5000

/// The characters between two line feeds.
struct paragraph {
    uint32_t *characters;
    size_t count;
    FriBidiLevel *levels;
    uint8_t *fonts;
    hb_script_t *scripts;
    /// In units. The width of a cluster is that of its first character.
    double *widths;
    bool is_right_to_left;
};

/// Characters in one font, one script and one direction.
struct run { size_t start, end; };

struct text {
    struct appearance *appearance;
    hb_buffer_t *buffer;
    /// Units.
    double size;
    uint8_t first;
};

static bool is_space(uint32_t character) { return character == ' ' || character == 0x3000 || character == 0x200B; }

/// True for characters that use the font of the character before them: marks, joiners, variation selectors.
static bool is_company(uint32_t character) {
    switch (hb_unicode_general_category(hb_unicode_funcs_get_default(), character)) {
    case HB_UNICODE_GENERAL_CATEGORY_CONTROL:
    case HB_UNICODE_GENERAL_CATEGORY_FORMAT:
    case HB_UNICODE_GENERAL_CATEGORY_NON_SPACING_MARK:
    case HB_UNICODE_GENERAL_CATEGORY_ENCLOSING_MARK:
    case HB_UNICODE_GENERAL_CATEGORY_SPACE_SEPARATOR: return true;
    default: return character >= 0x1F3FB && character <= 0x1F3FF;
    }
}

/// True for ideographs and similar characters, between which a line may end.
static bool is_ideograph(uint32_t character) {
    return (character >= 0x2E80 && character < 0xA4D0) || (character >= 0xAC00 && character < 0xD7B0)
        || (character >= 0xF900 && character < 0xFB00) || (character >= 0xFE30 && character < 0xFE50)
        || (character >= 0xFF00 && character < 0xFFF0) || (character >= 0x20000 && character < 0x40000);
}

static bool is_one_of(uint32_t character, const uint32_t *list) {
    for (; *list; list++)
        if (*list == character) return true;
    return false;
}

/// True if a line may end before a character.
static bool may_break(const struct paragraph *p, size_t at) {
    static const uint32_t closing[] = U"!),.:;?]}、。」』】〉》〕！），．：；？］｝ー～…ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ々〜ゝゞヽヾ";
    static const uint32_t opening[] = U"([{「『【〈《〔（［｛";
    if (at == 0 || at >= p->count) return at != 0;
    uint32_t before = p->characters[at - 1], after = p->characters[at];
    if (is_space(after)) return false;
    if (is_space(before)) return true;
    if (before == '-' || before == 0x2010 || before == 0x2013 || before == 0x2014) return at > 1 && !is_space(p->characters[at - 2]);
    bool is_between = is_ideograph(before) || is_ideograph(after);
    return is_between && !is_company(after) && !is_one_of(after, closing) && !is_one_of(before, opening);
}

/// Returns the run that begins at a character and ends at `end` or before it.
static struct run run_at(const struct paragraph *p, size_t start, size_t end) {
    struct run run = {start, start + 1};
    while (run.end < end && p->fonts[run.end] == p->fonts[start] && p->scripts[run.end] == p->scripts[start]
           && p->levels[run.end] == p->levels[start])
        run.end++;
    return run;
}

static double scale_of(const struct text *text, hb_font_t *font) {
    unsigned units = hb_face_get_upem(hb_font_get_face(font));
    return text->size / (units > 0 ? units : 1000);
}

static hb_font_t *shape(struct text *text, const struct paragraph *p, struct run run) {
    hb_font_t *font = font_at(p->fonts[run.start]);
    hb_buffer_reset(text->buffer);
    // Letters beyond the run's ends affect how those at its ends join.
    hb_buffer_add_codepoints(
        text->buffer, p->characters, (int)p->count, (unsigned)run.start, (int)(run.end - run.start));
    hb_buffer_set_script(text->buffer, p->scripts[run.start]);
    hb_buffer_set_direction(text->buffer, p->levels[run.start] & 1 ? HB_DIRECTION_RTL : HB_DIRECTION_LTR);
    hb_buffer_set_language(text->buffer, hb_language_from_string("en", 2));
    hb_shape(font, text->buffer, NULL, 0);
    return font;
}

static void measure(struct text *text, struct paragraph *p) {
    for (size_t at = 0; at < p->count;) {
        struct run run = run_at(p, at, p->count);
        hb_font_t *font = shape(text, p, run);
        unsigned count;
        const hb_glyph_info_t *glyphs = hb_buffer_get_glyph_infos(text->buffer, &count);
        const hb_glyph_position_t *places = hb_buffer_get_glyph_positions(text->buffer, &count);
        for (unsigned i = 0; i < count; i++)
            if (glyphs[i].cluster < p->count) p->widths[glyphs[i].cluster] += places[i].x_advance * scale_of(text, font);
        at = run.end;
    }
}

/// Draws a line of a paragraph.
static void draw_line(struct text *text, const struct paragraph *p, size_t start, size_t end, double y, struct shown_box box) {
    while (end > start && is_space(p->characters[end - 1])) end--;
    if (start == end) return;
    double width = 0;
    size_t count = 0;
    for (size_t i = start; i < end; i++) width += p->widths[i];
    // A letter can be wider than the box.
    if (width > (box.right - box.left) * 1.01) text->appearance->problems.is_cut = true;
    for (size_t at = start; at < end; count++) at = run_at(p, at, end).end;
    struct run *runs = calloc(count, sizeof *runs);
    if (!runs) {
        text->appearance->content.has_failed = true;
        return;
    }
    FriBidiLevel most = 0;
    count = 0;
    for (size_t at = start; at < end; at = runs[count++].end) {
        runs[count] = run_at(p, at, end);
        if (p->levels[at] > most) most = p->levels[at];
    }
    // From the highest level down to the lowest right-to-left level, reverses runs of at least that level.
    for (FriBidiLevel level = most; level > 0; level--)
        for (size_t i = 0; i < count; i++) {
            size_t from = i;
            while (i < count && p->levels[runs[i].start] >= level) i++;
            for (size_t to = i; to > from + 1; from++) {
                struct run other = runs[--to];
                runs[to] = runs[from];
                runs[from] = other;
            }
        }
    uint32_t alignment = text->appearance->annotation->head.alignment;
    // A right-to-left text starts at the right.
    bool is_right = p->is_right_to_left ? alignment == 0 : alignment == 2;
    double x = alignment == 1 ? (box.left + box.right - width) / 2 : is_right ? box.right - width : box.left;
    for (size_t i = 0; i < count; i++) {
        hb_font_t *font = shape(text, p, runs[i]);
        x = draw_glyphs(text->appearance, text->buffer, font, p->fonts[runs[i].start], scale_of(text, font), x, y);
    }
    free(runs);
}

/// Returns the end of the line that begins at a character, which is also the beginning of the next line.
static size_t line_end(const struct paragraph *p, size_t start, double most) {
    double width = 0;
    size_t last = start;
    for (size_t at = start; at < p->count; at++) {
        if (at > start && may_break(p, at)) last = at;
        width += p->widths[at];
        // Spaces may extend beyond the edge.
        if (width <= most * 1.0001 || is_space(p->characters[at])) continue;
        if (last > start) return last;
        // A word wider than the box may break anywhere, but not before a character that is drawn with the previous one.
        for (size_t end = at; end > start; end--)
            if (p->widths[end] > 0 && !is_company(p->characters[end])) return end;
    }
    return p->count;
}

static void choose_fonts(struct text *text, struct paragraph *p) {
    uint8_t font = NO_FONT;
    hb_script_t script = HB_SCRIPT_COMMON;
    for (size_t i = 0; i < p->count; i++) {
        uint32_t character = p->characters[i], after = i + 1 < p->count ? p->characters[i + 1] : 0;
        // In an emoji font, a space is as wide as a picture.
        bool is_wide = font_is_emoji(font) && is_space(character);
        if (font == NO_FONT || is_wide || !is_company(character)) {
            bool is_emoji = after == 0xFE0F || (character >= 0x1F000 && after != 0xFE0E);
            uint8_t found = font_for(character, font, text->first, is_emoji);
            if (found == NO_FONT && !is_company(character)) text->appearance->problems.has_missing = true;
            font = found == NO_FONT ? (font == NO_FONT ? text->first : font) : found;
        }
        p->fonts[i] = font;
        hb_script_t own = hb_unicode_script(hb_unicode_funcs_get_default(), character);
        if (own != HB_SCRIPT_COMMON && own != HB_SCRIPT_INHERITED && own != HB_SCRIPT_UNKNOWN) script = own;
        p->scripts[i] = script;
    }
    // Characters before the first letter get that letter's script.
    for (size_t i = p->count; i-- > 1;)
        if (p->scripts[i - 1] == HB_SCRIPT_COMMON) p->scripts[i - 1] = p->scripts[i];
}

/// False for a line that is below the box.
static bool has_room(const struct text *text, int line, struct shown_box box) {
    return line < MOST_LINES && box.top + line * LINE * text->size < box.bottom;
}

/// Draws a paragraph. Returns the number of the next line.
static int draw_paragraph(struct text *text, struct paragraph *p, int line, struct shown_box box) {
    FriBidiCharType *types = calloc(p->count, sizeof *types);
    FriBidiBracketType *brackets = calloc(p->count, sizeof *brackets);
    FriBidiParType direction = FRIBIDI_PAR_ON;
    bool has_levels = false;
    if (types && brackets) {
        fribidi_get_bidi_types(p->characters, (int)p->count, types);
        fribidi_get_bracket_types(p->characters, (int)p->count, types, brackets);
        has_levels = fribidi_get_par_embedding_levels_ex(types, brackets, (int)p->count, &direction, p->levels) > 0;
    }
    free(types);
    free(brackets);
    if (!has_levels) {
        text->appearance->content.has_failed = true;
        return line;
    }
    p->is_right_to_left = FRIBIDI_IS_RTL(direction);
    choose_fonts(text, p);
    measure(text, p);
    for (size_t start = 0; start < p->count; line++) {
        if (!has_room(text, line, box)) {
            text->appearance->problems.is_cut = true;
            break;
        }
        double top = box.top + line * LINE * text->size;
        // Only descenders may extend beyond the box.
        if (top + text->size > box.bottom + 0.05 * text->size) text->appearance->problems.is_cut = true;
        size_t end = line_end(p, start, box.right - box.left);
        draw_line(text, p, start, end, top + text->size, box);
        start = end > start ? end : start + 1;
    }
    return line;
}

/// Reads the next UTF-8 character. Control characters become spaces.
static uint32_t next(const char *bytes, size_t size, size_t *at) {
    uint8_t first = (uint8_t)bytes[(*at)++];
    size_t more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
    uint32_t value = first < 0x80 ? first : first & (0x3Fu >> more);
    for (; more > 0 && *at < size && ((uint8_t)bytes[*at] & 0xC0) == 0x80; more--)
        value = value << 6 | ((uint8_t)bytes[(*at)++] & 0x3F);
    return value < 0x20 || (value >= 0x7F && value < 0xA0) || value == 0xA0 ? ' ' : value;
}

static void draw_words(struct text *text, struct shown_box box) {
    const char *bytes = text->appearance->annotation->text;
    size_t size = text->appearance->annotation->head.text_size;
    struct paragraph p = {
        .characters = calloc(size + 1, sizeof *p.characters),
        .levels = calloc(size + 1, sizeof *p.levels),
        .fonts = calloc(size + 1, sizeof *p.fonts),
        .scripts = calloc(size + 1, sizeof *p.scripts),
        .widths = calloc(size + 1, sizeof *p.widths),
    };
    bool has_memory = p.characters && p.levels && p.fonts && p.scripts && p.widths;
    if (!has_memory) text->appearance->content.has_failed = true;
    int line = 0;
    size_t at = 0;
    while (at < size && has_memory && has_room(text, line, box)) {
        for (p.count = 0; at < size && bytes[at] != '\n' && bytes[at] != '\r';) p.characters[p.count++] = next(bytes, size, &at);
        if (at < size) at += bytes[at] == '\r' && at + 1 < size && bytes[at + 1] == '\n' ? 2 : 1;
        memset(p.widths, 0, p.count * sizeof *p.widths);
        line = p.count > 0 ? draw_paragraph(text, &p, line, box) : line + 1;
    }
    for (; at < size; at++)
        if (!strchr(" \n\r\t", bytes[at])) text->appearance->problems.is_cut = true;
    free(p.characters);
    free(p.levels);
    free(p.fonts);
    free(p.scripts);
    free(p.widths);
}

static void add_rectangle(struct appearance *a, struct shown_box box, const char *operator) {
    add_place(a, box.left, box.top, "m ");
    add_place(a, box.right, box.top, "l ");
    add_place(a, box.right, box.bottom, "l ");
    add_place(a, box.left, box.bottom, "l h ");
    pdf_text(&a->content, operator);
}

void draw_free_text(struct appearance *a) {
    const struct offstage_pages_annotation *head = &a->annotation->head;
    struct shown_box box = a->box;
    double border = fmin(units_of(a, head->border), fmin(box.right - box.left, box.bottom - box.top) / 2);
    if (head->fill >> 24) {
        add_color(&a->content, head->fill, "rg ");
        add_rectangle(a, box, "f\n");
    }
    if (border > 0) {
        add_color(&a->content, head->color, "RG ");
        pdf_number(&a->content, border);
        pdf_text(&a->content, "w ");
        double half = border / 2;
        add_rectangle(a, (struct shown_box){box.left + half, box.top + half, box.right - half, box.bottom - half}, "S\n");
        // Keep the words away from the box's line.
        double inset = 2 * border;
        box = (struct shown_box){box.left + inset, box.top + inset, box.right - inset, box.bottom - inset};
    }
    struct text text = {
        .appearance = a,
        .size = units_of(a, head->font_size),
        .first = font_named(a->annotation->family, head->family_size),
    };
    if (head->text_size == 0 || !(text.size > 0)) return;
    if (!font_at(text.first)) {
        a->problems.has_missing = true;
        return;
    }
    text.buffer = hb_buffer_create();
    add_color(&a->content, head->color, "rg\n");
    if (hb_buffer_allocation_successful(text.buffer)) draw_words(&text, box);
    else a->content.has_failed = true;
    hb_buffer_destroy(text.buffer);
}

void add_text_look(struct appearance *a, struct pdf_buffer *look) {
    const struct annotation *annotation = a->annotation;
    // The standard's names for the fonts that every viewer has.
    static const char *const names[] = {"/Helv ", "/Helv ", "/TiRo ", "/Cour "};
    uint8_t font = font_named(annotation->family, annotation->head.family_size);
    pdf_text(look, names[font < 4 ? font : 0]);
    pdf_number(look, units_of(a, annotation->head.font_size));
    pdf_text(look, "Tf ");
    add_color(look, annotation->head.color, "rg");
}
