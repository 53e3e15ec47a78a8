// The contents of Rnote's sheet: pen strokes, shapes, texts and images.
#include <math.h>
#include <string.h>

#include "board.h"
#include "rnote.h"
#include "values.h"

static struct affine affine_of(const json_t *value) {
    const json_t *list = json_is_array(value) ? value : json_object_get(value, "affine");
    double n[9] = {0};
    size_t count = json_array_size(list);
    // The columns are stored in one list of nine or six numbers, or as separate lists.
    size_t step = count == 6 ? 2 : 3;
    for (size_t i = 0; i < count && i < 9; i++) {
        const json_t *part = json_array_get(list, i);
        if (json_is_array(part) && i < 3) {
            step = 3;
            for (size_t k = 0; k < 2; k++) n[3 * i + k] = value_number(json_array_get(part, k), 0);
        } else n[i] = value_number(part, 0);
    }
    if (count == 0) return affine_moved(0, 0);
    return (struct affine){n[0], n[1], n[step], n[step + 1], n[2 * step], n[2 * step + 1]};
}

void rnote_color(const json_t *color, uint8_t rgba[4]) {
    const char *const names[] = {"r", "g", "b", "a"};
    for (int i = 0; i < 4; i++) rgba[i] = (uint8_t)(member_within(color, names[i], i == 3, 0, 1) * 255 + 0.5);
}

static double press(const char *curve, double pressure) {
    pressure = fmin(fmax(pressure, 0), 1);
    if (strcmp(curve, "const") == 0) return 1;
    if (strcmp(curve, "sqrt") == 0) return sqrt(pressure);
    if (strcmp(curve, "cbrt") == 0) return cbrt(pressure);
    if (strcmp(curve, "pow2") == 0) return pressure * pressure;
    return strcmp(curve, "pow3") == 0 ? pressure * pressure * pressure : pressure;
}

static void set_dashes(struct offstage_ink_style *style, const char *name) {
    static const struct {
        const char *name;
        float gap;
    } known[] = {{"dashed_narrow", 0.618f}, {"dashed_equidistant", 1}, {"dashed_wide", 1.618f}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i].name) == 0) {
            style->dash_count = 2;
            style->dashes[0] = 4 * style->width;
            style->dashes[1] = 4 * style->width * known[i].gap + style->width;
        }
    if (strcmp(name, "dotted") == 0) style->dash_count = 2, style->dashes[0] = 0.01f, style->dashes[1] = 2 * style->width;
}

/// Sets the look. Returns the name of the pressure curve.
static const char *set_style(struct shaper *shaper, const json_t *kinds) {
    struct offstage_ink_style style = {.tool = OFFSTAGE_INK_PEN, .color = {0, 0, 0, 255}};
    const json_t *look = json_object_get(kinds, "smooth");
    if (!look) look = json_object_get(kinds, "rough");
    if (!look) {
        look = json_object_get(kinds, "textured");
        if (look) style.tool = OFFSTAGE_INK_PENCIL;
    }
    style.width = (float)(member_within(look, "stroke_width", 2, 0, 1e4) * affine_scale(&shaper->map));
    const json_t *color = json_object_get(look, "stroke_color"), *fill = json_object_get(look, "fill_color");
    if (json_is_null(color)) style.width = 0;
    else if (color) rnote_color(color, style.color);
    memset(shaper->fill, 0, sizeof shaper->fill);
    if (json_is_object(fill)) rnote_color(fill, shaper->fill);
    set_dashes(&style, member_text(look, "line_style"));
    style.width_pressure = 1;
    shaper->style = style;
    return member_text(look, "pressure_curve");
}

/// Adds a part of a path that ends at an element. Version 0.5 uses different names for the same values.
static void add_segment(struct shaper *shaper, const json_t *segment, const char *curve, bool *has_begun) {
    const char *key;
    json_t *part;
    json_object_foreach((json_t *)segment, key, part) {
        const json_t *start = json_object_get(part, "start"), *end = json_object_get(part, "end");
        if (!end) end = json_object_get(part, "element");
        double x, y, control[2][2];
        if (!*has_begun && start && read_pair(json_object_get(start, "pos"), &x, &y)) {
            shape_move(shaper, x, y, press(curve, member_number(start, "pressure", 0.5)));
            *has_begun = true;
        }
        if (!read_pair(json_object_get(end, "pos"), &x, &y)) {
            shaper->document->facts |= OFFSTAGE_INK_HAS_BAD_POINTS;
            continue;
        }
        double pressure = press(curve, member_number(end, "pressure", 0.5));
        bool has_first = read_pair(json_object_get(part, "cp1"), &control[0][0], &control[0][1]);
        bool has_second = read_pair(json_object_get(part, "cp2"), &control[1][0], &control[1][1]);
        if (!*has_begun) shape_move(shaper, x, y, pressure);
        else if (has_first && has_second) shape_cubic(shaper, control[0], control[1], x, y, pressure);
        else if (read_pair(json_object_get(part, "cp"), &control[0][0], &control[0][1]))
            shape_quad(shaper, control[0], x, y, pressure);
        else shape_line(shaper, x, y, pressure);
        *has_begun = true;
    }
}

static void add_brush_stroke(struct shaper *shaper, const json_t *stroke) {
    const char *curve = set_style(shaper, json_object_get(stroke, "style"));
    const json_t *path = json_object_get(stroke, "path"), *start = json_object_get(path, "start"), *segment;
    const json_t *segments = json_is_array(path) ? path : json_object_get(path, "segments");
    double x, y;
    bool has_begun = start && read_pair(json_object_get(start, "pos"), &x, &y);
    if (has_begun) shape_move(shaper, x, y, press(curve, member_number(start, "pressure", 0.5)));
    size_t index;
    json_array_foreach(segments, index, segment) add_segment(shaper, segment, curve, &has_begun);
    shape_end(shaper);
}

static void add_arrow(struct shaper *shaper, double x1, double y1, double x2, double y2, double width) {
    double length = hypot(x2 - x1, y2 - y1), tip = 10 * (1 + 0.18 * width), angle = atan2(y2 - y1, length > 0 ? x2 - x1 : 1);
    shape_move(shaper, x1, y1, 1);
    shape_line(shaper, x2, y2, 1);
    shape_end(shaper);
    for (int side = -1; side <= 1; side += 2) {
        double turn = angle + side * 13.0 / 16 * 3.14159265358979;
        if (side < 0) shape_move(shaper, x2 + tip * cos(turn), y2 + tip * sin(turn), 1), shape_line(shaper, x2, y2, 1);
        else shape_line(shaper, x2 + tip * cos(turn), y2 + tip * sin(turn), 1);
    }
    shape_end(shaper);
}

static void add_box(struct shaper *shaper, const json_t *shape, bool is_ellipse) {
    struct affine old = shaper->map;
    const json_t *turn = json_object_get(shape, "transform");
    if (!turn) turn = json_object_get(shape, "affine");
    double across, down;
    const json_t *size =
        is_ellipse ? json_object_get(shape, "radii") : json_object_get(json_object_get(shape, "cuboid"), "half_extents");
    shaper->map = affine_product(old, affine_of(turn));
    if (read_pair(size, &across, &down)) {
        if (is_ellipse) shape_ellipse(shaper, 0, 0, across, down);
        else shape_rectangle(shaper, -across, -down, across, down, 0);
    } else shaper->document->facts |= OFFSTAGE_INK_HAS_BAD_POINTS;
    shape_end(shaper);
    shaper->map = old;
}

/// A line, an arrow, a curve, or a polyline.
static void add_open_shape(struct shaper *shaper, const char *kind, const json_t *shape, double width) {
    double x, y, x2, y2, control[2][2];
    if (!read_pair(json_object_get(shape, "start"), &x, &y)) {
        shaper->document->facts |= OFFSTAGE_INK_HAS_BAD_POINTS;
        return;
    }
    const json_t *end = json_object_get(shape, "end"), *path = json_object_get(shape, "path"), *corner;
    if (!end) end = json_object_get(shape, "tip");
    bool has_end = read_pair(end, &x2, &y2);
    if (strcmp(kind, "arrow") == 0 && has_end) return add_arrow(shaper, x, y, x2, y2, width);
    shape_move(shaper, x, y, 1);
    size_t index;
    json_array_foreach(path, index, corner) {
        double px, py;
        if (read_pair(corner, &px, &py)) shape_line(shaper, px, py, 1);
    }
    if (strcmp(kind, "polygon") == 0) shape_line(shaper, x, y, 1);
    if (has_end && read_pair(json_object_get(shape, "cp1"), &control[0][0], &control[0][1])
        && read_pair(json_object_get(shape, "cp2"), &control[1][0], &control[1][1]))
        shape_cubic(shaper, control[0], control[1], x2, y2, 1);
    else if (has_end && read_pair(json_object_get(shape, "cp"), &control[0][0], &control[0][1]))
        shape_quad(shaper, control[0], x2, y2, 1);
    else if (has_end) shape_line(shaper, x2, y2, 1);
    shape_end(shaper);
}

static void add_shape(struct shaper *shaper, const json_t *stroke) {
    set_style(shaper, json_object_get(stroke, "style"));
    shaper->style.width_pressure = 0;
    double width = shaper->style.width / fmax(affine_scale(&shaper->map), 1e-6);
    const char *kind;
    json_t *shape;
    json_object_foreach(json_object_get(stroke, "shape"), kind, shape) {
        if (strcmp(kind, "rect") == 0) add_box(shaper, shape, false);
        else if (strcmp(kind, "ellipse") == 0) add_box(shaper, shape, true);
        else add_open_shape(shaper, kind, shape, width);
    }
}

static void add_text(struct shaper *shaper, const json_t *stroke) {
    const json_t *style = json_object_get(stroke, "text_style");
    const char *family = member_text(style, "font_family"), *alignment = member_text(style, "alignment");
    char font[128];
    size_t length = strnlen(*family ? family : "serif", 64);
    memcpy(font, *family ? family : "serif", length);
    strcpy(font + length, member_number(style, "font_weight", 500) >= 600 ? " Bold" : "");
    if (member_is(style, "font_style", "italic")) strcat(font, " Italic");
    struct board_text text = {
        .text = member_text(stroke, "text"), .font = font, .size = member_within(style, "font_size", 32, 0, 1e4),
        .width = member_within(style, "max_width", 0, 0, 1e6), .color = {0, 0, 0, 255},
        .map = affine_product(shaper->map, affine_of(json_object_get(stroke, "transform")))};
    text.alignment = strcmp(alignment, "center") == 0 ? 0.5 : strcmp(alignment, "end") == 0 ? 1 : 0;
    const json_t *color = json_object_get(style, "color");
    if (color) rnote_color(color, text.color);
    board_add_text(shaper->document, &text);
}

static void add_image(struct shaper *shaper, const json_t *stroke) {
    const json_t *image = json_object_get(stroke, "image"), *box = json_object_get(stroke, "rectangle");
    const json_t *data = json_object_get(image, "data"), *turn = json_object_get(box, "transform");
    if (!turn) turn = json_object_get(box, "affine");
    double across, down;
    if (!json_is_string(data) || !read_pair(json_object_get(json_object_get(box, "cuboid"), "half_extents"), &across, &down)) {
        shaper->document->facts |= OFFSTAGE_INK_HAS_BAD_IMAGE;
        return;
    }
    // Rotates around the middle.
    struct affine map = affine_product(
        affine_product(shaper->map, affine_of(turn)), (struct affine){2 * across, 0, 0, 2 * down, -across, -down});
    const char *text = json_string_value(data);
    size_t count = json_string_length(data);
    double width = member_within(image, "pixel_width", 0, 0, 1e6), height = member_within(image, "pixel_height", 0, 0, 1e6);
    if (width * height * 4 <= (double)count * 0.75) {
        board_add_pixels(shaper->document, text, count, (uint32_t)width, (uint32_t)height, &map);
    } else board_add_image(shaper->document, text, count, &map);
}

void rnote_add(struct shaper *shaper, const json_t *component) {
    const char *kind;
    json_t *stroke;
    json_object_foreach((json_t *)component, kind, stroke) {
        if (strcmp(kind, "brushstroke") == 0) add_brush_stroke(shaper, stroke);
        else if (strcmp(kind, "shapestroke") == 0) add_shape(shaper, stroke);
        else if (strcmp(kind, "textstroke") == 0) add_text(shaper, stroke);
        else if (strcmp(kind, "bitmapimage") == 0) add_image(shaper, stroke);
        else shaper->document->facts |= strcmp(kind, "vectorimage") == 0 ? OFFSTAGE_INK_HAS_VECTORS : OFFSTAGE_INK_HAS_OTHER;
    }
}
