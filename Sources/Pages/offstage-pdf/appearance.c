// Makes appearances for annotations that have none. The library makes those of marks, squares, circles, ink and notes itself.
#include "appearance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "border.h"
#include "marks.h"

/// The maximum number of corners of a polygon.
#define CORNERS 2000

/// An appearance's content.
struct content {
    char text[CORNERS * 32];
    size_t size;
};

/// The changes made in the library, to undo them.
static struct change {
    int index;
    bool is_hidden;
    int flags;
    struct pdfium_box box;
} *changes;
static size_t change_count;
static int stamp_count;

static bool remember(struct change change) {
    struct change *more = realloc(changes, (change_count + 1) * sizeof *changes);
    if (!more) return false;
    changes = more;
    changes[change_count++] = change;
    return true;
}

static bool is_sane(double value) { return value > -1e6 && value < 1e6; }

/// Writes three decimals. The program sets no locale, so the C library's format is fixed.
static void add(struct content *content, const char *format, double x, double y) {
    size_t rest = sizeof content->text - content->size;
    if (rest < 64 || !is_sane(x) || !is_sane(y)) return;
    int count = snprintf(content->text + content->size, rest, format, x, y);
    if (count > 0 && (size_t)count < rest) content->size += (size_t)count;
}

static void add_text(struct content *content, const char *text) {
    size_t length = strlen(text);
    if (sizeof content->text - content->size <= length) return;
    memcpy(content->text + content->size, text, length);
    content->size += length;
}

static double opacity_of(pdfium_annotation annotation) {
    float opacity = 1;
    return pdfium.FPDFAnnot_GetNumberValue(annotation, "CA", &opacity) && opacity >= 0 && opacity < 1 ? opacity : 1;
}

static void add_color(struct content *content, pdfium_annotation annotation, int which, const char *operator) {
    unsigned red = 0, green = 0, blue = 0, alpha = 255;
    if (!pdfium.FPDFAnnot_GetColor(annotation, which, &red, &green, &blue, &alpha)) red = green = blue = 0;
    add(content, "%.3f %.3f", red / 255.0, green / 255.0);
    add(content, " %.3f ", blue / 255.0, 0);
    add_text(content, operator);
}

/// Starts with the colour, the width and the dash pattern of the annotation's lines. False for a line without a width.
static bool begin(struct content *content, pdfium_annotation annotation, const struct border *border) {
    content->size = 0;
    if (!(border->width > 0) || border->width > 1000) return false;
    // The library's name for the graphics state with the annotation's opacity.
    if (opacity_of(annotation) < 1) add_text(content, "/GS gs ");
    add_color(content, annotation, 0, "RG");
    add(content, " %.3f w\n", border->width, 0);
    if (border->dash_count == 0) return true;
    add_text(content, "[");
    for (size_t i = 0; i < border->dash_count; i++) add(content, "%.3f ", border->dashes[i], 0);
    add_text(content, "] 0 d\n");
    return true;
}

/// Sets the appearance, and enlarges the annotation's rectangle so that nothing is cut off.
static void set(pdfium_annotation annotation, int index, const struct content *content, const struct pdfium_box *needed) {
    static unsigned short units[CORNERS * 32 + 1];
    struct pdfium_box box;
    if (!pdfium.FPDFAnnot_GetRect(annotation, &box) || !remember((struct change){.index = index, .box = box})) return;
    struct pdfium_box larger = {
        fminf(box.left, needed->left), fmaxf(fmaxf(box.top, box.bottom), needed->top), fmaxf(box.right, needed->right),
        fminf(fminf(box.top, box.bottom), needed->bottom)};
    for (size_t i = 0; i < content->size; i++) units[i] = (unsigned char)content->text[i];
    units[content->size] = 0;
    pdfium.FPDFAnnot_SetRect(annotation, &larger);
    pdfium.FPDFAnnot_SetAP(annotation, 0, units);
}

static struct content content;

/// The rectangle of a path, including lines that extend beyond its points.
static struct pdfium_box around(const struct pdfium_point *points, size_t count, double width) {
    // Mitred corners extend further than the line's width.
    float room = (float)(width * 2);
    struct pdfium_box box = {points[0].x, points[0].y, points[0].x, points[0].y};
    for (size_t i = 1; i < count; i++) {
        box.left = fminf(box.left, points[i].x);
        box.right = fmaxf(box.right, points[i].x);
        box.bottom = fminf(box.bottom, points[i].y);
        box.top = fmaxf(box.top, points[i].y);
    }
    return (struct pdfium_box){box.left - room, box.top + room, box.right + room, box.bottom - room};
}

static void draw_line(struct work *work, pdfium_annotation annotation, int index) {
    struct pdfium_point ends[2];
    struct border border = border_of(work, annotation, index, 1);
    if (!pdfium.FPDFAnnot_GetLine(annotation, &ends[0], &ends[1]) || !begin(&content, annotation, &border)) return;
    add(&content, "%.3f %.3f m ", ends[0].x, ends[0].y);
    add(&content, "%.3f %.3f l S", ends[1].x, ends[1].y);
    struct pdfium_box box = around(ends, 2, border.width);
    set(annotation, index, &content, &box);
}

static void draw_corners(struct work *work, pdfium_annotation annotation, int index, bool is_closed) {
    static struct pdfium_point corners[CORNERS];
    unsigned long count = pdfium.FPDFAnnot_GetVertices(annotation, corners, CORNERS);
    struct border border = border_of(work, annotation, index, 1);
    bool is_filled = is_closed && pdfium.FPDFAnnot_HasKey(annotation, "IC");
    if (count < 2 || count > CORNERS) return;
    bool has_line = begin(&content, annotation, &border);
    if (!has_line && !is_filled) return;
    if (!has_line && opacity_of(annotation) < 1) add_text(&content, "/GS gs ");
    if (is_filled) add_color(&content, annotation, 1, "rg\n");
    for (unsigned long i = 0; i < count; i++) add(&content, i == 0 ? "%.3f %.3f m " : "%.3f %.3f l ", corners[i].x, corners[i].y);
    add_text(&content, is_filled ? has_line ? "b" : "f" : is_closed ? "s" : "S");
    struct pdfium_box box = around(corners, count, border.width);
    set(annotation, index, &content, &box);
}

/// Draws the border of a link, inside its rectangle.
static void draw_border(struct work *work, pdfium_annotation annotation, int index) {
    struct pdfium_box box;
    // Viewers show a link without a border entry without a border.
    struct border border = border_of(work, annotation, index, 0);
    if (!pdfium.FPDFAnnot_GetRect(annotation, &box)) return;
    double width = box.right - box.left, height = fabs((double)box.top - box.bottom);
    // A wider border would cover the text.
    double most = fmax(1, fmin(width, height) / 4);
    if (border.width > most) border.width = 1;
    if (!begin(&content, annotation, &border)) return;
    double half = border.width / 2, bottom = fmin(box.top, box.bottom) + half;
    add(&content, "%.3f %.3f ", box.left + half, bottom);
    if (border.is_underline) {
        add_text(&content, "m ");
        add(&content, "%.3f %.3f l S", box.right - half, bottom);
    } else add(&content, "%.3f %.3f re S", width - border.width, height - border.width);
    set(annotation, index, &content, &box);
}

/// Draws text marks whose corners the library would misinterpret.
static void draw_marks(pdfium_page page, pdfium_annotation annotation, int index, int kind) {
    static struct mark marks[MARKS];
    size_t count = find_marks(page, annotation, marks);
    if (count == 0) return;
    if (kind == PDFIUM_ANNOTATION_HIGHLIGHT) {
        int flags = pdfium.FPDFAnnot_GetFlags(annotation);
        int added = add_highlight(page, annotation, marks, count);
        stamp_count += added;
        // The library would draw its upright rectangle as well.
        if (added > 0 && remember((struct change){.index = index, .is_hidden = true, .flags = flags}))
            pdfium.FPDFAnnot_SetFlags(annotation, flags | PDFIUM_FLAG_HIDDEN);
        return;
    }
    if (!begin(&content, annotation, &(struct border){.width = 1})) return;
    struct pdfium_box needed = {1e9f, -1e9f, -1e9f, 1e9f};
    for (size_t i = 0; i < count && content.size + 4096 < sizeof content.text; i++) {
        struct pdfium_point corners[4] = {marks[i].start, marks[i].end, marks[i].upper_start, marks[i].upper_end};
        struct pdfium_box box = around(corners, 4, 1);
        needed = (struct pdfium_box){
            fminf(needed.left, box.left), fmaxf(needed.top, box.top), fmaxf(needed.right, box.right), fminf(needed.bottom, box.bottom)};
        struct pdfium_point points[MARK_POINTS];
        size_t number = mark_line(&marks[i], kind, points);
        for (size_t j = 0; j < number; j++) add(&content, j == 0 ? "%.3f %.3f m " : "%.3f %.3f l ", points[j].x, points[j].y);
        add_text(&content, "S\n");
    }
    set(annotation, index, &content, &needed);
}

void add_appearances(struct work *work, pdfium_page page, const bool *hidden) {
    for (int i = 0, count = pdfium.FPDFPage_GetAnnotCount(page); i < count; i++) {
        pdfium_annotation annotation = hidden && hidden[i] ? NULL : pdfium.FPDFPage_GetAnnot(page, i);
        if (!annotation) continue;
        int kind = pdfium.FPDFAnnot_GetSubtype(annotation);
        if (!pdfium.FPDFAnnot_HasKey(annotation, "AP")) switch (kind) {
        case PDFIUM_ANNOTATION_LINE: draw_line(work, annotation, i); break;
        case PDFIUM_ANNOTATION_POLYGON: draw_corners(work, annotation, i, true); break;
        case PDFIUM_ANNOTATION_POLYLINE: draw_corners(work, annotation, i, false); break;
        case PDFIUM_ANNOTATION_LINK: draw_border(work, annotation, i); break;
        case PDFIUM_ANNOTATION_HIGHLIGHT:
        case PDFIUM_ANNOTATION_UNDERLINE:
        case PDFIUM_ANNOTATION_SQUIGGLY:
        case PDFIUM_ANNOTATION_STRIKEOUT: draw_marks(page, annotation, i, kind); break;
        default: break;
        }
        pdfium.FPDFPage_CloseAnnot(annotation);
    }
}

void remove_appearances(pdfium_page page) {
    for (; stamp_count > 0; stamp_count--) pdfium.FPDFPage_RemoveAnnot(page, pdfium.FPDFPage_GetAnnotCount(page) - 1);
    for (; change_count > 0; change_count--) {
        struct change *change = &changes[change_count - 1];
        pdfium_annotation annotation = pdfium.FPDFPage_GetAnnot(page, change->index);
        if (!annotation) continue;
        if (change->is_hidden) pdfium.FPDFAnnot_SetFlags(annotation, change->flags);
        else {
            pdfium.FPDFAnnot_SetAP(annotation, 0, NULL);
            pdfium.FPDFAnnot_SetRect(annotation, &change->box);
        }
        pdfium.FPDFPage_CloseAnnot(annotation);
    }
    free(changes);
    changes = NULL;
}
