// What a page contains besides its pixels.
#include <stdio.h>
#include <string.h>

#include "report.h"

#define LINKS 1000
/// The longest target, and the longest words of a link, bytes.
#define TARGET 4096
#define WORDS 800
/// The longest text of a page, UTF-16 units: more than a picture keeps.
#define TEXT 2048
#define ITEMS 10000

static unsigned short units[TEXT + 1];
static char bytes[TARGET + WORDS + 3 * TEXT];

/// A point of the page in the picture, device px.
static void place(
    struct work *work, pdfium_page page, const struct offstage_pages_geometry *geometry, double x, double y, int *left, int *top) {
    *left = *top = 0;
    pdfium.FPDF_PageToDevice(
        page, (int)-geometry->left, (int)-geometry->top, (int)geometry->page_width, (int)geometry->page_height,
        (int)work->options->rotation, x, y, left, top);
}

static size_t target_of(struct work *work, pdfium_link link, char *text) {
    pdfium_action action = pdfium.FPDFLink_GetAction(link);
    pdfium_place place = pdfium.FPDFLink_GetDest(work->document, link);
    unsigned long kind = action ? pdfium.FPDFAction_GetType(action) : 0;
    if (kind == PDFIUM_ACTION_URI) {
        unsigned long length = pdfium.FPDFAction_GetURIPath(work->document, action, text, TARGET);
        return length > 0 && length <= TARGET ? strnlen(text, length) : 0;
    }
    if (!place && kind == PDFIUM_ACTION_GO_TO) place = pdfium.FPDFAction_GetDest(work->document, action);
    int page = place ? pdfium.FPDFDest_GetDestPageIndex(work->document, place) : -1;
    return page < 0 ? 0 : (size_t)snprintf(text, TARGET, "#page=%d", page + 1);
}

static void report_links(struct work *work, pdfium_page page, pdfium_text text, const struct offstage_pages_geometry *geometry) {
    int position = 0;
    pdfium_link link;
    for (int count = 0; count < LINKS && pdfium.FPDFLink_Enumerate(page, &position, &link); count++) {
        struct pdfium_box box;
        size_t size = target_of(work, link, bytes);
        if (size == 0 || !pdfium.FPDFLink_GetAnnotRect(link, &box)) continue;
        int x0, y0, x1, y1;
        place(work, page, geometry, box.left, box.top, &x0, &y0);
        place(work, page, geometry, box.right, box.bottom, &x1, &y1);
        int32_t numbers[4] = {x0 < x1 ? x0 : x1, y0 < y1 ? y0 : y1, x0 < x1 ? x1 - x0 : x0 - x1, y0 < y1 ? y1 - y0 : y0 - y1};
        bytes[size++] = 0;
        int length = text ? pdfium.FPDFText_GetBoundedText(text, box.left, box.top, box.right, box.bottom, units, TEXT) : 0;
        if (length > 0) size += text_utf8(units, (size_t)(length < TEXT ? length : TEXT), bytes + size, WORDS);
        add_record(work, OFFSTAGE_PAGES_LINK, numbers, bytes, size);
    }
}

static void report_headings(struct work *work, pdfium_page page, const struct offstage_pages_geometry *geometry) {
    // The outline's first levels, which people see; deeper ones only of what is before.
    pdfium_item path[8] = {pdfium.FPDFBookmark_GetFirstChild(work->document, NULL)};
    int level = 0;
    for (int count = 0; level >= 0 && count < ITEMS; count++) {
        pdfium_item item = path[level];
        if (!item) {
            if (--level >= 0) path[level] = pdfium.FPDFBookmark_GetNextSibling(work->document, path[level]);
            continue;
        }
        pdfium_place target = pdfium.FPDFBookmark_GetDest(work->document, item);
        if (target && pdfium.FPDFDest_GetDestPageIndex(work->document, target) == (int)work->options->page) {
            int has_x = 0, has_y = 0, has_zoom = 0, left, top;
            float x = 0, y = 0, zoom = 0;
            pdfium.FPDFDest_GetLocationInPage(target, &has_x, &has_y, &has_zoom, &x, &y, &zoom);
            // Without a height, the whole page is meant.
            place(work, page, geometry, has_x ? x : 0, has_y ? y : 0, &left, &top);
            unsigned long length = pdfium.FPDFBookmark_GetTitle(item, units, sizeof units);
            size_t size = length < 2 || length > sizeof units ? 0 : text_utf8(units, length / 2 - 1, bytes, WORDS);
            if (size > 0) add_record(work, OFFSTAGE_PAGES_HEADING, (int32_t[4]){left, has_y ? top : 0}, bytes, size);
        }
        pdfium_item child = level + 1 < 8 ? pdfium.FPDFBookmark_GetFirstChild(work->document, item) : NULL;
        if (child) path[++level] = child;
        else path[level] = pdfium.FPDFBookmark_GetNextSibling(work->document, item);
    }
}

void report_content(struct work *work, pdfium_page page, const struct offstage_pages_geometry *geometry) {
    pdfium_text text = pdfium.FPDFText_LoadPage(page);
    if (text) {
        int count = pdfium.FPDFText_CountChars(text);
        // The result counts the end.
        int length = count > 0 ? pdfium.FPDFText_GetText(text, 0, count < TEXT ? count : TEXT, units) - 1 : 0;
        size_t size = length > 0 ? text_utf8(units, (size_t)length, bytes, 3 * TEXT) : 0;
        add_record(work, OFFSTAGE_PAGES_TEXT, (int32_t[4]){0}, bytes, size);
    }
    report_headings(work, page, geometry);
    report_links(work, page, text, geometry);
    if (text) pdfium.FPDFText_ClosePage(text);
}

/// The fonts that were looked at.
static pdfium_font seen[64];
static size_t seen_count;

static void report_font(struct work *work, pdfium_font font) {
    for (size_t i = 0; i < seen_count; i++)
        if (seen[i] == font) return;
    if (!font || seen_count == sizeof seen / sizeof *seen) return;
    seen[seen_count++] = font;
    if (pdfium.FPDFFont_GetIsEmbedded(font) != 0) return;
    char name[256];
    size_t size = pdfium.FPDFFont_GetBaseFontName(font, name, sizeof name);
    if (size > 1 && size <= sizeof name) add_record(work, OFFSTAGE_PAGES_FONT, (int32_t[4]){0}, name, size - 1);
}

static void report_fonts_of(struct work *work, pdfium_object object, int level) {
    switch (pdfium.FPDFPageObj_GetType(object)) {
    case PDFIUM_OBJECT_TEXT: return report_font(work, pdfium.FPDFTextObj_GetFont(object));
    case PDFIUM_OBJECT_FORM:
        for (int i = 0, count = level < 4 ? pdfium.FPDFFormObj_CountObjects(object) : 0; i < count; i++)
            report_fonts_of(work, pdfium.FPDFFormObj_GetObject(object, (unsigned long)i), level + 1);
        return;
    default: return;
    }
}

void report_fonts(struct work *work, pdfium_page page) {
    seen_count = 0;
    for (int i = 0, count = pdfium.FPDFPage_CountObjects(page); i < count; i++)
        report_fonts_of(work, pdfium.FPDFPage_GetObject(page, i), 0);
}
