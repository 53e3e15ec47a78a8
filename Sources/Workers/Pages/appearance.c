// Appearances of annotations that have none. The library makes those of marks, squares, circles, ink and notes itself.
#include "appearance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// The most corners of a polygon.
#define CORNERS 2000

/// An appearance's content.
struct content {
    char text[CORNERS * 32];
    size_t size;
};

static bool is_sane(double value) { return value > -1e6 && value < 1e6; }

/// Three decimals; the C library's own format would depend on nothing, as the program sets no locale.
static void add(struct content *content, const char *format, double x, double y) {
    size_t rest = sizeof content->text - content->size;
    if (rest < 64 || !is_sane(x) || !is_sane(y)) return;
    int count = snprintf(content->text + content->size, rest, format, x, y);
    if (count > 0 && (size_t)count < rest) content->size += (size_t)count;
}

/// Begins with the colour and the width of the annotation's lines. False for a line without a width.
static bool begin(struct content *content, pdfium_annotation annotation, float width) {
    unsigned red = 0, green = 0, blue = 0, alpha = 255;
    content->size = 0;
    if (!(width > 0) || width > 1000) return false;
    if (!pdfium.FPDFAnnot_GetColor(annotation, 0, &red, &green, &blue, &alpha)) red = green = blue = 0;
    add(content, "%.3f %.3f", red / 255.0, green / 255.0);
    add(content, " %.3f RG %.3f w\n", blue / 255.0, width);
    return true;
}

/// The width of the border, which is 1 unless the annotation has another one.
static float width_of(pdfium_annotation annotation) {
    float across = 0, down = 0, width = 1;
    return pdfium.FPDFAnnot_GetBorder(annotation, &across, &down, &width) ? width : 1;
}

static void set(pdfium_annotation annotation, const struct content *content) {
    static unsigned short units[CORNERS * 32 + 1];
    for (size_t i = 0; i < content->size; i++) units[i] = (unsigned char)content->text[i];
    units[content->size] = 0;
    pdfium.FPDFAnnot_SetAP(annotation, 0, units);
}

static struct content content;

static void draw_line(pdfium_annotation annotation) {
    struct pdfium_point start, end;
    if (!pdfium.FPDFAnnot_GetLine(annotation, &start, &end) || !begin(&content, annotation, width_of(annotation))) return;
    add(&content, "%.3f %.3f m ", start.x, start.y);
    add(&content, "%.3f %.3f l S", end.x, end.y);
    set(annotation, &content);
}

static void draw_corners(pdfium_annotation annotation, bool is_closed) {
    static struct pdfium_point corners[CORNERS];
    unsigned long count = pdfium.FPDFAnnot_GetVertices(annotation, corners, CORNERS);
    if (count < 2 || count > CORNERS || !begin(&content, annotation, width_of(annotation))) return;
    for (unsigned long i = 0; i < count; i++) add(&content, i == 0 ? "%.3f %.3f m " : "%.3f %.3f l ", corners[i].x, corners[i].y);
    content.text[content.size++] = is_closed ? 's' : 'S';
    set(annotation, &content);
}

static void draw_border(pdfium_annotation annotation) {
    float across = 0, down = 0, width = 0;
    struct pdfium_box box;
    // Viewers show a link without a border entry without a border.
    if (!pdfium.FPDFAnnot_GetBorder(annotation, &across, &down, &width) || !pdfium.FPDFAnnot_GetRect(annotation, &box)) return;
    if (!begin(&content, annotation, width)) return;
    double half = width / 2;
    add(&content, "%.3f %.3f ", box.left + half, fmin(box.top, box.bottom) + half);
    add(&content, "%.3f %.3f re S", box.right - box.left - width, fabs((double)box.top - box.bottom) - width);
    set(annotation, &content);
}

void add_appearances(pdfium_page page) {
    for (int i = 0, count = pdfium.FPDFPage_GetAnnotCount(page); i < count; i++) {
        pdfium_annotation annotation = pdfium.FPDFPage_GetAnnot(page, i);
        if (!annotation) continue;
        if (!pdfium.FPDFAnnot_HasKey(annotation, "AP")) switch (pdfium.FPDFAnnot_GetSubtype(annotation)) {
        case PDFIUM_ANNOTATION_LINE: draw_line(annotation); break;
        case PDFIUM_ANNOTATION_POLYGON: draw_corners(annotation, true); break;
        case PDFIUM_ANNOTATION_POLYLINE: draw_corners(annotation, false); break;
        case PDFIUM_ANNOTATION_LINK: draw_border(annotation); break;
        default: break;
        }
        pdfium.FPDFPage_CloseAnnot(annotation);
    }
}
