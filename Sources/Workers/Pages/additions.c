// New annotations of a page, as an addition to the document's bytes.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotations.h"

struct pdfium_point page_point(pdfium_page page, const int32_t *place) {
    double x = 0, y = 0;
    pdfium.FPDF_DeviceToPage(page, 0, 0, SIDE, SIDE, 0, place[0], place[1], &x, &y);
    return (struct pdfium_point){(float)x, (float)y};
}

static void set_appearance(pdfium_annotation, const struct offstage_pages_annotation *, const uint32_t *, const struct pdfium_point *);

/// A circle, clockwise.
static void add_circle(pdfium_object path, struct pdfium_point middle, float radius) {
    float x = middle.x, y = middle.y, far = 0.5523f * radius;
    pdfium.FPDFPath_MoveTo(path, x, y + radius);
    pdfium.FPDFPath_BezierTo(path, x + far, y + radius, x + radius, y + far, x + radius, y);
    pdfium.FPDFPath_BezierTo(path, x + radius, y - far, x + far, y - radius, x, y - radius);
    pdfium.FPDFPath_BezierTo(path, x - far, y - radius, x - radius, y - far, x - radius, y);
    pdfium.FPDFPath_BezierTo(path, x - radius, y + far, x - far, y + radius, x, y + radius);
    pdfium.FPDFPath_Close(path);
}

/// The sides between two circles, clockwise.
static void add_sides(pdfium_object path, struct pdfium_point a, float from, struct pdfium_point b, float to) {
    float x = b.x - a.x, y = b.y - a.y, length = sqrtf(x * x + y * y);
    if (!(length > 0)) return;
    x /= length, y /= length;
    pdfium.FPDFPath_MoveTo(path, a.x - y * from, a.y + x * from);
    pdfium.FPDFPath_LineTo(path, b.x - y * to, b.y + x * to);
    pdfium.FPDFPath_LineTo(path, b.x + y * to, b.y - x * to);
    pdfium.FPDFPath_LineTo(path, a.x + y * from, a.y - x * from);
    pdfium.FPDFPath_Close(path);
}

/// Ink of a pen: one area, so that a translucent line does not darken itself. False if the library refuses it.
static bool add_pen(
    pdfium_annotation annotation, const struct offstage_pages_annotation *head, const uint32_t *lengths,
    const struct pdfium_point *points, const uint32_t *widths) {
    if (head->point_count == 0) return false;
    pdfium_object path = pdfium.FPDFPageObj_CreateNewPath(points[0].x, points[0].y);
    if (!path) return false;
    bool varies = head->pen & OFFSTAGE_PAGES_WIDTHS;
    for (uint32_t i = 0, start = 0; i < head->stroke_count; start += lengths[i++]) {
        for (uint32_t j = start; j < start + lengths[i]; j++) {
            float radius = (float)(varies ? widths[j] : head->width) / 2000;
            if (j > start) add_sides(path, points[j - 1], (float)(varies ? widths[j - 1] : head->width) / 2000, points[j], radius);
            add_circle(path, points[j], radius);
        }
    }
    const int nonzero = 2;
    uint32_t color = head->color;
    pdfium.FPDFPath_SetDrawMode(path, nonzero, 0);
    pdfium.FPDFPageObj_SetFillColor(path, color >> 16 & 255, color >> 8 & 255, color & 255, color >> 24);
    if (head->pen & OFFSTAGE_PAGES_MARKS) pdfium.FPDFPageObj_SetBlendMode(path, "Multiply");
    if (pdfium.FPDFAnnot_AppendObject(annotation, path)) return true;
    pdfium.FPDFPageObj_Destroy(path);
    return false;
}

/// Adds one annotation. False if the library refuses it.
static bool add_one(
    pdfium_page page, const struct offstage_pages_annotation *head, const uint32_t *lengths, const int32_t *places,
    const uint32_t *widths, const unsigned short *text) {
    static struct pdfium_point points[POINTS];
    pdfium_annotation annotation = pdfium.FPDFPage_CreateAnnot(page, (int)head->kind);
    if (!annotation) return false;
    struct pdfium_point first = page_point(page, head->box), last = page_point(page, head->box + 2);
    struct pdfium_box box = {
        .left = first.x < last.x ? first.x : last.x,
        .top = first.y < last.y ? last.y : first.y,
        .right = first.x < last.x ? last.x : first.x,
        .bottom = first.y < last.y ? first.y : last.y,
    };
    bool is_ink = head->kind == PDFIUM_ANNOTATION_INK;
    // Viewers cut an appearance to this rectangle, and the pen is wider than its line.
    float pen = is_ink ? (float)head->width / 2000 : 0;
    box = (struct pdfium_box){box.left - pen, box.top + pen, box.right + pen, box.bottom - pen};
    bool is_added = pdfium.FPDFAnnot_SetRect(annotation, &box);
    uint32_t color = head->color;
    pdfium.FPDFAnnot_SetColor(annotation, 0, color >> 16 & 255, color >> 8 & 255, color & 255, color >> 24);
    pdfium.FPDFAnnot_SetFlags(annotation, PDFIUM_FLAG_PRINT);
    // Without a font, viewers show no words.
    static const unsigned short font[] = u"/Helv 12 Tf 0 g";
    if (head->kind == PDFIUM_ANNOTATION_FREE_TEXT) pdfium.FPDFAnnot_SetStringValue(annotation, "DA", font);
    if (is_ink) pdfium.FPDFAnnot_SetBorder(annotation, 0, 0, (float)head->width / 1000);
    if (head->text_size > 2) pdfium.FPDFAnnot_SetStringValue(annotation, "Contents", text);
    size_t start = 0;
    for (uint32_t i = 0; i < head->point_count; i++) points[i] = page_point(page, places + 2 * i);
    for (uint32_t i = 0; i < head->stroke_count && is_added; start += lengths[i++]) {
        if (is_ink) {
            is_added = pdfium.FPDFAnnot_AddInkStroke(annotation, points + start, lengths[i]) >= 0;
        } else if (lengths[i] == 2) {
            struct pdfium_point a = points[start], b = points[start + 1];
            // Viewers expect the upper two corners first, then the lower ones.
            struct pdfium_quad quad = {a.x, a.y, b.x, a.y, a.x, b.y, b.x, b.y};
            is_added = pdfium.FPDFAnnot_AppendAttachmentPoints(annotation, &quad);
        }
    }
    if (is_ink && is_added && head->pen) is_added = add_pen(annotation, head, lengths, points, widths);
    else if (is_ink && is_added) set_appearance(annotation, head, lengths, points);
    pdfium.FPDFPage_CloseAnnot(annotation);
    return is_added;
}

static void set_appearance(
    pdfium_annotation annotation, const struct offstage_pages_annotation *head, const uint32_t *lengths,
    const struct pdfium_point *points) {
    static char content[40 * POINTS + 200];
    static unsigned short units[sizeof content];
    uint32_t color = head->color;
    size_t size = (size_t)snprintf(
        content, sizeof content, "%.3f %.3f %.3f RG %.3f w 1 J 1 j\n", (color >> 16 & 255) / 255.0, (color >> 8 & 255) / 255.0,
        (color & 255) / 255.0, head->width / 1000.0);
    for (uint32_t i = 0; i < head->stroke_count; points += lengths[i++]) {
        for (uint32_t j = 0; j < lengths[i] && size + 120 < sizeof content; j++)
            size += (size_t)snprintf(
                content + size, sizeof content - size, "%.3f %.3f %s\n", points[j].x, points[j].y, j == 0 ? "m" : "l");
        // A dot is a line to itself.
        if (lengths[i] == 1)
            size += (size_t)snprintf(content + size, sizeof content - size, "%.3f %.3f l\n", points[0].x, points[0].y);
        size += (size_t)snprintf(content + size, sizeof content - size, "S\n");
    }
    for (size_t i = 0; i <= size; i++) units[i] = (unsigned char)content[i];
    pdfium.FPDFAnnot_SetAP(annotation, 0, units);
}

/// Adds the annotations of a job. False for bytes that are none, and for annotations that the library refuses.
static bool add_all(struct work *work, pdfium_page page) {
    bool is_drawing = work->options->job == OFFSTAGE_PAGES_DRAW;
    static uint32_t lengths[STROKES];
    static int32_t places[2 * POINTS];
    static uint32_t widths[POINTS];
    static unsigned short text[TEXT + 1];
    const uint8_t *bytes = work->added;
    size_t rest = work->added_size;
    while (rest > 0) {
        struct offstage_pages_annotation head;
        if (rest < sizeof head) return false;
        memcpy(&head, bytes, sizeof head);
        if (head.stroke_count > STROKES || head.point_count > POINTS || head.text_size > 2 * TEXT) return false;
        size_t start = sizeof head + 4 * (size_t)head.stroke_count, middle = start + 8 * (size_t)head.point_count;
        size_t width_size = head.pen & OFFSTAGE_PAGES_WIDTHS ? 4 * (size_t)head.point_count : 0;
        size_t size = middle + width_size + head.text_size;
        if (size > rest) return false;
        memcpy(lengths, bytes + sizeof head, 4 * (size_t)head.stroke_count);
        memcpy(places, bytes + start, 8 * (size_t)head.point_count);
        memcpy(widths, bytes + middle, width_size);
        memset(text, 0, sizeof text);
        memcpy(text, bytes + size - head.text_size, head.text_size);
        uint64_t sum = 0;
        for (uint32_t i = 0; i < head.stroke_count; i++) sum += lengths[i];
        if (sum > head.point_count) return false;
        // The library gives free texts no appearance. A document keeps them as they are; in a drawing, a stamp with the words is one.
        bool is_added = is_drawing && head.kind == PDFIUM_ANNOTATION_FREE_TEXT ? add_text(work, page, &head, text)
                                                                              : add_one(page, &head, lengths, places, widths, text);
        if (!is_added && !is_drawing) return false;
        bytes += size;
        rest -= size;
    }
    return true;
}

/// What the library saves, without the bytes of the document, which come first.
static struct {
    struct pdfium_writer writer;
    const uint8_t *original;
    size_t original_size, position;
    uint8_t *bytes;
    size_t size;
    bool has_failed;
} saved;

static int save_block(struct pdfium_writer *writer, const void *data, unsigned long size) {
    (void)writer;
    const uint8_t *block = data;
    size_t same = saved.position < saved.original_size ? saved.original_size - saved.position : 0;
    if (same > size) same = size;
    // Only an addition leaves signatures valid.
    if (memcmp(block, saved.original + saved.position, same) != 0) saved.has_failed = true;
    saved.position += size;
    if (same == size || saved.has_failed) return !saved.has_failed;
    uint8_t *bytes = realloc(saved.bytes, saved.size + size - same);
    if (!bytes) return saved.has_failed = true, 0;
    memcpy(bytes + saved.size, block + same, size - same);
    saved.bytes = bytes;
    saved.size += size - same;
    return 1;
}

void add_annotations(struct work *work) {
    pdfium_page page = load_page(work);
    if (!page) return;
    bool is_added = add_all(work, page);
    pdfium.FPDF_ClosePage(page);
    free(saved.bytes);
    memset(&saved, 0, sizeof saved);
    saved.writer = (struct pdfium_writer){.version = 1, .write = save_block};
    saved.original = work->bytes;
    saved.original_size = work->byte_count;
    if (is_added) is_added = pdfium.FPDF_SaveAsCopy(work->document, &saved.writer, PDFIUM_INCREMENTAL) && !saved.has_failed;
    if (!is_added || saved.size == 0) return offstage_worker_fail(work->reply, OFFSTAGE_PAGES_NOT_SAVED, 0, 0);
    // Rows of 4 KiB.
    uint64_t rows = (saved.size + 4095) / 4096;
    uint8_t *pixels = offstage_worker_picture(work->reply, 1024, rows, true);
    if (!pixels) return;
    memcpy(pixels, saved.bytes, saved.size);
    memset(pixels + saved.size, 0, rows * 4096 - saved.size);
    work->report.next = (uint32_t)saved.size;
}

int show_additions(struct work *work, pdfium_page page) {
    if (work->added_size == 0 || !(work->options->flags & OFFSTAGE_PAGES_ANNOTATIONS)) return 0;
    int count = pdfium.FPDFPage_GetAnnotCount(page);
    add_all(work, page);
    return pdfium.FPDFPage_GetAnnotCount(page) - count;
}

void hide_additions(pdfium_page page, int count) {
    for (; count > 0; count--) pdfium.FPDFPage_RemoveAnnot(page, pdfium.FPDFPage_GetAnnotCount(page) - 1);
}
