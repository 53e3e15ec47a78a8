// The paper under the ink, with the lines that Xournal++ draws.
#include <math.h>
#include <string.h>

#include "offstage_ink_wire.h"

static const uint8_t blue[4] = {0x40, 0xA0, 0xFF, 255}, pink[4] = {0xFF, 0x00, 0x80, 255}, gray[4] = {0xBD, 0xBD, 0xBD, 255};
static const uint8_t pale_blue[4] = {0x22, 0x50, 0x80, 255}, pale_pink[4] = {0x80, 0x10, 0x48, 255}, dim[4] = {0x43, 0x43, 0x43, 255};

/// Points. The most lines of a page; more would be a grey page.
#define MOST_LINES 20000
#define LINE 0.5

struct paper {
    const struct offstage_ink_target *target;
    struct offstage_ink_scratch *scratch;
    const struct offstage_ink_page *page;
    const uint8_t *main, *accent, *faint;
};

static void rectangle(const struct paper *paper, double left, double top, double right, double bottom, const uint8_t color[4]) {
    double scale = paper->target->scale;
    offstage_ink_rectangle(paper->target, left * scale, top * scale, right * scale, bottom * scale, color);
}

static void horizontal(const struct paper *paper, double y, double from, double to, const uint8_t color[4]) {
    rectangle(paper, from, y - LINE / 2, to, y + LINE / 2, color);
}

static void vertical(const struct paper *paper, double x, double from, double to, const uint8_t color[4]) {
    rectangle(paper, x - LINE / 2, from, x + LINE / 2, to, color);
}

static double step(const struct paper *paper, double usual) {
    double step = paper->page->spacing > 0 ? paper->page->spacing : usual;
    double side = fmax(paper->page->width, paper->page->height);
    return fmax(step, side / MOST_LINES);
}

static void rules(const struct paper *paper, bool has_margin) {
    double width = paper->page->width, height = paper->page->height, distance = step(paper, 24);
    for (double y = 80; y < height - 60; y += distance) horizontal(paper, y, 0, width, paper->main);
    if (has_margin) vertical(paper, 72, 0, height, paper->accent);
}

static void graph(const struct paper *paper) {
    double width = paper->page->width, height = paper->page->height, distance = step(paper, 14.17), margin = paper->page->margin;
    if (margin > 0) {
        // Whole squares inside of the margin.
        double left = ceil(margin / distance) * distance, top = left;
        double right = floor((width - margin) / distance) * distance, bottom = floor((height - margin) / distance) * distance;
        for (double y = top; y <= bottom + 0.01; y += distance) horizontal(paper, y, left, right, paper->faint);
        for (double x = left; x <= right + 0.01; x += distance) vertical(paper, x, top, bottom, paper->faint);
        return;
    }
    for (double x = distance; x < width; x += distance) vertical(paper, x, 0, height, paper->faint);
    for (double y = distance; y < height; y += distance) horizontal(paper, y, 0, width, paper->faint);
}

static void line(const struct paper *paper, double x1, double y1, double x2, double y2, double width, const uint8_t color[4]) {
    struct offstage_ink_style style = {.tool = OFFSTAGE_INK_PEN, .width = (float)width};
    memcpy(style.color, color, 4);
    const struct offstage_ink_point points[2] = {
        {.x = (float)x1, .y = (float)y1, .pressure = 1}, {.x = (float)x2, .y = (float)y2, .pressure = 1}};
    offstage_ink_draw(paper->scratch, paper->target, &style, points, 2);
}

static void dots(const struct paper *paper) {
    double distance = fmax(step(paper, 14.17), fmax(paper->page->width, paper->page->height) / 700);
    for (double y = distance; y < paper->page->height; y += distance)
        for (double x = distance; x < paper->page->width; x += distance) line(paper, x, y, x, y, 1.5, paper->faint);
}

/// The places of isometric paper: columns and rows in the middle of the page, without those at its edges.
struct lattice {
    double left, top, across, down;
    int columns, rows;
};

static struct lattice lattice(const struct paper *paper) {
    double distance = fmax(step(paper, 14.17), fmax(paper->page->width, paper->page->height) / 500);
    double width = paper->page->width, height = paper->page->height;
    struct lattice lattice = {.across = distance * sqrt(3) / 2, .down = distance / 2};
    lattice.columns = (int)floor(width / lattice.across);
    lattice.rows = (int)floor(height / lattice.down);
    lattice.left = (width - lattice.columns * lattice.across) / 2;
    lattice.top = (height - lattice.rows * lattice.down) / 2;
    return lattice;
}

static void isometric_dots(const struct paper *paper) {
    const struct lattice at = lattice(paper);
    int last = at.rows - at.rows % 2 - 2;
    for (int column = 1; column < at.columns; column++)
        for (int row = 2 + column % 2; row <= last; row += 2) {
            double x = at.left + column * at.across, y = at.top + row * at.down;
            line(paper, x, y, x, y, 1.5, paper->faint);
        }
}

/// A line through the lattice that falls by one row for each column, or rises, as far as it is inside of the frame.
static void diagonal(const struct paper *paper, const struct lattice *at, int row, int direction) {
    int first = 1, last = at->columns - 1, low = 2, high = at->rows - 2;
    // The row at column 1 is `row`.
    while (first <= last && (row < low || row > high)) first++, row += direction;
    int columns = last - first, rows = direction > 0 ? high - row : row - low;
    int count = columns < rows ? columns : rows;
    if (first > last || count <= 0) return;
    double x = at->left + first * at->across, y = at->top + row * at->down;
    line(paper, x, y, x + count * at->across, y + direction * count * at->down, 1, paper->faint);
}

static void isometric_lines(const struct paper *paper) {
    const struct lattice at = lattice(paper);
    if (at.columns < 3 || at.rows < 5) return;
    double left = at.left + at.across, right = at.left + (at.columns - 1) * at.across;
    double top = at.top + 2 * at.down, bottom = at.top + (at.rows - 2) * at.down;
    line(paper, left, top, right, top, 1, paper->faint);
    line(paper, left, bottom, right, bottom, 1, paper->faint);
    for (int column = 1; column < at.columns; column++)
        line(paper, at.left + column * at.across, top, at.left + column * at.across, bottom, 1, paper->faint);
    // Those that begin at the frame's upper or lower edge cross the first column outside of it.
    for (int row = 3 - 2 * ((at.columns + 1) / 2); row <= at.rows + at.columns; row += 2) {
        diagonal(paper, &at, row, 1);
        diagonal(paper, &at, row, -1);
    }
}

static void staves(const struct paper *paper) {
    double width = paper->page->width, height = paper->page->height;
    const uint8_t black[4] = {0, 0, 0, 255};
    for (double top = 80; top + 20 < height - 22; top += 62.5) {
        for (int i = 0; i < 5; i++) horizontal(paper, top + 5 * i, 50 - LINE / 2, width - 50 + LINE / 2, black);
        vertical(paper, 50, top, top + 20, black);
        vertical(paper, width - 50, top, top + 20, black);
    }
}

bool offstage_ink_is_dark(const struct offstage_ink_page *page) {
    return page->background == OFFSTAGE_INK_SOLID && 299 * page->color[0] + 587 * page->color[1] + 114 * page->color[2] < 127500;
}

void offstage_ink_draw_paper(
    struct offstage_ink_scratch *scratch, const struct offstage_ink_target *target, const struct offstage_ink_page *page) {
    uint8_t color[4] = {255, 255, 255, 255};
    if (page->background == OFFSTAGE_INK_SOLID) memcpy(color, page->color, 4);
    for (int32_t y = 0; y < target->height; y++) {
        uint8_t *row = target->pixels + (size_t)y * target->bytes_per_row;
        for (int32_t x = 0; x < target->width; x++) {
            row[4 * x] = color[2];
            row[4 * x + 1] = color[1];
            row[4 * x + 2] = color[0];
            row[4 * x + 3] = 255;
        }
    }
    if (page->background != OFFSTAGE_INK_SOLID) return;
    bool dark = offstage_ink_is_dark(page);
    struct paper paper = {target, scratch, page, dark ? pale_blue : blue, dark ? pale_pink : pink, dark ? dim : gray};
    switch (page->ruling) {
    case OFFSTAGE_INK_LINED: rules(&paper, true); break;
    case OFFSTAGE_INK_RULED: rules(&paper, false); break;
    case OFFSTAGE_INK_GRAPH: graph(&paper); break;
    case OFFSTAGE_INK_DOTTED: dots(&paper); break;
    case OFFSTAGE_INK_ISOMETRIC_GRAPH: isometric_lines(&paper); break;
    case OFFSTAGE_INK_ISOMETRIC_DOTTED: isometric_dots(&paper); break;
    case OFFSTAGE_INK_STAVES: staves(&paper); break;
    }
}
