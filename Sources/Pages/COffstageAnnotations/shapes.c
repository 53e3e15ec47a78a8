// Text marks, notes, lines and shapes.
#include <math.h>

#include "appearance.h"

/// The length of one typographic point, in units.
static double point(const struct appearance *a) { return 1 / a->space->unit; }

static void draw_highlight(struct appearance *a, struct shown_box mark) {
    add_place(a, mark.left, mark.top, "m ");
    add_place(a, mark.right, mark.top, "l ");
    add_place(a, mark.right, mark.bottom, "l ");
    add_place(a, mark.left, mark.bottom, "l h\n");
}

static void draw_level(struct appearance *a, struct shown_box mark, double y) {
    add_place(a, mark.left, y, "m ");
    add_place(a, mark.right, y, "l S\n");
}

static void draw_wave(struct appearance *a, struct shown_box mark) {
    double step = 2 * point(a);
    // For a line longer than any page, draw at most as many waves as a page has.
    if ((mark.right - mark.left) / step > 20000) step = (mark.right - mark.left) / 20000;
    double top = mark.bottom - step, x = mark.left + step;
    bool is_up = false;
    add_place(a, mark.left, top, "m ");
    for (; x < mark.right; x += step, is_up = !is_up) add_place(a, x, is_up ? top : mark.bottom, "l ");
    double rest = mark.right - (x - step);
    add_place(a, mark.right, is_up ? mark.bottom - rest : top + rest, "l S\n");
}

static void draw_marks(struct appearance *a) {
    const struct annotation *annotation = a->annotation;
    uint32_t kind = annotation->head.kind;
    bool is_area = kind == KIND_HIGHLIGHT;
    add_color(&a->content, annotation->head.color, is_area ? "rg\n" : "RG ");
    if (!is_area) {
        pdf_number(&a->content, point(a));
        pdf_text(&a->content, "w\n");
    }
    for (uint32_t i = 0, start = 0; i < annotation->head.stroke_count; start += annotation->lengths[i++]) {
        if (annotation->lengths[i] != 2) continue;
        struct shown_box mark = shown_box(a, annotation->points + 2 * start);
        switch (kind) {
        case KIND_HIGHLIGHT: draw_highlight(a, mark); break;
        case KIND_UNDERLINE: draw_level(a, mark, mark.bottom - point(a)); break;
        case KIND_STRIKE_OUT: draw_level(a, mark, (mark.top + mark.bottom) / 2); break;
        default: draw_wave(a, mark);
        }
    }
    if (is_area) pdf_text(&a->content, "f\n");
}

/// Draws a note symbol, at most 20 points wide, at the lower left corner.
static void draw_note(struct appearance *a) {
    double unit = point(a), side = 20 * unit, width = a->box.right - a->box.left, height = a->box.bottom - a->box.top;
    // In a box without a size, the whole symbol is drawn.
    if (width >= 4 * unit && height >= 4 * unit) side = fmin(side, fmin(width, height));
    unit = side / 20;
    a->box.right = fmax(a->box.right, a->box.left + side);
    a->box.top = fmin(a->box.top, a->box.bottom - side);
    if (a->space->rotation != 0) {
        // Viewers rotate the symbol around the corner that is its upper left one on the unrotated page, so that it is upright.
        a->corner = page_at(a->space, a->box.left, a->box.top);
        a->upright = (struct page_space){.left = -a->box.left, .top = a->box.bottom, .unit = a->space->unit};
        a->space = &a->upright;
    }
    add_color(&a->content, a->annotation->head.color, "rg 0 0 0 RG ");
    pdf_number(&a->content, unit);
    pdf_text(&a->content, "w\n");
    double left = a->box.left + unit / 2, right = a->box.left + side - unit / 2, top = a->box.bottom - side + unit / 2;
    double bottom = a->box.bottom - 4.5 * unit, tip = left + 4 * unit;
    add_place(a, left, bottom, "m ");
    add_place(a, left, top, "l ");
    add_place(a, right, top, "l ");
    add_place(a, right, bottom, "l ");
    add_place(a, tip + 4 * unit, bottom, "l ");
    add_place(a, tip, bottom + 4 * unit, "l ");
    add_place(a, tip, bottom, "l ");
    add_place(a, left, bottom, "l\n");
    for (int i = 1; i <= 3; i++) {
        double y = top + i * (bottom - top) / 4;
        add_place(a, left + 2 * unit, y, "m ");
        add_place(a, right - 2 * unit, y, "l ");
    }
    pdf_text(&a->content, "B*\n");
}

static void add_ellipse(struct appearance *a, struct shown_box box) {
    double x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2, far_x = 0.5523 * (box.right - x), far_y = 0.5523 * (box.bottom - y);
    add_place(a, box.left, y, "m ");
    const double corners[4][6] = {
        {box.left, y - far_y, x - far_x, box.top, x, box.top},
        {x + far_x, box.top, box.right, y - far_y, box.right, y},
        {box.right, y + far_y, x + far_x, box.bottom, x, box.bottom},
        {x - far_x, box.bottom, box.left, y + far_y, box.left, y},
    };
    for (int i = 0; i < 4; i++) {
        add_place(a, corners[i][0], corners[i][1], "");
        add_place(a, corners[i][2], corners[i][3], "");
        add_place(a, corners[i][4], corners[i][5], "c ");
    }
    pdf_text(&a->content, "h ");
}

/// Draws a line, a polygon, a polyline, a rectangle or an ellipse.
static void draw_shape(struct appearance *a) {
    const struct annotation *annotation = a->annotation;
    uint32_t kind = annotation->head.kind;
    double width = units_of(a, annotation->head.width);
    bool is_filled = annotation->head.fill >> 24 && kind != KIND_LINE, is_lined = width > 0;
    if (is_filled) add_color(&a->content, annotation->head.fill, "rg ");
    add_color(&a->content, annotation->head.color, "RG ");
    pdf_number(&a->content, width);
    pdf_text(&a->content, "w\n");
    if (kind == KIND_SQUARE || kind == KIND_CIRCLE) {
        // The line stays inside the rectangle.
        double inset = fmin(width, fmin(a->box.right - a->box.left, a->box.bottom - a->box.top)) / 2;
        struct shown_box box = {a->box.left + inset, a->box.top + inset, a->box.right - inset, a->box.bottom - inset};
        if (kind == KIND_SQUARE) draw_highlight(a, box);
        else add_ellipse(a, box);
    } else if (annotation->head.stroke_count > 0) {
        for (uint32_t i = 0; i < annotation->lengths[0]; i++) {
            struct page_place place = shown_place(a, annotation->points + 2 * i);
            add_place(a, place.x, place.y, i == 0 ? "m " : "l ");
        }
        if (kind == KIND_POLYGON) pdf_text(&a->content, "h ");
    }
    pdf_text(&a->content, is_filled && is_lined ? "B\n" : is_filled ? "f\n" : is_lined ? "S\n" : "n\n");
}

void draw_appearance(struct appearance *a) {
    switch (a->annotation->head.kind) {
    case KIND_NOTE: return draw_note(a);
    case KIND_FREE_TEXT: return draw_free_text(a);
    case KIND_INK: return draw_ink(a);
    case KIND_HIGHLIGHT:
    case KIND_UNDERLINE:
    case KIND_SQUIGGLY:
    case KIND_STRIKE_OUT: return draw_marks(a);
    default: return draw_shape(a);
    }
}
