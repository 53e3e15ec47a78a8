// The words of a page, for selections, searches and screen readers.
#include <string.h>

#include "report.h"

/// The longest word, characters; a longer one is cut into several.
#define MOST 64
/// The most characters of a page.
#define MOST_CHARACTERS 1000000
/// The bytes of a record with the longest word.
#define RESERVE (sizeof(struct offstage_pages_record) + 3 * 2 * MOST + 2 + 2 * MOST)

struct word {
    unsigned short units[2 * MOST];
    size_t unit_count;
    /// The right edges of the characters.
    int32_t edges[MOST];
    size_t count;
    int32_t left, top, right, bottom;
};

static void add_box(struct word *word, struct work *work, pdfium_page page, pdfium_text text, int index) {
    double left, right, bottom, top;
    int x0 = word->right, y0 = word->top, x1 = word->right, y1 = word->bottom;
    if (pdfium.FPDFText_GetCharBox(text, index, &left, &right, &bottom, &top)) {
        int side = OFFSTAGE_PAGES_WORD_SIDE, turns = (int)work->options->rotation;
        pdfium.FPDF_PageToDevice(page, 0, 0, side, side, turns, left, top, &x0, &y0);
        pdfium.FPDF_PageToDevice(page, 0, 0, side, side, turns, right, bottom, &x1, &y1);
    }
    int32_t box[4] = {x0 < x1 ? x0 : x1, y0 < y1 ? y0 : y1, x0 < x1 ? x1 : x0, y0 < y1 ? y1 : y0};
    bool is_first = word->count == 0;
    if (is_first || box[0] < word->left) word->left = box[0];
    if (is_first || box[1] < word->top) word->top = box[1];
    if (is_first || box[2] > word->right) word->right = box[2];
    if (is_first || box[3] > word->bottom) word->bottom = box[3];
    word->edges[word->count] = box[2];
}

static void add_character(struct word *word, uint32_t scalar) {
    // The second half of a character that the library has reported in two.
    bool is_rest = (scalar & 0xfffffc00) == 0xdc00 && word->count > 0 && (word->units[word->unit_count - 1] & 0xfc00) == 0xd800;
    if (scalar > 0xffff) {
        scalar -= 0x10000;
        word->units[word->unit_count++] = (unsigned short)(0xd800 | (scalar >> 10 & 0x3ff));
        scalar = 0xdc00 | (scalar & 0x3ff);
    }
    word->units[word->unit_count++] = (unsigned short)scalar;
    if (!is_rest) word->count++;
}

/// A place between the word's left and right, 0 to 65535.
static unsigned part(const struct word *word, int32_t edge) {
    int64_t width = (int64_t)word->right - word->left, place = (int64_t)edge - word->left;
    return width <= 0 || place <= 0 ? 0 : place >= width ? 65535 : (unsigned)(place * 65535 / width);
}

static void end_word(struct word *word, struct work *work, char ending) {
    if (word->count == 0) return;
    char bytes[RESERVE];
    size_t size = text_utf8(word->units, word->unit_count, bytes, 3 * 2 * MOST);
    if (size > 0) {
        if (ending) bytes[size++] = ending;
        bytes[size++] = 0;
        for (size_t i = 0; i < word->count; i++) {
            unsigned edge = part(word, word->edges[i]);
            bytes[size++] = (char)(edge & 0xff);
            bytes[size++] = (char)(edge >> 8);
        }
        int64_t width = (int64_t)word->right - word->left, height = (int64_t)word->bottom - word->top;
        int32_t numbers[4] = {word->left, word->top, width < INT32_MAX ? (int32_t)width : INT32_MAX,
                              height < INT32_MAX ? (int32_t)height : INT32_MAX};
        add_record(work, OFFSTAGE_PAGES_WORD, numbers, bytes, size);
    }
    memset(word, 0, sizeof *word);
}

static bool is_space(uint32_t scalar) { return scalar <= 0x20 || scalar == 0xa0 || scalar == 0x2028 || scalar == 0x2029; }

static void list(struct work *work, pdfium_page page, pdfium_text text) {
    struct word word = {0};
    int count = pdfium.FPDFText_CountChars(text);
    if (count > MOST_CHARACTERS) count = MOST_CHARACTERS;
    for (int i = work->options->first < MOST_CHARACTERS ? (int)work->options->first : count; i < count; i++) {
        uint32_t scalar = pdfium.FPDFText_GetUnicode(text, i);
        // A hyphen of the library's at the end of a line is part of the word.
        if (is_space(scalar) && scalar != 2) {
            bool is_line = scalar == '\n' || scalar == '\r';
            end_word(&word, work, is_line ? '\n' : ' ');
            continue;
        }
        // A word is never cut between two reports.
        if (word.count == 0 && work->size + RESERVE > OFFSTAGE_WIRE_PAYLOAD) {
            work->report.facts |= OFFSTAGE_PAGES_MORE;
            work->report.next = (uint32_t)i;
            return;
        }
        add_box(&word, work, page, text, i);
        add_character(&word, scalar);
        if (word.count == MOST) end_word(&word, work, 0);
        if (word.count == 0 && work->size + RESERVE > OFFSTAGE_WIRE_PAYLOAD) {
            work->report.facts |= OFFSTAGE_PAGES_MORE;
            work->report.next = (uint32_t)i + 1;
            return;
        }
    }
    end_word(&word, work, '\n');
}

void list_words(struct work *work) {
    pdfium_page page = load_page(work);
    if (!page) return;
    pdfium_text text = pdfium.FPDFText_LoadPage(page);
    if (text) list(work, page, text);
    if (text) pdfium.FPDFText_ClosePage(text);
    pdfium.FPDF_ClosePage(page);
}
