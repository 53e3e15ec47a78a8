// Finds the targets of links and outline items.
#include "targets.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "document.h"

/// CSS px per point.
#define ZOOM (96.0 / 72)

/// Finds the point of a destination, in the page's own coordinates. False if the destination is the whole page.
static bool point_of(pdfium_place place, double *x, double *y) {
    unsigned long count = 0;
    float numbers[4] = {0};
    int has_x = 0, has_y = 0, has_zoom = 0;
    float left = 0, top = 0, zoom = 0;
    *x = *y = NAN;
    switch (pdfium.FPDFDest_GetView(place, &count, numbers)) {
    case PDFIUM_VIEW_PLACE:
        pdfium.FPDFDest_GetLocationInPage(place, &has_x, &has_y, &has_zoom, &left, &top, &zoom);
        if (has_x) *x = left;
        if (has_y) *y = top;
        break;
    case PDFIUM_VIEW_WIDTH:
    case PDFIUM_VIEW_CONTENT_WIDTH:
        if (count > 0) *y = numbers[0];
        break;
    case PDFIUM_VIEW_BOX:
        *x = numbers[0];
        *y = numbers[3];
        break;
    default: break;
    }
    return !isnan(*x) || !isnan(*y);
}

/// Reads the visible box of a page, its rotation and its unit from the page's dictionary.
static bool read_box(int page, double box[4], int *turns, double *unit) {
    qpdf_data objects = document_objects();
    qpdf_oh dictionary, value;
    if (!objects || !objects_page(objects, page, &dictionary)) return false;
    double media[4] = {0, 0, 612, 792};
    for (int i = 0; objects_inherited(objects, dictionary, "/MediaBox", &value) && i < 4; i++)
        media[i] = objects_number(objects, qpdf_oh_get_array_item(objects, value, i), media[i]);
    bool has_crop = objects_inherited(objects, dictionary, "/CropBox", &value);
    for (int i = 0; i < 4; i++) {
        box[i] = has_crop ? objects_number(objects, qpdf_oh_get_array_item(objects, value, i), media[i]) : media[i];
        box[i] = i < 2 ? fmax(box[i], media[i]) : fmin(box[i], media[i]);
    }
    if (box[0] >= box[2] || box[1] >= box[3]) memcpy(box, media, sizeof media);
    *turns = objects_inherited(objects, dictionary, "/Rotate", &value) ? (int)(objects_number(objects, value, 0) / 90) & 3 : 0;
    *unit = objects_number(objects, qpdf_oh_get_key(objects, dictionary, "/UserUnit"), 1);
    return true;
}

/// The position from the upper edge of a displayed page, CSS px, or -1.
static double top_of(struct work *work, pdfium_place place, int page) {
    double x, y, box[4] = {0}, unit = 1, top;
    int turns = 0;
    struct names names = document_names();
    if (!point_of(place, &x, &y)) return -1;
    if (names.has_rotation || names.has_origin || names.has_unit) {
        if (!read_box(page, box, &turns, &unit)) return -1;
    } else {
        // The common case: the page's lower left corner is at 0, 0.
        struct pdfium_size size = {0};
        if (!pdfium.FPDF_GetPageSizeByIndexF(work->document, page, &size)) return -1;
        box[3] = size.height;
    }
    switch (turns) {
    case 0: top = box[3] - y; break;
    case 1: top = x - box[0]; break;
    case 2: top = y - box[1]; break;
    default: top = box[2] - x;
    }
    if (isnan(top) || !(fabs(top) < 1e6)) return -1;
    return fmax(0, top * unit * ZOOM);
}

/// Adds the page and the position. Without a position, the target is the top of the page.
static void add_place(struct target *target, int page, double top) {
    size_t size = strlen(target->text), rest = sizeof target->text - size;
    int count = snprintf(target->text + size, rest, top >= 0 ? "#page=%d&y=%.1f" : "#page=%d", page + 1, top);
    if (count <= 0 || (size_t)count >= rest) target->text[size] = 0;
    // Write whole numbers without decimals.
    else if (top >= 0 && target->text[size + (size_t)count - 1] == '0') target->text[size + (size_t)count - 2] = 0;
}

/// Adds the path of a file as a relative reference, with escapes, so that no part of it is mistaken for a scheme, a query or a
/// fragment.
static void add_path(struct target *target, const char *path) {
    static const char digits[] = "0123456789ABCDEF";
    const char *colon = strchr(path, ':'), *slash = strchr(path, '/');
    size_t size = 0, most = sizeof target->text - 64;
    if (colon && (!slash || colon < slash)) size = (size_t)snprintf(target->text, sizeof target->text, "./");
    for (; *path && size + 3 < most; path++) {
        unsigned char byte = (unsigned char)*path;
        bool is_plain = byte > ' ' && byte != 0x7f && !strchr("#%?\"<>", byte);
        if (is_plain) target->text[size++] = (char)byte;
        else {
            target->text[size++] = '%';
            target->text[size++] = digits[byte >> 4];
            target->text[size++] = digits[byte & 15];
        }
    }
    target->text[size] = 0;
}

/// Finds the target in another file. For a `launch` action, only a file near the document is a target, never a program or a
/// system file.
static void find_remote(pdfium_action action, bool launches, struct target *target) {
    char path[1024];
    unsigned long length = pdfium.FPDFAction_GetFilePath(action, path, sizeof path);
    if (length < 2 || length > sizeof path) return;
    path[sizeof path - 1] = 0;
    if (launches && (path[0] == '/' || strchr(path, '\\') || strchr(path, ':'))) return;
    add_path(target, path);
    // Destination names of another document must not be looked up in this one. Use a document without names.
    pdfium_document other = pdfium.FPDF_CreateNewDocument();
    pdfium_place place = other ? pdfium.FPDFAction_GetDest(other, action) : NULL;
    int page = place ? pdfium.FPDFDest_GetDestPageIndex(other, place) : -1;
    if (other) pdfium.FPDF_CloseDocument(other);
    // The height of the other document's page is unknown, so positions on it are, too.
    if (page >= 0) add_place(target, page, -1);
}

void find_target(struct work *work, pdfium_action action, pdfium_place place, struct target *target) {
    target->page = -1;
    target->top = -1;
    target->text[0] = 0;
    unsigned long length, kind = action ? pdfium.FPDFAction_GetType(action) : 0;
    // Check the action first, because the library also finds a destination for an action that refers to another document.
    switch (kind) {
    case PDFIUM_ACTION_URI:
        length = pdfium.FPDFAction_GetURIPath(work->document, action, target->text, TARGET);
        if (length == 0 || length > TARGET) target->text[0] = 0;
        target->text[TARGET - 1] = 0;
        return;
    case PDFIUM_ACTION_REMOTE:
    case PDFIUM_ACTION_LAUNCH: find_remote(action, kind == PDFIUM_ACTION_LAUNCH, target); return;
    case PDFIUM_ACTION_EMBEDDED: return;
    case PDFIUM_ACTION_GO_TO: place = pdfium.FPDFAction_GetDest(work->document, action); break;
    default: break;
    }
    int page = place ? pdfium.FPDFDest_GetDestPageIndex(work->document, place) : -1;
    if (page < 0 || page >= (int)work->report.pages) return;
    target->page = page;
    target->top = top_of(work, place, page);
    add_place(target, page, target->top);
}

bool find_named_action(struct work *work, int annotation, struct target *target) {
    qpdf_data objects = document_objects();
    qpdf_oh dictionary;
    if (!objects || !objects_annotation(objects, (int)work->options->page, annotation, &dictionary)) return false;
    qpdf_oh action = qpdf_oh_get_key(objects, dictionary, "/A");
    if (!qpdf_oh_is_name_and_equals(objects, qpdf_oh_get_key_if_dict(objects, action, "/S"), "/Named")) return false;
    qpdf_oh name = qpdf_oh_get_key(objects, action, "/N");
    int page = (int)work->options->page, last = (int)work->report.pages - 1, wanted;
    if (qpdf_oh_is_name_and_equals(objects, name, "/NextPage")) wanted = page + 1;
    else if (qpdf_oh_is_name_and_equals(objects, name, "/PrevPage")) wanted = page - 1;
    else if (qpdf_oh_is_name_and_equals(objects, name, "/FirstPage")) wanted = 0;
    else if (qpdf_oh_is_name_and_equals(objects, name, "/LastPage")) wanted = last;
    else return false;
    if (wanted < 0 || wanted > last) return false;
    *target = (struct target){.page = wanted, .top = -1};
    add_place(target, wanted, -1);
    return true;
}
