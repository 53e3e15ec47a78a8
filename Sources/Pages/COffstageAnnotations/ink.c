// Ink: lines with an even pen, or an area if the width varies.
#include <math.h>

#include "appearance.h"

/// Adds a circle, clockwise on the displayed page.
static void add_circle(struct appearance *a, struct page_place middle, double radius) {
    double x = middle.x, y = middle.y, far = 0.5523 * radius;
    const double corners[4][6] = {
        {x + far, y - radius, x + radius, y - far, x + radius, y},
        {x + radius, y + far, x + far, y + radius, x, y + radius},
        {x - far, y + radius, x - radius, y + far, x - radius, y},
        {x - radius, y - far, x - far, y - radius, x, y - radius},
    };
    add_place(a, x, y - radius, "m ");
    for (int i = 0; i < 4; i++) {
        add_place(a, corners[i][0], corners[i][1], "");
        add_place(a, corners[i][2], corners[i][3], "");
        add_place(a, corners[i][4], corners[i][5], "c ");
    }
    pdf_text(&a->content, "h\n");
}

/// Adds the sides between two circles, clockwise on the displayed page.
static void add_sides(struct appearance *a, struct page_place one, double from, struct page_place other, double to) {
    double x = other.x - one.x, y = other.y - one.y, length = hypot(x, y);
    if (!(length > 0)) return;
    x /= length, y /= length;
    add_place(a, one.x + y * from, one.y - x * from, "m ");
    add_place(a, other.x + y * to, other.y - x * to, "l ");
    add_place(a, other.x - y * to, other.y + x * to, "l ");
    add_place(a, one.x - y * from, one.y + x * from, "l h\n");
}

static void draw_area(struct appearance *a) {
    const struct annotation *annotation = a->annotation;
    add_color(&a->content, annotation->head.color, "rg\n");
    for (uint32_t i = 0, start = 0; i < annotation->head.stroke_count; start += annotation->lengths[i++]) {
        struct page_place last = {0};
        double last_radius = 0;
        for (uint32_t j = start; j < start + annotation->lengths[i]; j++) {
            struct page_place place = shown_place(a, annotation->points + 2 * j);
            double radius = units_of(a, annotation->widths[j]) / 2;
            if (j > start) add_sides(a, last, last_radius, place, radius);
            add_circle(a, place, radius);
            last = place;
            last_radius = radius;
        }
    }
    pdf_text(&a->content, "f\n");
}

void draw_ink(struct appearance *a) {
    const struct annotation *annotation = a->annotation;
    if (annotation->widths) return draw_area(a);
    add_color(&a->content, annotation->head.color, "RG ");
    pdf_number(&a->content, units_of(a, annotation->head.width));
    pdf_text(&a->content, "w 1 J 1 j\n");
    // Crossing strokes must not darken each other, so a translucent pen's strokes are one path.
    bool is_one = annotation->head.color >> 24 < 255 || annotation->head.opacity < OFFSTAGE_PAGES_OPAQUE
        || annotation->head.pen & OFFSTAGE_PAGES_MARKS;
    for (uint32_t i = 0, start = 0; i < annotation->head.stroke_count; start += annotation->lengths[i++]) {
        uint32_t length = annotation->lengths[i];
        for (uint32_t j = start; j < start + length; j++) {
            struct page_place place = shown_place(a, annotation->points + 2 * j);
            add_place(a, place.x, place.y, j == start ? "m\n" : "l\n");
            // A dot is a line to its own position.
            if (length == 1) add_place(a, place.x, place.y, "l\n");
        }
        if (!is_one) pdf_text(&a->content, "S\n");
    }
    if (is_one) pdf_text(&a->content, "S\n");
}
