// The words of a page, for selections, searches and screen readers.
#include <stdlib.h>
#include <string.h>

#include "report.h"

/// The maximum length of a word in characters. Longer words are split.
#define MOST 64
/// The maximum number of characters on a page.
#define MOST_CHARACTERS 1000000
/// The size of a record with the longest word.
#define RESERVE (sizeof(struct offstage_pages_record) + 3 * 2 * MOST + 2 + 2 * MOST + 1)

/// Follows a word that continues in the next line.
#define DIVIDED 1

struct word {
    unsigned short units[2 * MOST];
    size_t unit_count;
    /// The right and lower edges of the characters.
    int32_t edges[MOST][2];
    size_t count;
    int32_t left, top, right, bottom;
};

/// Finds the box of a character on the displayed page, with the job's rotation. False if it has none.
static bool box_of(pdfium_page page, pdfium_text text, int index, int turns, int32_t box[4]) {
    double left, right, bottom, top;
    int x0, y0, x1, y1, side = OFFSTAGE_PAGES_WORD_SIDE;
    if (!pdfium.FPDFText_GetCharBox(text, index, &left, &right, &bottom, &top)) return false;
    pdfium.FPDF_PageToDevice(page, 0, 0, side, side, turns, left, top, &x0, &y0);
    pdfium.FPDF_PageToDevice(page, 0, 0, side, side, turns, right, bottom, &x1, &y1);
    box[0] = x0 < x1 ? x0 : x1;
    box[1] = y0 < y1 ? y0 : y1;
    box[2] = x0 < x1 ? x1 : x0;
    box[3] = y0 < y1 ? y1 : y0;
    return true;
}

static bool is_outside(const int32_t box[4]) {
    const int32_t side = OFFSTAGE_PAGES_WORD_SIDE;
    // A box without an area has no position.
    return (box[0] < box[2] || box[1] < box[3]) && (box[2] <= 0 || box[3] <= 0 || box[0] >= side || box[1] >= side);
}

bool is_character_shown(pdfium_page page, pdfium_text text, int index) {
    int32_t box[4];
    return !box_of(page, text, index, 0, box) || !is_outside(box);
}

static void add_box(struct word *word, const int32_t box[4]) {
    bool is_first = word->count == 0;
    if (is_first || box[0] < word->left) word->left = box[0];
    if (is_first || box[1] < word->top) word->top = box[1];
    if (is_first || box[2] > word->right) word->right = box[2];
    if (is_first || box[3] > word->bottom) word->bottom = box[3];
    word->edges[word->count][0] = box[2];
    word->edges[word->count][1] = box[3];
}

static void add_character(struct word *word, uint32_t scalar) {
    // The second half of a character that the library reported as two.
    bool is_rest = (scalar & 0xfffffc00) == 0xdc00 && word->count > 0 && (word->units[word->unit_count - 1] & 0xfc00) == 0xd800;
    if (scalar > 0xffff) {
        scalar -= 0x10000;
        word->units[word->unit_count++] = (unsigned short)(0xd800 | (scalar >> 10 & 0x3ff));
        scalar = 0xdc00 | (scalar & 0x3ff);
    }
    word->units[word->unit_count++] = (unsigned short)scalar;
    if (!is_rest) word->count++;
}

/// True for a word that runs down or up, as on a rotated page.
static bool is_vertical(const struct word *word) {
    const int32_t *first = word->edges[0], *last = word->edges[word->count > 0 ? word->count - 1 : 0];
    return llabs((int64_t)last[1] - first[1]) > llabs((int64_t)last[0] - first[0]);
}

/// A position between the word's left and right, or its top and bottom, 0 to 65535.
static unsigned part(const struct word *word, const int32_t edge[2], bool is_down) {
    int64_t start = is_down ? word->top : word->left, width = (is_down ? word->bottom : word->right) - start;
    int64_t place = edge[is_down] - start;
    return width <= 0 || place <= 0 ? 0 : place >= width ? 65535 : (unsigned)(place * 65535 / width);
}

static void end_word(struct word *word, struct work *work, char ending) {
    if (word->count == 0) return;
    char bytes[RESERVE];
    size_t size = text_utf8(word->units, word->unit_count, bytes, 3 * 2 * MOST);
    if (size > 0) {
        if (ending) bytes[size++] = ending;
        bytes[size++] = 0;
        bool is_down = is_vertical(word);
        for (size_t i = 0; i < word->count; i++) {
            unsigned edge = part(word, word->edges[i], is_down);
            bytes[size++] = (char)(edge & 0xff);
            bytes[size++] = (char)(edge >> 8);
        }
        if (is_down) bytes[size++] = 1;
        int64_t width = (int64_t)word->right - word->left, height = (int64_t)word->bottom - word->top;
        int32_t numbers[4] = {word->left, word->top, width < INT32_MAX ? (int32_t)width : INT32_MAX,
                              height < INT32_MAX ? (int32_t)height : INT32_MAX};
        add_record(work, OFFSTAGE_PAGES_WORD, numbers, bytes, size);
    }
    memset(word, 0, sizeof *word);
}

static bool is_space(uint32_t scalar) { return scalar <= 0x20 || scalar == 0xa0 || scalar == 0x2028 || scalar == 0x2029; }

/// The library's mark for a hyphen at the end of a line, after which the word continues.
static bool is_division(uint32_t scalar) { return scalar == 2 || scalar == 0xfffe; }

/// True for a character that ends a word.
static bool is_gap(uint32_t scalar) { return is_space(scalar) && !is_division(scalar); }

static bool is_hyphen(uint32_t scalar) { return scalar == '-' || scalar == 0xad || scalar == 0x2010; }

static bool is_line_end(uint32_t scalar) { return scalar == '\n' || scalar == '\r'; }

/// True for lower-case letters, as far as that can be determined without tables. Most scripts have no capitals.
static bool is_small_letter(uint32_t scalar) {
    if (scalar < 0x80) return scalar >= 'a' && scalar <= 'z';
    return (scalar >= 0xdf && scalar <= 0xff && scalar != 0xf7) || (scalar >= 0x100 && scalar < 0x250 && scalar % 2 == 1)
           || (scalar >= 0x3ac && scalar <= 0x3ce) || (scalar >= 0x430 && scalar <= 0x45f);
}

static bool is_letter(uint32_t scalar) { return is_small_letter(scalar) || (scalar >= 'A' && scalar <= 'Z') || scalar >= 0xc0; }

/// True if a hyphen that the library left unmarked divides a word at the end of a line.
static bool divides(pdfium_text text, int index, int count, const struct word *word) {
    if (!is_hyphen(pdfium.FPDFText_GetUnicode(text, index)) || word->count == 0) return false;
    if (!is_letter(word->units[word->unit_count - 1])) return false;
    int next = index + 1;
    bool is_end = false;
    for (; next < count && next < index + 6; next++) {
        uint32_t scalar = pdfium.FPDFText_GetUnicode(text, next);
        if (!is_space(scalar)) break;
        is_end |= is_line_end(scalar);
    }
    return is_end && next < count && is_small_letter(pdfium.FPDFText_GetUnicode(text, next));
}

/// True for breaks and spaces that the library inserts before a raised or lowered character, such as an exponent, which belongs
/// to the word.
static bool is_inside_word(pdfium_text text, int index, int count, int *next) {
    int other = index;
    while (other < count && pdfium.FPDFText_IsGenerated(text, other) == 1) other++;
    if (index == 0 || other == index || other == count || is_space(pdfium.FPDFText_GetUnicode(text, other))) return false;
    double sizes[2] = {pdfium.FPDFText_GetFontSize(text, index - 1), pdfium.FPDFText_GetFontSize(text, other)};
    double large = sizes[0] > sizes[1] ? sizes[0] : sizes[1], small = sizes[0] > sizes[1] ? sizes[1] : sizes[0];
    if (!(small > 0) || small > 0.9 * large) return false;
    double left[2], right[2], bottom[2], top[2];
    if (!pdfium.FPDFText_GetCharBox(text, index - 1, &left[0], &right[0], &bottom[0], &top[0])) return false;
    if (!pdfium.FPDFText_GetCharBox(text, other, &left[1], &right[1], &bottom[1], &top[1])) return false;
    double gap = left[1] - right[0], apart = (bottom[0] > bottom[1] ? bottom[0] : bottom[1]) - (top[0] < top[1] ? top[0] : top[1]);
    if (gap < -0.2 * large || gap > 0.12 * large || apart > 0.1 * large) return false;
    return *next = other, true;
}

/// Ends a word that continues in the next line. Its hyphen belongs to its last character.
static void divide(struct word *word, struct work *work, const int32_t box[4]) {
    if (word->count == 0) return;
    size_t last = --word->count;
    add_box(word, box);
    word->count = last + 1;
    if (word->edges[last][0] < word->right) word->edges[last][0] = word->right;
    end_word(word, work, DIVIDED);
}

/// True if another word does not fit into the report. A word is never split between two reports.
static bool is_full(struct work *work, int next) {
    if (work->size + RESERVE <= OFFSTAGE_WIRE_PAYLOAD) return false;
    work->report.facts |= OFFSTAGE_PAGES_MORE;
    work->report.next = (uint32_t)next;
    return true;
}

static void list(struct work *work, pdfium_page page, pdfium_text text) {
    struct word word = {0};
    int count = pdfium.FPDFText_CountChars(text), turns = (int)work->options->rotation;
    if (count > MOST_CHARACTERS) count = MOST_CHARACTERS;
    for (int i = work->options->first < MOST_CHARACTERS ? (int)work->options->first : count; i < count; i++) {
        uint32_t scalar = pdfium.FPDFText_GetUnicode(text, i);
        int32_t box[4] = {word.right, word.top, word.right, word.bottom};
        bool has_box = box_of(page, text, i, turns, box);
        bool is_end = is_gap(scalar);
        int next;
        if (is_end && word.count > 0 && is_inside_word(text, i, count, &next)) {
            i = next - 1;
            continue;
        }
        // Hidden text is not part of the page's text.
        if (!is_end && has_box && is_outside(box)) continue;
        // A soft hyphen that does not divide a word is invisible.
        bool is_divided = is_division(scalar) || divides(text, i, count, &word);
        if (scalar == 0xad && !is_divided) continue;
        if (is_end) end_word(&word, work, is_line_end(scalar) ? '\n' : ' ');
        else if (is_divided) {
            divide(&word, work, box);
            // Line breaks here are inside the word.
            while (i + 1 < count && is_gap(pdfium.FPDFText_GetUnicode(text, i + 1))) i++;
        } else {
            if (word.count == 0 && is_full(work, i)) return;
            add_box(&word, box);
            add_character(&word, scalar);
            if (word.count == MOST) end_word(&word, work, 0);
        }
        if (word.count == 0 && is_full(work, i + 1)) return;
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
