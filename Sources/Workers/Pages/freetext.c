// The words of a free text in a drawing. The library makes no appearance for them.
#include <math.h>
#include <string.h>

#include "annotations.h"
#include "fonts.h"

/// Points.
#define FONT_SIZE 12
#define LINE (1.25 * FONT_SIZE)
/// The font's ascent, with the space above it.
#define ASCENT FONT_SIZE
#define LINES 200

/// The place of the first line: its left end, and the directions to the right and up, whose length is 1.
struct start { struct pdfium_point at, right, up; };

static struct pdfium_point direction(struct pdfium_point from, struct pdfium_point to, double *length) {
    double x = to.x - from.x, y = to.y - from.y;
    *length = hypot(x, y);
    return *length > 0 ? (struct pdfium_point){(float)(x / *length), (float)(y / *length)} : (struct pdfium_point){0};
}

static double width_of(pdfium_font font, unsigned short unit) {
    float width = 0;
    return pdfium.FPDFFont_GetGlyphWidth(font, unit, FONT_SIZE, &width) && width > 0 && width < 10 * FONT_SIZE ? width : 0;
}

/// The units of the next line, without the space or the line feed at its end, which `*next` leaves behind. At least one, if there is one.
static size_t line_length(pdfium_font font, const unsigned short *text, double most, size_t *next) {
    double width = 0;
    size_t space = 0, count = 0;
    for (; text[count] != 0; count++) {
        if (text[count] == '\n' || text[count] == '\r') return *next = count + 1, count;
        if (text[count] == ' ') space = count;
        width += width_of(font, text[count]);
        if (width <= most || count == 0) continue;
        if (space > 0) return *next = space + 1, space;
        // Not between the two halves of a character.
        if ((text[count] & 0xfc00) == 0xdc00 && count > 1) count--;
        return *next = count, count;
    }
    return *next = count, count;
}

static bool add_line(
    struct work *work, pdfium_annotation stamp, pdfium_font font, const struct start *start, int number, const unsigned short *text,
    size_t count) {
    static unsigned short line[TEXT + 1];
    memcpy(line, text, count * sizeof *line);
    line[count] = 0;
    pdfium_object object = pdfium.FPDFPageObj_CreateTextObj(work->document, font, FONT_SIZE);
    if (!object) return false;
    double down = ASCENT + number * LINE;
    pdfium.FPDFPageObj_Transform(
        object, start->right.x, start->right.y, start->up.x, start->up.y, start->at.x - down * start->up.x,
        start->at.y - down * start->up.y);
    // The stamp owns it then.
    if (pdfium.FPDFText_SetText(object, line) && pdfium.FPDFAnnot_AppendObject(stamp, object)) return true;
    pdfium.FPDFPageObj_Destroy(object);
    return false;
}

bool add_text(
    struct work *work, pdfium_page page, const struct offstage_pages_annotation *head, const unsigned short *text) {
    size_t size;
    const uint8_t *bytes = fonts_sans(&size);
    pdfium_font font = bytes ? pdfium.FPDFText_LoadFont(work->document, bytes, (uint32_t)size, PDFIUM_FONT_TRUETYPE, 1) : NULL;
    pdfium_annotation stamp = font ? pdfium.FPDFPage_CreateAnnot(page, PDFIUM_ANNOTATION_STAMP) : NULL;
    struct pdfium_point first = page_point(page, head->box), last = page_point(page, head->box + 2);
    struct pdfium_point corner = page_point(page, (int32_t[2]){head->box[2], head->box[1]});
    struct pdfium_point below = page_point(page, (int32_t[2]){head->box[0], head->box[3]});
    double width, height;
    struct start start = {first, direction(first, corner, &width), direction(below, first, &height)};
    struct pdfium_box box = {fminf(first.x, last.x), fmaxf(first.y, last.y), fmaxf(first.x, last.x), fminf(first.y, last.y)};
    bool is_added = stamp && pdfium.FPDFAnnot_SetRect(stamp, &box);
    for (int number = 0; is_added && *text != 0 && number < LINES && number * LINE < height; number++) {
        size_t next, count = line_length(font, text, width, &next);
        if (count > 0) is_added = add_line(work, stamp, font, &start, number, text, count);
        text += next;
    }
    if (stamp) pdfium.FPDFPage_CloseAnnot(stamp);
    if (font) pdfium.FPDFFont_Close(font);
    return is_added;
}
