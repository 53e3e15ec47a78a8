// A page's content besides its pixels.
#include <math.h>
#include <string.h>

#include "report.h"
#include "targets.h"

#define LINKS 1000
/// The maximum number of lines of a link.
#define QUADS 16
/// The maximum length of a link's text, bytes.
#define WORDS 800
/// The maximum length of a page's text in UTF-16 units, more than a picture keeps.
#define TEXT 2048
#define ITEMS 10000

static unsigned short units[TEXT + 1];
static char bytes[TARGET + WORDS + 3 * TEXT];

/// Converts a point of the page to the picture, in device px.
static void place(
    struct work *work, pdfium_page page, const struct offstage_pages_geometry *geometry, double x, double y, int *left, int *top) {
    *left = *top = 0;
    pdfium.FPDF_PageToDevice(
        page, (int)-geometry->left, (int)-geometry->top, (int)geometry->page_width, (int)geometry->page_height,
        (int)work->options->rotation, x, y, left, top);
}

/// Finds the rectangles of a link: one for each line, or a single one. Returns their number.
static int boxes_of(pdfium_link link, struct pdfium_box boxes[QUADS]) {
    struct pdfium_box whole;
    if (!pdfium.FPDFLink_GetAnnotRect(link, &whole)) return 0;
    int count = pdfium.FPDFLink_CountQuadPoints(link);
    bool is_inside = count > 0 && count <= QUADS;
    for (int i = 0; i < count && is_inside; i++) {
        struct pdfium_quad quad;
        if (!pdfium.FPDFLink_GetQuadPoints(link, i, &quad)) return boxes[0] = whole, 1;
        boxes[i] = (struct pdfium_box){
            fminf(fminf(quad.x1, quad.x2), fminf(quad.x3, quad.x4)), fmaxf(fmaxf(quad.y1, quad.y2), fmaxf(quad.y3, quad.y4)),
            fmaxf(fmaxf(quad.x1, quad.x2), fmaxf(quad.x3, quad.x4)), fminf(fminf(quad.y1, quad.y2), fminf(quad.y3, quad.y4))};
        // The standard requires ignoring rectangles outside the link. The tolerance is for programs that write numbers with few digits.
        is_inside = boxes[i].left > fminf(whole.left, whole.right) - 2 && boxes[i].right < fmaxf(whole.left, whole.right) + 2
                    && boxes[i].bottom > fminf(whole.top, whole.bottom) - 2 && boxes[i].top < fmaxf(whole.top, whole.bottom) + 2;
        is_inside = is_inside && boxes[i].left < boxes[i].right && boxes[i].bottom < boxes[i].top;
    }
    if (!is_inside) return boxes[0] = whole, 1;
    return count;
}

/// Adds the words in a rectangle, after a space if it already has words.
static size_t add_words(pdfium_text text, const struct pdfium_box *box, char *target, size_t size) {
    int length = text ? pdfium.FPDFText_GetBoundedText(text, box->left, box->top, box->right, box->bottom, units, TEXT) : 0;
    if (length <= 0 || size + 2 > WORDS) return size;
    size_t space = size > 0, added = text_utf8(units, (size_t)(length < TEXT ? length : TEXT), target + size + space, WORDS - size - space);
    if (added == 0) return size;
    if (space) target[size] = ' ';
    return size + space + added;
}

static void report_links(struct work *work, pdfium_page page, pdfium_text text, const struct offstage_pages_geometry *geometry) {
    static struct target target;
    int position = 0;
    pdfium_link link;
    for (int count = 0; count < LINKS && pdfium.FPDFLink_Enumerate(page, &position, &link); count++) {
        struct pdfium_box boxes[QUADS];
        find_target(work, pdfium.FPDFLink_GetAction(link), pdfium.FPDFLink_GetDest(work->document, link), &target);
        // The library's position is now past the annotation.
        if (target.text[0] == 0 && !find_named_action(work, position - 1, &target)) continue;
        size_t size = strlen(target.text) + 1, words = 0;
        memcpy(bytes, target.text, size);
        int lines = boxes_of(link, boxes);
        for (int i = 0; i < lines; i++) words = add_words(text, &boxes[i], bytes + size, words);
        for (int i = 0; i < lines; i++) {
            int x0, y0, x1, y1;
            place(work, page, geometry, boxes[i].left, boxes[i].top, &x0, &y0);
            place(work, page, geometry, boxes[i].right, boxes[i].bottom, &x1, &y1);
            int32_t numbers[4] = {x0 < x1 ? x0 : x1, y0 < y1 ? y0 : y1, x0 < x1 ? x1 - x0 : x0 - x1, y0 < y1 ? y1 - y0 : y0 - y1};
            add_record(work, OFFSTAGE_PAGES_LINK, numbers, bytes, size + words);
        }
    }
}

static void report_headings(struct work *work, pdfium_page page, const struct offstage_pages_geometry *geometry) {
    // Searches only the first eight levels of the outline, which are those that people see.
    pdfium_item path[8] = {pdfium.FPDFBookmark_GetFirstChild(work->document, NULL)};
    int level = 0;
    for (int count = 0; level >= 0 && count < ITEMS; count++) {
        pdfium_item item = path[level];
        if (!item) {
            if (--level >= 0) path[level] = pdfium.FPDFBookmark_GetNextSibling(work->document, path[level]);
            continue;
        }
        pdfium_action action = pdfium.FPDFBookmark_GetAction(item);
        bool is_here = !action || pdfium.FPDFAction_GetType(action) == PDFIUM_ACTION_GO_TO;
        pdfium_place target = pdfium.FPDFBookmark_GetDest(work->document, item);
        if (!target && action && is_here) target = pdfium.FPDFAction_GetDest(work->document, action);
        if (target && pdfium.FPDFDest_GetDestPageIndex(work->document, target) == (int)work->options->page) {
            int has_x = 0, has_y = 0, has_zoom = 0, left, top;
            float x = 0, y = 0, zoom = 0;
            pdfium.FPDFDest_GetLocationInPage(target, &has_x, &has_y, &has_zoom, &x, &y, &zoom);
            // Without a height, the target is the whole page.
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

/// Reads the page's text, as far as a viewer shows it. Returns its size in UTF-16 units.
static size_t read_text(pdfium_page page, pdfium_text text) {
    int count = pdfium.FPDFText_CountChars(text);
    size_t size = 0;
    for (int i = 0; i < count && size + 2 <= TEXT; i++) {
        uint32_t scalar = pdfium.FPDFText_GetUnicode(text, i);
        if (scalar == 0 || !is_character_shown(page, text, i)) continue;
        if (scalar > 0xffff) {
            scalar -= 0x10000;
            units[size++] = (unsigned short)(0xd800 | (scalar >> 10 & 0x3ff));
            scalar = 0xdc00 | (scalar & 0x3ff);
        }
        units[size++] = (unsigned short)scalar;
    }
    return size;
}

void report_content(struct work *work, pdfium_page page, const struct offstage_pages_geometry *geometry) {
    pdfium_text text = pdfium.FPDFText_LoadPage(page);
    if (text) {
        size_t size = text_utf8(units, read_text(page, text), bytes, 3 * TEXT);
        add_record(work, OFFSTAGE_PAGES_TEXT, (int32_t[4]){0}, bytes, size);
    }
    report_headings(work, page, geometry);
    report_links(work, page, text, geometry);
    if (text) pdfium.FPDFText_ClosePage(text);
}

/// The fonts that have been checked.
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
