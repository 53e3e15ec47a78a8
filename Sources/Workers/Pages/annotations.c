// A list of the annotations of a page.
#include <string.h>

#include "annotations.h"

/// A record has room for the largest annotation.
#define RESERVE (sizeof(struct offstage_pages_record) + sizeof(struct offstage_pages_annotation) + 4 * STROKES + 8 * POINTS + 2 * TEXT)

_Static_assert(RESERVE < OFFSTAGE_WIRE_PAYLOAD, "an annotation fits into a report");

static struct {
    struct offstage_pages_annotation head;
    uint32_t lengths[STROKES];
    int32_t points[2 * POINTS];
} found;

static void shown(pdfium_page page, double x, double y, int32_t *place) {
    int left = 0, top = 0;
    pdfium.FPDF_PageToDevice(page, 0, 0, SIDE, SIDE, 0, x, y, &left, &top);
    place[0] = left;
    place[1] = top;
}

static void add_point(pdfium_page page, double x, double y) {
    if (found.head.point_count < POINTS) shown(page, x, y, found.points + 2 * found.head.point_count++);
}

/// A rectangle around four corners.
static void find_quad(pdfium_page page, const struct pdfium_quad *quad) {
    const float xs[4] = {quad->x1, quad->x2, quad->x3, quad->x4}, ys[4] = {quad->y1, quad->y2, quad->y3, quad->y4};
    int32_t box[4], corner[2];
    for (int i = 0; i < 4; i++) {
        shown(page, xs[i], ys[i], corner);
        if (i == 0 || corner[0] < box[0]) box[0] = corner[0];
        if (i == 0 || corner[1] < box[1]) box[1] = corner[1];
        if (i == 0 || corner[0] > box[2]) box[2] = corner[0];
        if (i == 0 || corner[1] > box[3]) box[3] = corner[1];
    }
    if (found.head.stroke_count == STROKES || found.head.point_count + 2 > POINTS) return;
    memcpy(found.points + 2 * found.head.point_count, box, sizeof box);
    found.head.point_count += 2;
    found.lengths[found.head.stroke_count++] = 2;
}

static void find_strokes(pdfium_page page, pdfium_annotation annotation) {
    static struct pdfium_point points[POINTS];
    unsigned long strokes = pdfium.FPDFAnnot_GetInkListCount(annotation);
    for (unsigned long i = 0; i < strokes && found.head.stroke_count < STROKES; i++) {
        unsigned long count = pdfium.FPDFAnnot_GetInkListPath(annotation, i, points, POINTS);
        if (count > POINTS - found.head.point_count) return;
        for (unsigned long j = 0; j < count; j++) add_point(page, points[j].x, points[j].y);
        found.lengths[found.head.stroke_count++] = (uint32_t)count;
    }
    size_t quads = pdfium.FPDFAnnot_CountAttachmentPoints(annotation);
    for (size_t i = 0; i < quads && i < STROKES; i++) {
        struct pdfium_quad quad;
        if (pdfium.FPDFAnnot_GetAttachmentPoints(annotation, i, &quad)) find_quad(page, &quad);
    }
}

/// The colour and width of the first path of an annotation's appearance. The library does not say the annotation's own colour if it has
/// an appearance.
static void find_look(pdfium_annotation annotation, unsigned color[4], float *width) {
    const int path = 2;
    int count = pdfium.FPDFAnnot_GetObjectCount(annotation);
    for (int i = 0; i < count; i++) {
        pdfium_object object = pdfium.FPDFAnnot_GetObject(annotation, i);
        int fill = 0, stroke = 0;
        if (!object || pdfium.FPDFPageObj_GetType(object) != path || !pdfium.FPDFPath_GetDrawMode(object, &fill, &stroke)) continue;
        if (stroke) {
            pdfium.FPDFPageObj_GetStrokeColor(object, &color[0], &color[1], &color[2], &color[3]);
            pdfium.FPDFPageObj_GetStrokeWidth(object, width);
        } else pdfium.FPDFPageObj_GetFillColor(object, &color[0], &color[1], &color[2], &color[3]);
        return;
    }
}

static void report_annotation(struct work *work, pdfium_page page, pdfium_annotation annotation) {
    static char bytes[RESERVE];
    static unsigned short units[TEXT];
    memset(&found.head, 0, sizeof found.head);
    found.head.kind = (uint32_t)pdfium.FPDFAnnot_GetSubtype(annotation);
    unsigned color[4] = {0, 0, 0, 255};
    float across, down, width = 1, border;
    if (!pdfium.FPDFAnnot_GetColor(annotation, 0, &color[0], &color[1], &color[2], &color[3])) {
        color[0] = color[1] = color[2] = 0, color[3] = 255;
        find_look(annotation, color, &width);
    }
    found.head.color = (color[3] & 255) << 24 | (color[0] & 255) << 16 | (color[1] & 255) << 8 | (color[2] & 255);
    if (pdfium.FPDFAnnot_GetBorder(annotation, &across, &down, &border)) width = border;
    found.head.width = width > 0 && width < 1000 ? (uint32_t)(width * 1000) : 0;
    struct pdfium_box box;
    if (pdfium.FPDFAnnot_GetRect(annotation, &box)) {
        int32_t corners[4];
        shown(page, box.left, box.top, corners);
        shown(page, box.right, box.bottom, corners + 2);
        for (int i = 0; i < 2; i++) {
            found.head.box[i] = corners[i] < corners[i + 2] ? corners[i] : corners[i + 2];
            found.head.box[i + 2] = corners[i] < corners[i + 2] ? corners[i + 2] : corners[i];
        }
    }
    find_strokes(page, annotation);
    unsigned long length = pdfium.FPDFAnnot_GetStringValue(annotation, "Contents", units, sizeof units);
    found.head.text_size = length <= sizeof units ? (uint32_t)length : 0;
    size_t size = 0;
    memcpy(bytes, &found.head, size += sizeof found.head);
    memcpy(bytes + size, found.lengths, 4 * found.head.stroke_count);
    size += 4 * found.head.stroke_count;
    memcpy(bytes + size, found.points, 8 * found.head.point_count);
    size += 8 * found.head.point_count;
    memcpy(bytes + size, units, found.head.text_size);
    add_record(work, OFFSTAGE_PAGES_ANNOTATION, (int32_t[4]){0}, bytes, size + found.head.text_size);
}

void list_annotations(struct work *work) {
    pdfium_page page = load_page(work);
    if (!page) return;
    int count = pdfium.FPDFPage_GetAnnotCount(page);
    for (int i = work->options->first < INT32_MAX ? (int)work->options->first : count; i < count; i++) {
        if (work->size + RESERVE > OFFSTAGE_WIRE_PAYLOAD && work->size > sizeof work->report) {
            work->report.facts |= OFFSTAGE_PAGES_MORE;
            work->report.next = (uint32_t)i;
            break;
        }
        pdfium_annotation annotation = pdfium.FPDFPage_GetAnnot(page, i);
        if (!annotation) continue;
        report_annotation(work, page, annotation);
        pdfium.FPDFPage_CloseAnnot(annotation);
    }
    pdfium.FPDF_ClosePage(page);
}
