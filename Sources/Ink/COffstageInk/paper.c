// The paper under the ink, with the lines that Xournal++ draws.
#include <math.h>
#include <string.h>

#include "offstage_ink_wire.h"

static const uint8_t blue[4] = {0x40, 0xA0, 0xFF, 255}, pink[4] = {0xFF, 0x00, 0x80, 255}, gray[4] = {0xBD, 0xBD, 0xBD, 255};
static const uint8_t pale_blue[4] = {0x22, 0x50, 0x80, 255}, pale_pink[4] = {0x80, 0x10, 0x48, 255}, dim[4] = {0x43, 0x43, 0x43, 255};

static const uint8_t black[4] = {0, 0, 0, 255}, white[4] = {255, 255, 255, 255};

/// The maximum number of lines on a page; more would look like a grey page.
#define MOST_LINES 20000

struct paper {
    const struct offstage_ink_page *page;
    void (*take)(void *context, const struct offstage_ink_paper_line *line);
    void *context;
    /// The width of a line, points.
    double line;
    const uint8_t *main, *accent, *faint, *staff;
};

static void give(const struct paper *paper, struct offstage_ink_paper_line line, const uint8_t color[4]) {
    memcpy(line.color, color, 4);
    paper->take(paper->context, &line);
}

static void horizontal(const struct paper *paper, double y, double from, double to, const uint8_t color[4]) {
    give(paper, (struct offstage_ink_paper_line){.x1 = from, .y1 = y, .x2 = to, .y2 = y, .width = paper->line}, color);
}

static void vertical(const struct paper *paper, double x, double from, double to, const uint8_t color[4]) {
    give(paper, (struct offstage_ink_paper_line){.x1 = x, .y1 = from, .x2 = x, .y2 = to, .width = paper->line}, color);
}

static double step(const struct paper *paper, double usual) {
    double step = paper->page->spacing > 0 ? paper->page->spacing : usual;
    double side = fmax(paper->page->width, paper->page->height);
    return fmax(step, side / MOST_LINES);
}

static void rules(const struct paper *paper, bool has_margin) {
    double width = paper->page->width, height = paper->page->height, distance = step(paper, 24);
    bool is_usual = !(paper->page->first > 0);
    double end = is_usual ? height - 60 : height;
    for (double y = is_usual ? 80 : paper->page->first; y < end; y += distance) horizontal(paper, y, 0, width, paper->main);
    if (has_margin) vertical(paper, 72, 0, height, paper->accent);
}

static void graph(const struct paper *paper) {
    double width = paper->page->width, height = paper->page->height, distance = step(paper, 14.17), margin = paper->page->margin;
    if (margin > 0) {
        // Only whole squares fit inside the margin.
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
    // The width in the file is relative to a default line.
    double share = paper->page->line_width > 0 ? paper->line / 0.5 : 1;
    const struct offstage_ink_paper_line line = {.x1 = x1, .y1 = y1, .x2 = x2, .y2 = y2, .width = width * share, .is_round = true};
    give(paper, line, color);
}

static void dots(const struct paper *paper) {
    double distance = fmax(step(paper, 14.17), fmax(paper->page->width, paper->page->height) / 700);
    for (double y = distance; y < paper->page->height; y += distance)
        for (double x = distance; x < paper->page->width; x += distance) line(paper, x, y, x, y, 1.5, paper->faint);
}

/// The lattice of isometric paper: columns and rows in the middle of the page, without those at its edges.
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

/// A lattice line that falls or rises by one row per column, clipped to the frame.
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
    // Lines that begin at the frame's upper or lower edge cross the first column outside the frame.
    for (int row = 3 - 2 * ((at.columns + 1) / 2); row <= at.rows + at.columns; row += 2) {
        diagonal(paper, &at, row, 1);
        diagonal(paper, &at, row, -1);
    }
}

static void staves(const struct paper *paper) {
    double width = paper->page->width, height = paper->page->height;
    const double half = paper->line / 2;
    for (double top = 80; top + 20 < height - 22; top += 62.5) {
        for (int i = 0; i < 5; i++) horizontal(paper, top + 5 * i, 50 - half, width - 50 + half, paper->staff);
        vertical(paper, 50, top, top + 20, paper->staff);
        vertical(paper, width - 50, top, top + 20, paper->staff);
    }
}

bool offstage_ink_is_dark(const struct offstage_ink_page *page) {
    return page->background == OFFSTAGE_INK_SOLID && 299 * page->color[0] + 587 * page->color[1] + 114 * page->color[2] < 127500;
}

static const uint8_t *chosen(const uint8_t own[4], const uint8_t usual[4]) { return own[3] > 0 ? own : usual; }

void offstage_ink_paper_lines(
    const struct offstage_ink_page *page, void (*take)(void *context, const struct offstage_ink_paper_line *line), void *context) {
    if (page->background != OFFSTAGE_INK_SOLID) return;
    bool dark = offstage_ink_is_dark(page);
    const uint8_t *own = dark ? page->dark_line_color : page->line_color;
    const uint8_t *accent = dark ? page->dark_accent_color : page->accent_color;
    const struct paper paper = {
        .page = page, .take = take, .context = context, .line = page->line_width > 0 ? page->line_width : 0.5,
        .main = chosen(own, dark ? pale_blue : blue), .accent = chosen(accent, dark ? pale_pink : pink),
        .faint = chosen(own, dark ? dim : gray), .staff = chosen(own, dark ? white : black)};
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

struct canvas {
    const struct offstage_ink_target *target;
    struct offstage_ink_scratch *scratch;
};

static void draw_line(void *context, const struct offstage_ink_paper_line *line) {
    const struct canvas *canvas = context;
    if (line->is_round) {
        struct offstage_ink_style style = {.tool = OFFSTAGE_INK_PEN, .width = (float)line->width};
        memcpy(style.color, line->color, 4);
        const struct offstage_ink_point points[2] = {
            {.x = (float)line->x1, .y = (float)line->y1, .pressure = 1}, {.x = (float)line->x2, .y = (float)line->y2, .pressure = 1}};
        offstage_ink_draw(canvas->scratch, canvas->target, &style, NULL, NULL, points, 2);
        return;
    }
    double scale = canvas->target->scale, half = line->width / 2;
    double across = line->x1 == line->x2 ? half : 0, down = line->x1 == line->x2 ? 0 : half;
    offstage_ink_rectangle(
        canvas->target, (line->x1 - across) * scale, (line->y1 - down) * scale, (line->x2 + across) * scale,
        (line->y2 + down) * scale, line->color);
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
    struct canvas canvas = {target, scratch};
    offstage_ink_paper_lines(page, draw_line, &canvas);
}
