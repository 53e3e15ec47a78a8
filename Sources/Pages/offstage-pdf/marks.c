// Marks in text. The standard defines one order of their corners, nearly all programs use another, and words may run in any
// direction. The library supports only one order, and words that run to the right.
#include "marks.h"

#include <math.h>
#include <string.h>

struct vector { double x, y; };

static struct vector between(struct pdfium_point from, struct pdfium_point to) { return (struct vector){to.x - from.x, to.y - from.y}; }
static double dot(struct vector a, struct vector b) { return a.x * b.x + a.y * b.y; }
static double length(struct vector a) { return sqrt(dot(a, a)); }
static double cosine(struct vector a, struct vector b) { return dot(a, b) / fmax(1e-9, length(a) * length(b)); }

/// Sorts four corners around their middle.
static void sort_around(struct pdfium_point corners[4]) {
    double x = 0, y = 0, angles[4];
    for (int i = 0; i < 4; i++) x += corners[i].x / 4, y += corners[i].y / 4;
    for (int i = 0; i < 4; i++) angles[i] = atan2(corners[i].y - y, corners[i].x - x);
    for (int i = 0; i < 4; i++)
        for (int j = i + 1; j < 4; j++) {
            if (angles[i] <= angles[j]) continue;
            double angle = angles[i];
            struct pdfium_point corner = corners[i];
            angles[i] = angles[j], corners[i] = corners[j];
            angles[j] = angle, corners[j] = corner;
        }
}

/// The direction to the right on the displayed page.
static struct vector shown_right(pdfium_page page) {
    static const struct vector directions[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    return directions[pdfium.FPDFPage_GetRotation(page) & 3];
}

/// The reading direction. The first two corners are nearly always at the ends of one line of text.
static struct vector reading(const struct pdfium_quad *quad, const struct pdfium_point sorted[4], struct vector right) {
    struct vector first = {quad->x2 - quad->x1, quad->y2 - quad->y1};
    struct vector a = between(sorted[0], sorted[1]), b = between(sorted[1], sorted[2]);
    bool is_side = fabs(cosine(first, a)) > 0.999 || fabs(cosine(first, b)) > 0.999;
    struct vector across = fabs(cosine(a, right)) >= fabs(cosine(b, right)) ? a : b;
    struct vector down = fabs(cosine(a, right)) >= fabs(cosine(b, right)) ? b : a;
    if (fabs(cosine(across, right)) > 0.9998) {
        // Not slanted. Words are rarely higher than wide.
        if (is_side && fabs(cosine(first, down)) > 0.999 && length(down) > length(across)) return first;
        return dot(across, right) < 0 ? (struct vector){-across.x, -across.y} : across;
    }
    if (is_side) return first;
    struct vector longer = length(a) >= length(b) ? a : b;
    return dot(longer, right) < 0 ? (struct vector){-longer.x, -longer.y} : longer;
}

static struct mark mark_of(const struct pdfium_quad *quad, struct vector right) {
    struct pdfium_point sorted[4] = {{quad->x1, quad->y1}, {quad->x2, quad->y2}, {quad->x3, quad->y3}, {quad->x4, quad->y4}};
    sort_around(sorted);
    struct vector along = reading(quad, sorted, right), up = {-along.y, along.x};
    // Sort the lowest ones first.
    for (int i = 0; i < 4; i++)
        for (int j = i + 1; j < 4; j++)
            if (up.x * sorted[j].x + up.y * sorted[j].y < up.x * sorted[i].x + up.y * sorted[i].y) {
                struct pdfium_point corner = sorted[i];
                sorted[i] = sorted[j], sorted[j] = corner;
            }
    bool is_lower_back = dot(between(sorted[0], sorted[1]), along) < 0, is_upper_back = dot(between(sorted[2], sorted[3]), along) < 0;
    return (struct mark){sorted[is_lower_back], sorted[!is_lower_back], sorted[2 + is_upper_back], sorted[2 + !is_upper_back]};
}

/// True if the words run to the right in the page's own coordinates.
static bool runs_right(const struct mark *mark) { return cosine(between(mark->start, mark->end), (struct vector){1, 0}) > 0.9998; }

static bool is_finite(const struct pdfium_quad *quad) {
    const float values[8] = {quad->x1, quad->y1, quad->x2, quad->y2, quad->x3, quad->y3, quad->x4, quad->y4};
    for (int i = 0; i < 8; i++)
        if (!(fabsf(values[i]) < 1e6f)) return false;
    return true;
}

size_t find_marks(pdfium_page page, pdfium_annotation annotation, struct mark *marks) {
    size_t count = pdfium.FPDFAnnot_CountAttachmentPoints(annotation), found = 0;
    if (count > MARKS) count = MARKS;
    bool is_plain = true;
    struct vector right = shown_right(page);
    for (size_t i = 0; i < count; i++) {
        struct pdfium_quad quad;
        if (!pdfium.FPDFAnnot_GetAttachmentPoints(annotation, i, &quad) || !is_finite(&quad)) continue;
        struct mark mark = marks[found++] = mark_of(&quad, right);
        is_plain &= runs_right(&mark);
        if (!runs_right(&mark)) continue;
        // The library's order. Rectangles that already have it don't change.
        struct pdfium_quad ordered = {
            mark.upper_start.x, mark.upper_start.y, mark.upper_end.x, mark.upper_end.y, mark.start.x, mark.start.y, mark.end.x, mark.end.y};
        if (memcmp(&ordered, &quad, sizeof quad) != 0) pdfium.FPDFAnnot_SetAttachmentPoints(annotation, i, &ordered);
    }
    return is_plain ? 0 : found;
}

size_t mark_line(const struct mark *mark, int kind, struct pdfium_point *points) {
    struct vector along = between(mark->start, mark->end), up = between(mark->start, mark->upper_start);
    double width = length(along), height = length(up);
    if (!(width > 0)) return 0;
    along.x /= width, along.y /= width;
    up = (struct vector){height > 0 ? up.x / height : -along.y, height > 0 ? up.y / height : along.x};
    // Drawn as the library draws it: 1 point above the lower side, in the middle, or as waves of 2 points.
    const double step = 2;
    bool is_waved = kind == PDFIUM_ANNOTATION_SQUIGGLY;
    double above = is_waved ? step : kind == PDFIUM_ANNOTATION_STRIKEOUT ? height / 2 : 1;
    size_t steps = is_waved ? (size_t)fmin(MARK_POINTS - 1, ceil(width / step)) : 1;
    for (size_t i = 0; i <= steps; i++) {
        double x = width * (double)i / (double)steps, y = is_waved && i % 2 == 1 ? 0 : above;
        points[i] = (struct pdfium_point){
            (float)(mark->start.x + x * along.x + y * up.x), (float)(mark->start.y + x * along.y + y * up.y)};
    }
    return steps + 1;
}

int add_highlight(pdfium_page page, pdfium_annotation annotation, const struct mark *marks, size_t count) {
    unsigned color[4] = {255, 255, 0, 255};
    if (pdfium.FPDFAnnot_GetFlags(annotation) & (PDFIUM_FLAG_HIDDEN | PDFIUM_FLAG_NO_VIEW)) return 0;
    pdfium.FPDFAnnot_GetColor(annotation, 0, &color[0], &color[1], &color[2], &color[3]);
    struct pdfium_box box = {1e9f, -1e9f, -1e9f, 1e9f};
    pdfium_object path = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct pdfium_point corners[4] = {marks[i].start, marks[i].end, marks[i].upper_end, marks[i].upper_start};
        if (!path) path = pdfium.FPDFPageObj_CreateNewPath(corners[0].x, corners[0].y);
        if (!path) return 0;
        pdfium.FPDFPath_MoveTo(path, corners[0].x, corners[0].y);
        for (int j = 0; j < 4; j++) {
            if (j > 0) pdfium.FPDFPath_LineTo(path, corners[j].x, corners[j].y);
            box = (struct pdfium_box){
                fminf(box.left, corners[j].x), fmaxf(box.top, corners[j].y), fmaxf(box.right, corners[j].x),
                fminf(box.bottom, corners[j].y)};
        }
        pdfium.FPDFPath_Close(path);
    }
    pdfium_annotation stamp = pdfium.FPDFPage_CreateAnnot(page, PDFIUM_ANNOTATION_STAMP);
    if (!stamp) return pdfium.FPDFPageObj_Destroy(path), 0;
    const int nonzero = 2;
    pdfium.FPDFAnnot_SetRect(stamp, &box);
    pdfium.FPDFPath_SetDrawMode(path, nonzero, 0);
    pdfium.FPDFPageObj_SetFillColor(path, color[0], color[1], color[2], color[3]);
    pdfium.FPDFPageObj_SetBlendMode(path, "Multiply");
    if (!pdfium.FPDFAnnot_AppendObject(stamp, path)) pdfium.FPDFPageObj_Destroy(path);
    pdfium.FPDFPage_CloseAnnot(stamp);
    return 1;
}
