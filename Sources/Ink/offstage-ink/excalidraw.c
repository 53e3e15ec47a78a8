// Excalidraw's drawings. Hand-drawn lines are drawn plain, and hatched insides as a pale area.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "numbers.h"
#include "text.h"
#include "values.h"

struct drawing {
    struct document *document;
    struct shaper shaper;
    const json_t *files;
};

static void read_css(const json_t *element, const char *key, const char *otherwise, double opacity, uint8_t color[4]) {
    const char *text = member_text(element, key);
    if (strcmp(text, "transparent") == 0) {
        memset(color, 0, 4);
        return;
    }
    if (!read_color(text, color)) read_color(otherwise, color);
    color[3] = (uint8_t)(color[3] * opacity + 0.5);
}

/// Sets the look of an element. The map starts at the element's upper left corner, and rotates around its middle.
static void set_look(struct drawing *drawing, const json_t *element) {
    struct shaper *shaper = &drawing->shaper;
    double x = member_within(element, "x", 0, -1e6, 1e6), y = member_within(element, "y", 0, -1e6, 1e6);
    double width = member_within(element, "width", 0, -1e6, 1e6), height = member_within(element, "height", 0, -1e6, 1e6);
    double opacity = member_within(element, "opacity", 100, 0, 100) / 100;
    const struct affine px = {PX, 0, 0, PX, 0, 0};
    struct affine turned = affine_turned(member_within(element, "angle", 0, -100, 100), x + width / 2, y + height / 2);
    shaper->map = affine_product(affine_product(px, turned), affine_moved(x, y));
    struct offstage_ink_style style = {.tool = OFFSTAGE_INK_PEN};
    style.width = (float)(member_within(element, "strokeWidth", 2, 0, 1000) * PX);
    read_css(element, "strokeColor", "#1e1e1e", opacity, style.color);
    if (style.color[3] == 0) style.width = 0;
    float line = style.width;
    if (member_is(element, "strokeStyle", "dashed")) style.dash_count = 2, style.dashes[0] = 6, style.dashes[1] = 6 + line;
    if (member_is(element, "strokeStyle", "dotted")) style.dash_count = 2, style.dashes[0] = 1, style.dashes[1] = 4.5f + line;
    shaper->style = style;
    read_css(element, "backgroundColor", "#ffffff00", opacity, shaper->fill);
    const char *fill = member_text(element, "fillStyle");
    if (*fill && strcmp(fill, "solid") != 0) shaper->fill[3] = (uint8_t)(shaper->fill[3] * 2 / 5);
}

static double corner(const json_t *element, double width, double height) {
    const json_t *roundness = json_object_get(element, "roundness");
    double side = fmin(fabs(width), fabs(height));
    if (!json_is_object(roundness)) return member_is(element, "strokeSharpness", "round") ? side / 4 : 0;
    if (member_number(roundness, "type", 0) == 3) return fmin(member_within(roundness, "value", 32, 0, 1e4), side / 4);
    return side / 4;
}

static void add_closed(struct drawing *drawing, const json_t *element, const char *type) {
    struct shaper *shaper = &drawing->shaper;
    double width = member_within(element, "width", 0, -1e6, 1e6), height = member_within(element, "height", 0, -1e6, 1e6);
    if (strcmp(type, "ellipse") == 0) shape_ellipse(shaper, width / 2, height / 2, width / 2, height / 2);
    else if (strcmp(type, "diamond") == 0) {
        shape_move(shaper, width / 2, 0, 1);
        shape_line(shaper, width, height / 2, 1);
        shape_line(shaper, width / 2, height, 1);
        shape_line(shaper, 0, height / 2, 1);
        shape_line(shaper, width / 2, 0, 1);
    } else shape_rectangle(shaper, fmin(0, width), fmin(0, height), fmax(0, width), fmax(0, height), corner(element, width, height));
    shape_end(shaper);
}

/// Adds the arrowhead at the end of a line from one point to another.
static void add_head(struct drawing *drawing, const char *kind, const double from[2], const double to[2], double length) {
    struct shaper *shaper = &drawing->shaper;
    double before = hypot(to[0] - from[0], to[1] - from[1]), angle = atan2(to[1] - from[1], to[0] - from[0]);
    double size = fmin(strcmp(kind, "arrow") == 0 ? 30 : 15, length / 2), spread = strcmp(kind, "arrow") == 0 ? 0.349 : 0.436;
    if (!(before > 0) || *kind == 0) return;
    uint8_t fill[4];
    memcpy(fill, shaper->fill, 4);
    shaper->style.dash_count = 0;
    memset(shaper->fill, 0, 4);
    bool is_open = strstr(kind, "outline") != NULL;
    if (!is_open && strcmp(kind, "arrow") != 0 && strcmp(kind, "bar") != 0) memcpy(shaper->fill, shaper->style.color, 4);
    const double back[2] = {to[0] - size * cos(angle), to[1] - size * sin(angle)};
    if (strncmp(kind, "dot", 3) == 0 || strncmp(kind, "circle", 6) == 0) {
        shape_ellipse(shaper, (to[0] + back[0]) / 2, (to[1] + back[1]) / 2, size / 2, size / 2);
    } else if (strcmp(kind, "bar") == 0) {
        shape_move(shaper, to[0] - size / 2 * sin(angle), to[1] + size / 2 * cos(angle), 1);
        shape_line(shaper, to[0] + size / 2 * sin(angle), to[1] - size / 2 * cos(angle), 1);
    } else {
        shape_move(shaper, to[0] - size * cos(angle - spread), to[1] - size * sin(angle - spread), 1);
        shape_line(shaper, to[0], to[1], 1);
        shape_line(shaper, to[0] - size * cos(angle + spread), to[1] - size * sin(angle + spread), 1);
        if (strncmp(kind, "diamond", 7) == 0) shape_line(shaper, to[0] - 2 * size * cos(angle), to[1] - 2 * size * sin(angle), 1);
        if (strcmp(kind, "arrow") != 0) shape_line(shaper, to[0] - size * cos(angle - spread), to[1] - size * sin(angle - spread), 1);
    }
    shape_end(shaper);
    memcpy(shaper->fill, fill, 4);
}

static void add_line(struct drawing *drawing, const json_t *element, const char *type) {
    struct shaper *shaper = &drawing->shaper;
    const json_t *points = json_object_get(element, "points"), *value;
    size_t count = json_array_size(points), index;
    double place[2], first[2] = {0, 0}, last[2] = {0, 0}, length = 0;
    bool has_begun = false;
    json_array_foreach(points, index, value) {
        if (!read_pair(value, &place[0], &place[1])) {
            drawing->document->facts |= OFFSTAGE_INK_HAS_BAD_POINTS;
            continue;
        }
        if (has_begun) shape_line(shaper, place[0], place[1], 1), length += hypot(place[0] - last[0], place[1] - last[1]);
        else shape_move(shaper, place[0], place[1], 1), memcpy(first, place, sizeof first);
        has_begun = true;
        memcpy(last, place, sizeof last);
    }
    bool is_closed = count > 3 && hypot(last[0] - first[0], last[1] - first[1]) < 8;
    if (!is_closed) shaper->fill[3] = 0;
    if (count > 2 && (json_is_object(json_object_get(element, "roundness")) || member_is(element, "strokeSharpness", "round")))
        shaper->style.smoothing = 1;
    shape_end(shaper);
    shaper->style.smoothing = 0;
    if (strcmp(type, "arrow") != 0 && !json_object_get(element, "endArrowhead")) return;
    double second[2], before[2];
    if (count < 2 || !read_pair(json_array_get(points, 1), &second[0], &second[1])
        || !read_pair(json_array_get(points, count - 2), &before[0], &before[1]))
        return;
    add_head(drawing, member_text(element, "endArrowhead"), before, last, length);
    add_head(drawing, member_text(element, "startArrowhead"), second, first, length);
}

/// Uses perfect-freehand's widths: a pen of 4.25 times the line's width.
static void add_freehand(struct drawing *drawing, const json_t *element) {
    struct shaper *shaper = &drawing->shaper;
    const json_t *points = json_object_get(element, "points"), *pressures = json_object_get(element, "pressures"), *value;
    size_t count = json_array_size(points), index;
    bool has_pressure = json_array_size(pressures) > 0 && !json_is_true(json_object_get(element, "simulatePressure"));
    double x, y, first[2] = {0, 0}, last[2] = {0, 0};
    shaper->count = 0;
    json_array_foreach(points, index, value) {
        if (!read_pair(value, &x, &y)) {
            drawing->document->facts |= OFFSTAGE_INK_HAS_BAD_POINTS;
            continue;
        }
        double pressure = has_pressure ? fmin(fmax(value_number(json_array_get(pressures, index), 0.5), 0), 1) * 2 : 1;
        if (shaper->count == 0) shape_move(shaper, x, y, pressure), first[0] = x, first[1] = y;
        else shape_line(shaper, x, y, pressure);
        // As if a pen had been sampled 120 times per second.
        if (shaper->count > 0) shaper->points[shaper->count - 1].time = (float)index / 120;
        last[0] = x, last[1] = y;
    }
    if (count < 4 || hypot(last[0] - first[0], last[1] - first[1]) >= 8) shaper->fill[3] = 0;
    shaper->style.width *= 4.25f;
    shaper->style.smoothing = 0.5f;
    shaper->style.dash_count = 0;
    if (has_pressure) shaper->style.width_pressure = 0.6f;
    else shaper->style.width_speed = 0.6f;
    shape_end(shaper);
}

static void add_text(struct drawing *drawing, const json_t *element) {
    int family = (int)member_within(element, "fontFamily", 1, 0, 100);
    const char *alignment = member_text(element, "textAlign");
    struct board_text text = {
        .text = member_text(element, "text"), .font = family == 3 || family == 8 ? "Mono" : "Sans",
        .size = member_within(element, "fontSize", 20, 0, 1e4), .map = drawing->shaper.map};
    memcpy(text.color, drawing->shaper.style.color, 4);
    // The text is already broken into lines.
    double width = member_within(element, "width", 0, 0, 1e6), own = 0;
    for (const char *at = text.text; at;) {
        const char *newline = strchr(at, '\n');
        own = fmax(own, text_width(text.font, text.size, at, newline ? (size_t)(newline - at) : strlen(at)));
        at = newline ? newline + 1 : NULL;
    }
    // The font differs, so use narrower letters that fit.
    if (width > 0 && own > width) text.size *= fmax(width / own, 0.5);
    text.alignment = strcmp(alignment, "center") == 0 ? 0.5 : strcmp(alignment, "right") == 0 ? 1 : 0;
    if (text.alignment > 0) text.width = fmax(width, own * 0.5);
    board_add_text(drawing->document, &text);
}

static void add_image(struct drawing *drawing, const json_t *element) {
    const json_t *data = json_object_get(json_object_get(drawing->files, member_text(element, "fileId")), "dataURL");
    const char *url = json_is_string(data) ? json_string_value(data) : NULL, *bytes = url ? strstr(url, ";base64,") : NULL;
    double width = member_within(element, "width", 0, 0, 1e6), height = member_within(element, "height", 0, 0, 1e6);
    if (!bytes) {
        drawing->document->facts |= OFFSTAGE_INK_HAS_BAD_IMAGE;
        return;
    }
    struct affine map = affine_product(drawing->shaper.map, (struct affine){width, 0, 0, height, 0, 0});
    board_add_image(drawing->document, bytes + 8, strlen(bytes + 8), &map);
}

static void add_element(struct drawing *drawing, const json_t *element) {
    const char *type = member_text(element, "type");
    if (json_is_true(json_object_get(element, "isDeleted"))) {
        drawing->document->facts |= OFFSTAGE_INK_HAS_HIDDEN;
        return;
    }
    set_look(drawing, element);
    if (strcmp(type, "rectangle") == 0 || strcmp(type, "ellipse") == 0 || strcmp(type, "diamond") == 0)
        add_closed(drawing, element, type);
    else if (strcmp(type, "line") == 0 || strcmp(type, "arrow") == 0) add_line(drawing, element, type);
    else if (strcmp(type, "freedraw") == 0 || strcmp(type, "draw") == 0) add_freehand(drawing, element);
    else if (strcmp(type, "text") == 0) add_text(drawing, element);
    else if (strcmp(type, "image") == 0) add_image(drawing, element);
    else if (strcmp(type, "selection") != 0) drawing->document->facts |= OFFSTAGE_INK_HAS_OTHER;
}

bool read_excalidraw(struct document *document, const json_t *root) {
    const json_t *elements = json_object_get(root, "elements"), *element;
    if (strncmp(member_text(root, "type"), "excalidraw", 10) != 0 || !json_is_array(elements)) return false;
    struct drawing drawing = {.document = document, .shaper = {.document = document}, .files = json_object_get(root, "files")};
    document->format = OFFSTAGE_INK_EXCALIDRAW;
    if (!document_add_page(document, 1, 1)) return true;
    uint8_t paper[4];
    if (read_color(member_text(json_object_get(root, "appState"), "viewBackgroundColor"), paper) && paper[3] > 0)
        memcpy(document->pages[0].head.color, paper, 3);
    document_add_layer(document, NULL);
    size_t index;
    json_array_foreach(elements, index, element) {
        if (document->failure) break;
        add_element(&drawing, element);
    }
    document_fit_page(document, 0, 1, 12);
    shape_free(&drawing.shaper);
    return true;
}
