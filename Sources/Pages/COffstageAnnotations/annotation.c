// An annotation: its dictionary, and the appearance that viewers draw.
#include <math.h>
#include <string.h>

#include "appearance.h"

static const char *subtype(uint32_t kind) {
    switch (kind) {
    case KIND_NOTE: return "Text";
    case KIND_FREE_TEXT: return "FreeText";
    case KIND_LINE: return "Line";
    case KIND_SQUARE: return "Square";
    case KIND_CIRCLE: return "Circle";
    case KIND_POLYGON: return "Polygon";
    case KIND_POLYLINE: return "PolyLine";
    case KIND_HIGHLIGHT: return "Highlight";
    case KIND_UNDERLINE: return "Underline";
    case KIND_SQUIGGLY: return "Squiggly";
    case KIND_STRIKE_OUT: return "StrikeOut";
    case KIND_INK: return "Ink";
    default: return NULL;
    }
}

struct page_place shown_place(const struct appearance *a, const int32_t *place) {
    const double side = OFFSTAGE_PAGES_WORD_SIDE;
    return (struct page_place){place[0] * page_width(a->space) / side, place[1] * page_height(a->space) / side};
}

struct shown_box shown_box(const struct appearance *a, const int32_t *corners) {
    struct page_place one = shown_place(a, corners), other = shown_place(a, corners + 2);
    return (struct shown_box){fmin(one.x, other.x), fmin(one.y, other.y), fmax(one.x, other.x), fmax(one.y, other.y)};
}

double units_of(const struct appearance *a, uint32_t thousandths) { return thousandths / 1000.0 / a->space->unit; }

void add_place(struct appearance *a, double x, double y, const char *operator) {
    struct page_place place = page_at(a->space, x, y);
    pdf_number(&a->content, place.x);
    pdf_number(&a->content, place.y);
    pdf_text(&a->content, operator);
}

void add_color(struct pdf_buffer *buffer, uint32_t color, const char *operator) {
    for (int shift = 16; shift >= 0; shift -= 8) pdf_number(buffer, (color >> shift & 255) / 255.0);
    pdf_text(buffer, operator);
}

static bool has_strokes(uint32_t kind) {
    return kind == KIND_INK || kind == KIND_LINE || kind == KIND_POLYGON || kind == KIND_POLYLINE;
}

static bool is_mark(uint32_t kind) {
    return kind == KIND_HIGHLIGHT || kind == KIND_UNDERLINE || kind == KIND_SQUIGGLY || kind == KIND_STRIKE_OUT;
}

/// Finds the rectangle around all points, including line widths.
static void find_box(struct appearance *a) {
    const struct annotation *annotation = a->annotation;
    a->box = shown_box(a, annotation->head.box);
    uint32_t kind = annotation->head.kind, count = annotation->head.point_count;
    if (count == 0 || (!has_strokes(kind) && !is_mark(kind))) return;
    struct shown_box box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < count; i++) {
        struct page_place place = shown_place(a, annotation->points + 2 * i);
        box = (struct shown_box){
            fmin(box.left, place.x), fmin(box.top, place.y), fmax(box.right, place.x), fmax(box.bottom, place.y)};
    }
    double pen = is_mark(kind) ? 0 : units_of(a, annotation->head.width) / 2;
    for (uint32_t i = 0; annotation->widths && i < count; i++) pen = fmax(pen, units_of(a, annotation->widths[i]) / 2);
    // The corners of a polygon can extend further than the line's width, up to the standard's miter limit.
    if (kind == KIND_POLYGON || kind == KIND_POLYLINE) pen *= 10;
    a->box = (struct shown_box){box.left - pen, box.top - pen, box.right + pen, box.bottom + pen};
}

static bool is_upright(const struct appearance *a) { return a->space == &a->upright; }

/// Adds four numbers: the appearance's rectangle, or the annotation's in page coordinates.
static void add_box(struct pdf_buffer *out, const struct appearance *a, bool is_placed) {
    struct page_place one = page_at(a->space, a->box.left, a->box.top), other = page_at(a->space, a->box.right, a->box.bottom);
    if (is_placed && is_upright(a)) {
        other = (struct page_place){a->corner.x + other.x - one.x, a->corner.y + other.y - one.y};
        one = a->corner;
    }
    pdf_text(out, "[");
    pdf_number(out, fmin(one.x, other.x));
    pdf_number(out, fmin(one.y, other.y));
    pdf_number(out, fmax(one.x, other.x));
    pdf_number(out, fmax(one.y, other.y));
    pdf_text(out, "]");
}

static void add_point(struct appearance *a, struct pdf_buffer *out, double x, double y) {
    struct page_place place = page_at(a->space, x, y);
    pdf_number(out, place.x);
    pdf_number(out, place.y);
}

static void add_points(struct appearance *a, struct pdf_buffer *out, uint32_t start, uint32_t count) {
    for (uint32_t i = start; i < start + count; i++) {
        struct page_place place = shown_place(a, a->annotation->points + 2 * i);
        add_point(a, out, place.x, place.y);
    }
}

static void add_widths(struct appearance *a, struct pdf_buffer *out, uint32_t start, uint32_t count) {
    for (uint32_t i = start; i < start + count; i++) pdf_number(out, a->annotation->widths[i] / 1000.0);
}

/// Adds an array that contains an array for each stroke. A long stroke is divided; consecutive parts share a point.
static void add_strokes(
    struct appearance *a, struct pdf_buffer *out, const char *name,
    void (*add)(struct appearance *, struct pdf_buffer *, uint32_t start, uint32_t count)) {
    pdf_format(out, "%s [", name);
    for (uint32_t i = 0, start = 0; i < a->annotation->head.stroke_count; start += a->annotation->lengths[i++]) {
        uint32_t at = start, end = start + a->annotation->lengths[i];
        do {
            uint32_t part = end - at <= ANNOTATION_MOST_POINTS ? end - at : ANNOTATION_MOST_POINTS;
            pdf_text(out, "[");
            add(a, out, at, part);
            pdf_text(out, "]");
            at += part;
            if (at < end) at--;
        } while (at < end);
    }
    pdf_text(out, "]\n");
}

/// Adds the geometry that the kind requires.
static void add_geometry(struct appearance *a, struct pdf_buffer *out) {
    const struct annotation *annotation = a->annotation;
    uint32_t kind = annotation->head.kind, count = annotation->head.stroke_count;
    if (kind == KIND_INK) {
        add_strokes(a, out, "/InkList", add_points);
        if (annotation->widths) add_strokes(a, out, ANNOTATION_WIDTHS, add_widths);
    } else if (is_mark(kind)) {
        // The upper corners first, then the lower ones, as displayed: viewers expect this, despite the standard.
        pdf_text(out, "/QuadPoints [");
        for (uint32_t i = 0, start = 0; i < count; start += annotation->lengths[i++]) {
            if (annotation->lengths[i] != 2) continue;
            struct shown_box mark = shown_box(a, annotation->points + 2 * start);
            add_point(a, out, mark.left, mark.top);
            add_point(a, out, mark.right, mark.top);
            add_point(a, out, mark.left, mark.bottom);
            add_point(a, out, mark.right, mark.bottom);
        }
        pdf_text(out, "]\n");
    } else if (has_strokes(kind) && count > 0) {
        pdf_text(out, kind == KIND_LINE ? "/L [" : "/Vertices [");
        add_points(a, out, 0, annotation->lengths[0]);
        pdf_text(out, "]\n");
    }
}

static void add_dictionary(struct appearance *a, const struct annotation_target *target, double opacity, uint32_t form) {
    const struct annotation *annotation = a->annotation;
    const struct offstage_pages_annotation *head = &annotation->head;
    struct pdf_writer *writer = a->writer;
    struct pdf_buffer *out = &writer->out;
    pdf_format(out, "<< /Type /Annot /Subtype /%s /Rect ", subtype(head->kind));
    add_box(out, a, true);
    pdf_text(out, "\n");
    if (target->page) pdf_format(out, "/P %u %u R ", target->page, target->page_generation);
    pdf_text(out, "/NM ");
    pdf_string(writer, annotation->identifier, head->identifier_size);
    const char *modified = head->modified_size > 0 ? annotation->modified : target->modified;
    size_t modified_size = head->modified_size > 0 ? head->modified_size : modified ? strlen(modified) : 0;
    if (modified_size > 0) {
        pdf_text(out, " /M ");
        pdf_string(writer, modified, modified_size);
    }
    if (head->author_size > 0) {
        pdf_text(out, " /T ");
        pdf_string(writer, annotation->author, head->author_size);
    }
    if (head->text_size > 0) {
        pdf_text(out, " /Contents ");
        pdf_string(writer, annotation->text, head->text_size);
    }
    pdf_text(out, "\n");
    bool is_text = head->kind == KIND_FREE_TEXT;
    uint32_t color = is_text ? head->fill : head->color;
    if (!is_text || color >> 24) {
        pdf_text(out, "/C [");
        add_color(out, color, "] ");
    }
    if (!is_text && head->fill >> 24) {
        pdf_text(out, "/IC [");
        add_color(out, head->fill, "] ");
    }
    if (opacity < 1) {
        pdf_text(out, "/CA ");
        pdf_number(out, opacity);
    }
    if (!is_mark(head->kind) && head->kind != KIND_NOTE) {
        double width = units_of(a, is_text ? head->border : head->width);
        pdf_text(out, "/Border [0 0 ");
        pdf_number(out, width);
        pdf_text(out, "] /BS << /Type /Border /W ");
        pdf_number(out, width);
        pdf_text(out, ">>\n");
    }
    if (head->kind == KIND_NOTE) pdf_text(out, "/Name /Note ");
    if (is_text) {
        struct pdf_buffer look = {0};
        add_text_look(a, &look);
        pdf_text(out, "/DA ");
        pdf_string(writer, (const char *)look.bytes, look.size);
        pdf_format(out, " /Q %u ", head->alignment <= 2 ? head->alignment : 0);
        if (head->family_size > 0) {
            pdf_text(out, "/DS ");
            pdf_free(&look);
            pdf_text(&look, "font-family:'");
            pdf_add(&look, annotation->family, head->family_size);
            pdf_format(&look, "';font-size:%gpt;color:#%06x", units_of(a, head->font_size), head->color & 0xFFFFFF);
            pdf_string(writer, (const char *)look.bytes, look.size);
        }
        pdf_free(&look);
    }
    add_geometry(a, out);
    if (target->add_entries) target->add_entries(target->context, writer);
    uint32_t flags = target->flags | (is_upright(a) ? ANNOTATION_NO_ZOOM | ANNOTATION_NO_ROTATION : 0);
    if (flags) pdf_format(out, "/F %u ", flags);
    pdf_format(out, "/AP << /N %u 0 R >> >>", form);
}

bool annotation_write(
    struct pdf_writer *writer, const struct annotation *annotation, const struct annotation_target *target,
    struct annotation_problems *problems) {
    if (!subtype(annotation->head.kind)) return false;
    struct appearance a = {.annotation = annotation, .space = target->space, .writer = writer};
    find_box(&a);
    bool darkens = annotation->head.kind == KIND_HIGHLIGHT || annotation->head.pen & OFFSTAGE_PAGES_MARKS;
    double opacity = annotation->head.opacity / (double)OFFSTAGE_PAGES_OPAQUE;
    if (annotation->head.kind == KIND_INK) opacity *= (annotation->head.color >> 24) / 255.0;
    bool has_state = darkens || opacity < 1;
    if (has_state) pdf_text(&a.content, "/G gs\n");
    draw_appearance(&a);
    uint32_t form = pdf_reserve(writer);
    struct pdf_buffer entries = {0};
    pdf_text(&entries, "/Type /XObject /Subtype /Form /BBox ");
    add_box(&entries, &a, false);
    pdf_text(&entries, " /Resources << ");
    if (has_state) {
        pdf_text(&entries, "/ExtGState << /G << /Type /ExtGState /AIS false /CA ");
        pdf_number(&entries, opacity);
        pdf_text(&entries, "/ca ");
        pdf_number(&entries, opacity);
        pdf_text(&entries, darkens ? "/BM /Multiply >> >> " : ">> >> ");
    }
    if (a.images.size > 0) {
        pdf_text(&entries, "/XObject << ");
        pdf_add(&entries, a.images.bytes, a.images.size);
        pdf_text(&entries, ">> ");
    }
    pdf_text(&entries, ">> ");
    if (entries.has_failed || a.content.has_failed || a.images.has_failed) writer->has_failed = true;
    else {
        pdf_stream(writer, form, &entries, a.content.bytes ? a.content.bytes : (const uint8_t *)"", a.content.size);
        pdf_begin(writer, target->number, target->generation);
        add_dictionary(&a, target, opacity, form);
        pdf_end(writer);
    }
    problems->has_missing |= a.problems.has_missing;
    problems->is_cut |= a.problems.is_cut;
    pdf_free(&entries);
    pdf_free(&a.content);
    pdf_free(&a.images);
    return true;
}
