#include "parts.h"

// The text of a part. Positions are in characters. They come from other programs and may be invalid.

typedef enum { CHARACTER, WORD_START, WORD_END, SENTENCE_START, SENTENCE_END, LINE } Unit;

static OffstagePart *part_of(AtkText *text) { return (OffstagePart *)text; }

static char *substring(OffstagePart *part, int start, int end) {
    if (end < 0 || end > part->length) end = part->length;
    if (start < 0 || start > end) return g_strdup("");
    return g_utf8_substring(part->text, start, end);
}

static gchar *get_text(AtkText *text, gint start, gint end) { return substring(part_of(text), start, end); }

static gunichar get_character_at_offset(AtkText *text, gint offset) {
    OffstagePart *part = part_of(text);
    if (offset < 0 || offset >= part->length) return 0;
    return g_utf8_get_char(g_utf8_offset_to_pointer(part->text, offset));
}

static gint get_character_count(AtkText *text) { return part_of(text)->length; }

// Rows have no caret, because users select whole rows.
static gint get_caret_offset(AtkText *text) {
    (void)text;
    return 0;
}

// Units.

static gboolean begins(const PangoLogAttr *attributes, int offset, Unit unit) {
    const PangoLogAttr *attribute = attributes + offset;
    switch (unit) {
    case CHARACTER: return TRUE;
    case WORD_START: return attribute->is_word_start;
    case WORD_END: return attribute->is_word_end;
    case SENTENCE_START: return attribute->is_sentence_start;
    case SENTENCE_END: return attribute->is_sentence_end;
    case LINE: return attribute->is_mandatory_break;
    }
    return TRUE;
}

/// The unit around an offset; `step` is -1 for the unit before it, and 1 for the unit after it. Empty if no such unit
/// exists.
static char *unit_at(OffstagePart *part, int offset, Unit unit, int step, gint *start, gint *end) {
    int length = part->length;
    *start = *end = 0;
    if (offset < 0 || offset > length || length == 0) return g_strdup("");
    PangoLogAttr *attributes = g_new(PangoLogAttr, length + 1);
    pango_get_log_attrs(part->text, -1, -1, pango_language_get_default(), attributes, length + 1);
    // The end of the text belongs to the last unit, but it is not a character.
    int first = unit == CHARACTER ? offset : MIN(offset, length - 1), last;
    while (first > 0 && first < length && !begins(attributes, first, unit)) first--;
    for (last = MIN(first + 1, length); last < length && !begins(attributes, last, unit);) last++;
    if (step < 0) {
        last = first;
        for (first = MAX(0, last - 1); first > 0 && !begins(attributes, first, unit);) first--;
    } else if (step > 0) {
        first = last;
        for (last = MIN(first + 1, length); last < length && !begins(attributes, last, unit);) last++;
    }
    g_free(attributes);
    *start = first;
    *end = last;
    return substring(part, first, last);
}

static gchar *get_string_at_offset(
    AtkText *text, gint offset, AtkTextGranularity granularity, gint *start, gint *end) {
    Unit unit = LINE;
    switch (granularity) {
    case ATK_TEXT_GRANULARITY_CHAR: unit = CHARACTER; break;
    case ATK_TEXT_GRANULARITY_WORD: unit = WORD_START; break;
    case ATK_TEXT_GRANULARITY_SENTENCE: unit = SENTENCE_START; break;
    case ATK_TEXT_GRANULARITY_LINE:
    case ATK_TEXT_GRANULARITY_PARAGRAPH: break;
    }
    return unit_at(part_of(text), offset, unit, 0, start, end);
}

static Unit unit_of(AtkTextBoundary boundary) {
    switch (boundary) {
    case ATK_TEXT_BOUNDARY_CHAR: return CHARACTER;
    case ATK_TEXT_BOUNDARY_WORD_START: return WORD_START;
    case ATK_TEXT_BOUNDARY_WORD_END: return WORD_END;
    case ATK_TEXT_BOUNDARY_SENTENCE_START: return SENTENCE_START;
    case ATK_TEXT_BOUNDARY_SENTENCE_END: return SENTENCE_END;
    case ATK_TEXT_BOUNDARY_LINE_START:
    case ATK_TEXT_BOUNDARY_LINE_END: break;
    }
    return LINE;
}

// Deprecated, but screen readers use them.

static gchar *get_text_at(AtkText *text, gint offset, AtkTextBoundary boundary, gint *start, gint *end) {
    return unit_at(part_of(text), offset, unit_of(boundary), 0, start, end);
}

static gchar *get_text_before(AtkText *text, gint offset, AtkTextBoundary boundary, gint *start, gint *end) {
    return unit_at(part_of(text), offset, unit_of(boundary), -1, start, end);
}

static gchar *get_text_after(AtkText *text, gint offset, AtkTextBoundary boundary, gint *start, gint *end) {
    return unit_at(part_of(text), offset, unit_of(boundary), 1, start, end);
}

// Boxes. The positions of links in the picture are known, those of characters are not.

/// The number of the link that contains all of these characters; -1 for the row.
static int link_around(OffstagePart *part, int start, int end) {
    if (part->link >= 0 || !G_TYPE_CHECK_INSTANCE_TYPE(part, offstage_row_get_type())) return part->link;
    OffstageLink *link = offstage_row_get_link_at((OffstageRow *)part, start);
    return link && end <= link->end ? link->parent.link : -1;
}

static void get_range_extents(
    AtkText *text, gint start, gint end, AtkCoordType type, AtkTextRectangle *rectangle) {
    OffstagePart *part = part_of(text);
    GdkRectangle box = {-1, -1, -1, -1};
    if (part->canvas && gtk_widget_get_realized(part->canvas)
        && offstage_part_get_box(part, link_around(part, start, end < 0 ? part->length : end), &box))
        offstage_part_translate(part, &box, type);
    *rectangle = (AtkTextRectangle){box.x, box.y, box.width, box.height};
}

static void get_character_extents(
    AtkText *text, gint offset, gint *x, gint *y, gint *width, gint *height, AtkCoordType type) {
    AtkTextRectangle box;
    get_range_extents(text, offset, offset + 1, type, &box);
    *x = box.x;
    *y = box.y;
    *width = box.width;
    *height = box.height;
}

static gint get_offset_at_point(AtkText *text, gint x, gint y, AtkCoordType type) {
    AtkObject *child = atk_component_ref_accessible_at_point((AtkComponent *)text, x, y, type);
    int offset = atk_component_contains((AtkComponent *)text, x, y, type) ? 0 : -1;
    if (child && G_TYPE_CHECK_INSTANCE_TYPE(child, offstage_link_get_type()))
        offset = MAX(0, ((OffstageLink *)child)->start);
    if (child) g_object_unref(child);
    return offset;
}

static AtkAttributeSet *get_run_attributes(AtkText *text, gint offset, gint *start, gint *end) {
    (void)offset;
    *start = 0;
    *end = part_of(text)->length;
    return NULL;
}

void offstage_part_init_text(AtkTextIface *interface) {
    interface->get_text = get_text;
    interface->get_character_at_offset = get_character_at_offset;
    interface->get_character_count = get_character_count;
    interface->get_caret_offset = get_caret_offset;
    interface->get_string_at_offset = get_string_at_offset;
    interface->get_text_at_offset = get_text_at;
    interface->get_text_before_offset = get_text_before;
    interface->get_text_after_offset = get_text_after;
    interface->get_range_extents = get_range_extents;
    interface->get_character_extents = get_character_extents;
    interface->get_offset_at_point = get_offset_at_point;
    interface->get_run_attributes = get_run_attributes;
}
