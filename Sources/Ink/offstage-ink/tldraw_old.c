// Files of tldraw's first version: pages with named shapes.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "numbers.h"
#include "tldraw.h"
#include "values.h"

static void set_color(const char *name, uint8_t color[4]) {
    static const char *const known[][2] = {
        {"white", "#f0f1f3"}, {"lightGray", "#c6cbd1"}, {"gray", "#788492"}, {"black", "#1d1d1d"}, {"green", "#36b24d"},
        {"cyan", "#0e98ad"}, {"blue", "#1c7ed6"}, {"indigo", "#4263eb"}, {"violet", "#7746f1"}, {"red", "#ff2133"},
        {"orange", "#ff9433"}, {"yellow", "#ffc936"}};
    read_color("#1d1d1d", color);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i][0]) == 0) read_color(known[i][1], color);
}

static void set_look(struct shaper *shaper, const json_t *look) {
    struct offstage_ink_style style = {.tool = OFFSTAGE_INK_PEN};
    const char *size = member_text(look, "size"), *dash = member_text(look, "dash");
    style.width = (float)((strcmp(size, "small") == 0 ? 2 : strcmp(size, "large") == 0 ? 5 : 3.5) * affine_scale(&shaper->map));
    set_color(member_text(look, "color"), style.color);
    memcpy(shaper->fill, style.color, 4);
    for (int i = 0; i < 3; i++) shaper->fill[i] = (uint8_t)(255 - (255 - shaper->fill[i]) / 5);
    shaper->fill[3] = json_is_true(json_object_get(look, "isFilled")) ? 255 : 0;
    if (strcmp(dash, "dashed") == 0) style.dash_count = 2, style.dashes[0] = 2 * style.width, style.dashes[1] = 2 * style.width;
    if (strcmp(dash, "dotted") == 0) style.dash_count = 2, style.dashes[0] = 0.01f, style.dashes[1] = 2 * style.width;
    shaper->style = style;
}

static void take_point(void *context, double x, double y, double pressure) {
    struct shaper *shaper = context;
    if (!isfinite(x) || !isfinite(y)) {
        shaper->document->facts |= OFFSTAGE_INK_HAS_BAD_POINTS;
        return;
    }
    pressure = pressure >= 0 && pressure <= 1 ? 2 * pressure : 1;
    if (shaper->count == 0) shape_move(shaper, x, y, pressure);
    else shape_line(shaper, x, y, pressure);
}

static void add_text(struct tldraw *drawing, const json_t *shape, const char *key, double width, double size, bool is_centered) {
    struct board_text text = {
        .text = member_text(shape, key), .font = "Sans", .size = size, .width = width, .map = drawing->shaper.map,
        .alignment = is_centered ? 0.5 : 0};
    memcpy(text.color, drawing->shaper.style.color, 4);
    if (*text.text) board_add_text(drawing->document, &text);
}

static void add_shape(struct tldraw *drawing, const json_t *shape) {
    struct shaper *shaper = &drawing->shaper;
    const char *type = member_text(shape, "type"), *size_name = member_text(json_object_get(shape, "style"), "size");
    double x, y, width = 0, height = 0, scale = member_within(json_object_get(shape, "style"), "scale", 1, 0.01, 100);
    double letters = (strcmp(size_name, "small") == 0 ? 28 : strcmp(size_name, "large") == 0 ? 96 : 48) * scale;
    if (strcmp(type, "group") == 0) return;
    if (!read_pair(json_object_get(shape, "point"), &x, &y)) x = y = 0;
    bool has_size = read_pair(json_object_get(shape, strcmp(type, "ellipse") == 0 ? "radius" : "size"), &width, &height);
    has_size = has_size && fabs(width) <= 1e6 && fabs(height) <= 1e6;
    if (strcmp(type, "ellipse") == 0) width *= 2, height *= 2;
    if (!has_size) width = height = 0;
    const struct affine px = {PX, 0, 0, PX, 0, 0};
    struct affine place = affine_product(
        affine_moved(x, y), affine_turned(member_within(shape, "rotation", 0, -100, 100), width / 2, height / 2));
    shaper->map = affine_product(px, place);
    set_look(shaper, json_object_get(shape, "style"));
    shaper->count = 0;
    if (strcmp(type, "draw") == 0) {
        tldraw_points(shape, take_point, shaper);
        if (shaper->count > 0) {
            shaper->style.smoothing = 0.5f;
            shaper->style.width_pressure = 0.6f;
            shape_end(shaper);
        }
    } else if (strcmp(type, "rectangle") == 0 && has_size) {
        shape_rectangle(shaper, 0, 0, width, height, 0);
        shape_end(shaper);
    } else if (strcmp(type, "ellipse") == 0 && has_size) {
        shape_ellipse(shaper, width / 2, height / 2, width / 2, height / 2);
        shape_end(shaper);
    } else if (strcmp(type, "triangle") == 0 && has_size) {
        shape_move(shaper, width / 2, 0, 1);
        shape_line(shaper, width, height, 1);
        shape_line(shaper, 0, height, 1);
        shape_line(shaper, width / 2, 0, 1);
        shape_end(shaper);
    } else if (strcmp(type, "line") == 0 || strcmp(type, "arrow") == 0) {
        const json_t *handles = json_object_get(shape, "handles");
        for (int i = 0; i < 2; i++) {
            const json_t *end = json_object_get(handles, i == 0 ? "start" : "end");
            if (read_pair(json_object_get(end, "point"), &x, &y)) take_point(shaper, x, y, 0.5);
        }
        shaper->fill[3] = 0;
        shape_end(shaper);
        // Arrowheads and bends are left out.
        if (strcmp(type, "arrow") == 0) drawing->document->facts |= OFFSTAGE_INK_HAS_OTHER;
    } else if (strcmp(type, "text") == 0) add_text(drawing, shape, "text", 0, letters, false);
    else if (strcmp(type, "sticky") == 0 && has_size) {
        memcpy(shaper->fill, (const uint8_t[4]){0xFD, 0xDF, 0x8E, 255}, 4);
        shaper->style.width = 0;
        shape_rectangle(shaper, 0, 0, width, height, 0);
        shape_end(shaper);
        add_text(drawing, shape, "text", width, 24, true);
    } else drawing->document->facts |= OFFSTAGE_INK_HAS_OTHER;
    if (*member_text(shape, "label") && has_size) add_text(drawing, shape, "label", width, 24, true);
}

struct child {
    double index;
    const json_t *shape;
};

static int compare(const void *a, const void *b) {
    double first = ((const struct child *)a)->index, second = ((const struct child *)b)->index;
    return first < second ? -1 : first > second;
}

/// The number in a page's name is its position.
static void add_page(struct document *document, const json_t *page) {
    json_t *shapes = json_object_get(page, "shapes"), *shape;
    struct tldraw drawing = {.document = document, .shaper = {.document = document}};
    struct child *children = calloc(json_object_size(shapes) + 1, sizeof *children);
    size_t number = document->page_count, count = 0;
    const char *key;
    if (!children) return document_stop(document, OFFSTAGE_WIRE_NO_MEMORY, 0, 0);
    if (document_add_page(document, 1, 1)) document_add_layer(document, NULL);
    json_object_foreach(shapes, key, shape) children[count++] = (struct child){member_number(shape, "childIndex", 0), shape};
    qsort(children, count, sizeof *children, compare);
    for (size_t i = 0; i < count && !document->failure; i++) add_shape(&drawing, children[i].shape);
    if (!document->failure) document_fit_page(document, number, 1, 12);
    shape_free(&drawing.shaper);
    free(children);
}

bool read_old_tldraw(struct document *document, const json_t *root) {
    const json_t *own = json_object_get(root, "document");
    json_t *pages = json_object_get(own, "pages"), *page;
    if (!json_is_object(pages) || !json_is_number(json_object_get(own, "version"))) return false;
    const char *key;
    document->format = OFFSTAGE_INK_TLDRAW;
    json_object_foreach(pages, key, page) if (!document->failure) add_page(document, page);
    return true;
}
