// The shapes of tldraw's files.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "numbers.h"
#include "tldraw.h"
#include "values.h"

static void set_color(const char *name, uint8_t color[4]) {
    static const char *const known[][2] = {
        {"black", "#1d1d1d"}, {"grey", "#9fa8b2"}, {"light-violet", "#e085f4"}, {"violet", "#ae3ec9"}, {"blue", "#4465e9"},
        {"light-blue", "#4ba1f1"}, {"yellow", "#f1ac4b"}, {"orange", "#e16919"}, {"green", "#099268"},
        {"light-green", "#4cb05e"}, {"light-red", "#f87777"}, {"red", "#e03131"}, {"white", "#ffffff"}};
    read_color("#1d1d1d", color);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i][0]) == 0) read_color(known[i][1], color);
}

/// The value for a size name: s, m, l or xl.
static double sized(const json_t *props, double small, double medium, double large, double largest) {
    const char *size = member_text(props, "size");
    return *size == 's' ? small : *size == 'l' ? large : *size == 'x' ? largest : medium;
}

static void set_look(struct shaper *shaper, const json_t *props, double opacity) {
    struct offstage_ink_style style = {.tool = OFFSTAGE_INK_PEN};
    double line = sized(props, 2, 3.5, 5, 10) * member_within(props, "scale", 1, 0.01, 100);
    style.width = (float)(line * affine_scale(&shaper->map));
    set_color(member_text(props, "color"), style.color);
    memcpy(shaper->fill, style.color, 4);
    const char *fill = member_text(props, "fill"), *dash = member_text(props, "dash");
    bool is_pale = strcmp(fill, "solid") == 0 || strcmp(fill, "pattern") == 0 || strcmp(fill, "lined-fill") == 0;
    for (int i = 0; i < 3 && is_pale; i++) shaper->fill[i] = (uint8_t)(255 - (255 - shaper->fill[i]) / 5);
    if (strcmp(fill, "semi") == 0) memset(shaper->fill, 0xFC, 3);
    shaper->fill[3] = is_pale || strcmp(fill, "semi") == 0 || strcmp(fill, "fill") == 0 ? (uint8_t)(255 * opacity) : 0;
    style.color[3] = (uint8_t)(255 * opacity);
    if (strcmp(dash, "dashed") == 0) style.dash_count = 2, style.dashes[0] = 2 * style.width, style.dashes[1] = 2 * style.width;
    if (strcmp(dash, "dotted") == 0) style.dash_count = 2, style.dashes[0] = 0.01f, style.dashes[1] = 2 * style.width;
    shaper->style = style;
}

/// A freehand line while its points are read.
struct drawn_line {
    struct shaper *shaper;
    bool is_pen, has_points;
    double first[2], scale[2];
};

static void take_point(void *context, double x, double y, double pressure) {
    struct drawn_line *line = context;
    x *= line->scale[0], y *= line->scale[1];
    if (!isfinite(x) || !isfinite(y)) {
        line->shaper->document->facts |= OFFSTAGE_INK_HAS_BAD_POINTS;
        return;
    }
    pressure = line->is_pen && pressure >= 0 ? fmin(pressure, 1) * 2 : 1;
    if (!line->has_points) shape_move(line->shaper, x, y, pressure), line->first[0] = x, line->first[1] = y;
    else shape_line(line->shaper, x, y, pressure);
    line->has_points = true;
}

static void add_drawn(struct tldraw *drawing, const json_t *props, bool is_highlight) {
    struct shaper *shaper = &drawing->shaper;
    const json_t *segment;
    size_t i;
    struct drawn_line line = {.shaper = shaper, .is_pen = json_is_true(json_object_get(props, "isPen"))};
    line.scale[0] = member_within(props, "scaleX", 1, -1e4, 1e4), line.scale[1] = member_within(props, "scaleY", 1, -1e4, 1e4);
    shaper->count = 0;
    json_array_foreach(json_object_get(props, "segments"), i, segment) tldraw_points(segment, take_point, &line);
    if (!line.has_points) {
        drawing->document->facts |= OFFSTAGE_INK_HAS_OTHER;
        return;
    }
    if (json_is_true(json_object_get(props, "isClosed"))) shape_line(shaper, line.first[0], line.first[1], 1);
    else shaper->fill[3] = 0;
    if (line.is_pen) shaper->style.width_pressure = 0.6f;
    shaper->style.smoothing = 0.5f;
    if (is_highlight) {
        shaper->style.tool = OFFSTAGE_INK_HIGHLIGHTER;
        shaper->style.width = (float)(sized(props, 18, 28, 36, 48) * affine_scale(&shaper->map));
        shaper->style.color[3] = 130;
    }
    shape_end(shaper);
}

/// Appends the text of a shape: plain, or the paragraphs of a rich text.
static void gather(const json_t *node, char *text, size_t room, int depth) {
    const json_t *child;
    size_t index, used = strlen(text);
    const char *own = member_text(node, "text");
    if (used + strlen(own) + 2 < room) strcpy(text + used, own);
    json_array_foreach(json_object_get(node, "content"), index, child)
        if (depth < TLDRAW_DEEPEST) gather(child, text, room, depth + 1);
    used = strlen(text);
    if (member_is(node, "type", "paragraph") && used + 2 < room) strcpy(text + used, "\n");
}

static void add_text(struct tldraw *drawing, const json_t *props, double width, double height, double size, const uint8_t color[4]) {
    static char text[65536];
    text[0] = 0;
    const char *plain = member_text(props, "text"), *align = member_text(props, "align"), *font = member_text(props, "font");
    if (*plain) strncpy(text, plain, sizeof text - 1);
    else gather(json_object_get(props, "richText"), text, sizeof text, 0);
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n') text[--length] = 0;
    if (length == 0) return;
    struct board_text board = {
        .text = text, .font = strcmp(font, "mono") == 0 ? "Mono" : strcmp(font, "serif") == 0 ? "Serif" : "Sans",
        .size = size, .width = width, .map = drawing->shaper.map};
    board.alignment = strncmp(align, "middle", 6) == 0 || (!*align && height > 0) ? 0.5 : strncmp(align, "end", 3) == 0 ? 1 : 0;
    memcpy(board.color, color, 4);
    if (height > 0) {
        // Centred, assuming that no line is broken again.
        size_t lines = 1;
        for (const char *at = text; *at; at++) lines += *at == '\n';
        board.map = affine_product(board.map, affine_moved(0, fmax(0, (height - 1.2 * size * (double)lines) / 2)));
    }
    board_add_text(drawing->document, &board);
}

/// Adds a path through corners, whose positions are fractions of the box.
static void add_corners(struct shaper *shaper, double width, double height, const double (*corners)[2], size_t count) {
    for (size_t i = 0; i <= count; i++) {
        const double *corner = corners[i % count];
        if (i == 0) shape_move(shaper, corner[0] * width, corner[1] * height, 1);
        else shape_line(shaper, corner[0] * width, corner[1] * height, 1);
    }
}

static void add_geometry(struct tldraw *drawing, const json_t *props) {
    struct shaper *shaper = &drawing->shaper;
    const char *kind = member_text(props, "geo");
    double width = member_within(props, "w", 100, 0, 1e6), height = member_within(props, "h", 100, 0, 1e6);
    height += member_within(props, "growY", 0, 0, 1e6);
    static const double triangle[][2] = {{0.5, 0}, {1, 1}, {0, 1}}, diamond[][2] = {{0.5, 0}, {1, 0.5}, {0.5, 1}, {0, 0.5}};
    static const double hexagon[][2] = {{0.25, 0}, {0.75, 0}, {1, 0.5}, {0.75, 1}, {0.25, 1}, {0, 0.5}};
    static const double pentagon[][2] = {{0.5, 0}, {1, 0.382}, {0.809, 1}, {0.191, 1}, {0, 0.382}};
    static const double slanted[][2] = {{0.25, 0}, {1, 0}, {0.75, 1}, {0, 1}};
    if (strcmp(kind, "ellipse") == 0) shape_ellipse(shaper, width / 2, height / 2, width / 2, height / 2);
    else if (strcmp(kind, "oval") == 0) shape_rectangle(shaper, 0, 0, width, height, fmin(width, height) / 2);
    else if (strcmp(kind, "triangle") == 0) add_corners(shaper, width, height, triangle, 3);
    else if (strcmp(kind, "diamond") == 0) add_corners(shaper, width, height, diamond, 4);
    else if (strcmp(kind, "hexagon") == 0) add_corners(shaper, width, height, hexagon, 6);
    else if (strcmp(kind, "pentagon") == 0) add_corners(shaper, width, height, pentagon, 5);
    else if (strcmp(kind, "rhombus") == 0) add_corners(shaper, width, height, slanted, 4);
    else {
        // Clouds, stars and thick arrows are drawn as boxes.
        bool is_box = strcmp(kind, "rectangle") == 0 || strcmp(kind, "check-box") == 0 || strcmp(kind, "x-box") == 0;
        if (!is_box) drawing->document->facts |= OFFSTAGE_INK_HAS_OTHER;
        shape_rectangle(shaper, 0, 0, width, height, 0);
    }
    uint8_t color[4];
    set_color(*member_text(props, "labelColor") ? member_text(props, "labelColor") : "black", color);
    shape_end(shaper);
    add_text(drawing, props, width, height, sized(props, 18, 22, 26, 32), color);
}

struct corner {
    const char *index;
    double x, y;
};

static int compare_corners(const void *a, const void *b) {
    return strcmp(((const struct corner *)a)->index, ((const struct corner *)b)->index);
}

static void add_line(struct tldraw *drawing, const json_t *props) {
    struct shaper *shaper = &drawing->shaper;
    json_t *points = json_object_get(props, "points"), *value;
    if (!points) points = json_object_get(props, "handles");
    size_t count = json_object_size(points), used = 0;
    struct corner *corners = calloc(count + 1, sizeof *corners);
    const char *key;
    if (!corners) return document_stop(drawing->document, OFFSTAGE_WIRE_NO_MEMORY, 0, 0);
    json_object_foreach(points, key, value) {
        struct corner corner = {member_text(value, "index"), 0, 0};
        if (read_pair(value, &corner.x, &corner.y)) corners[used++] = corner;
    }
    qsort(corners, used, sizeof *corners, compare_corners);
    for (size_t i = 0; i < used; i++)
        if (i == 0) shape_move(shaper, corners[i].x, corners[i].y, 1);
        else shape_line(shaper, corners[i].x, corners[i].y, 1);
    free(corners);
    shaper->fill[3] = 0;
    if (member_is(props, "spline", "cubic")) shaper->style.smoothing = 1;
    shape_end(shaper);
}

static void add_head(struct shaper *shaper, const char *kind, double x, double y, double angle, double size) {
    if (!*kind || strcmp(kind, "none") == 0) return;
    shape_move(shaper, x - size * cos(angle - 0.5), y - size * sin(angle - 0.5), 1);
    shape_line(shaper, x, y, 1);
    shape_line(shaper, x - size * cos(angle + 0.5), y - size * sin(angle + 0.5), 1);
    shape_end(shaper);
}

static void add_arrow(struct tldraw *drawing, const json_t *props) {
    struct shaper *shaper = &drawing->shaper;
    double x1, y1, x2, y2, bend = member_within(props, "bend", 0, -1e5, 1e5);
    if (!read_pair(json_object_get(props, "start"), &x1, &y1) || !read_pair(json_object_get(props, "end"), &x2, &y2)) {
        drawing->document->facts |= OFFSTAGE_INK_HAS_OTHER;
        return;
    }
    double length = hypot(x2 - x1, y2 - y1);
    double nx = length > 0 ? (y2 - y1) / length : 0, ny = length > 0 ? (x1 - x2) / length : 0;
    const double control[2] = {(x1 + x2) / 2 - 2 * bend * nx, (y1 + y2) / 2 - 2 * bend * ny};
    shaper->fill[3] = 0;
    shape_move(shaper, x1, y1, 1);
    shape_quad(shaper, control, x2, y2, 1);
    shape_end(shaper);
    shaper->style.dash_count = 0;
    double size = fmin(length / 3, 4 * sized(props, 2, 3.5, 5, 10) + 4);
    add_head(shaper, member_text(props, "arrowheadEnd"), x2, y2, atan2(y2 - control[1], x2 - control[0]), size);
    add_head(shaper, member_text(props, "arrowheadStart"), x1, y1, atan2(y1 - control[1], x1 - control[0]), size);
}

static void add_note(struct tldraw *drawing, const json_t *props) {
    struct shaper *shaper = &drawing->shaper;
    const uint8_t black[4] = {0x1D, 0x1D, 0x1D, 255};
    double height = 200 + member_within(props, "growY", 0, 0, 1e6);
    set_color(member_text(props, "color"), shaper->fill);
    if (member_is(props, "color", "black")) read_color("#fce19c", shaper->fill);
    shaper->style.width = 0;
    shape_rectangle(shaper, 0, 0, 200, height, 0);
    shape_end(shaper);
    add_text(drawing, props, 200, height, sized(props, 18, 22, 26, 32), black);
}

static void add_image(struct tldraw *drawing, const json_t *props) {
    const char *name = member_text(props, "assetId"), *url = "";
    const json_t *record;
    size_t index;
    json_array_foreach(drawing->records, index, record)
        if (member_is(record, "id", name)) url = member_text(json_object_get(record, "props"), "src");
    const char *bytes = strstr(url, ";base64,");
    double width = member_within(props, "w", 0, 0, 1e6), height = member_within(props, "h", 0, 0, 1e6);
    if (!bytes) {
        drawing->document->facts |= OFFSTAGE_INK_HAS_BAD_IMAGE;
        return;
    }
    struct affine map = affine_product(drawing->shaper.map, (struct affine){width, 0, 0, height, 0, 0});
    board_add_image(drawing->document, bytes + 8, strlen(bytes + 8), &map);
}

void tldraw_add(struct tldraw *drawing, const json_t *shape) {
    const json_t *props = json_object_get(shape, "props");
    const char *type = member_text(shape, "type");
    set_look(&drawing->shaper, props, member_within(shape, "opacity", 1, 0, 1));
    if (strcmp(type, "draw") == 0 || strcmp(type, "highlight") == 0) add_drawn(drawing, props, *type == 'h');
    else if (strcmp(type, "geo") == 0) add_geometry(drawing, props);
    else if (strcmp(type, "line") == 0) add_line(drawing, props);
    else if (strcmp(type, "arrow") == 0) add_arrow(drawing, props);
    else if (strcmp(type, "note") == 0) add_note(drawing, props);
    else if (strcmp(type, "image") == 0) add_image(drawing, props);
    else if (strcmp(type, "text") == 0) {
        double scale = member_within(props, "scale", 1, 0.01, 100);
        bool is_free = json_is_true(json_object_get(props, "autoSize"));
        add_text(drawing, props, is_free ? 0 : member_within(props, "w", 0, 0, 1e6), 0, sized(props, 18, 24, 36, 44) * scale,
                 drawing->shaper.style.color);
    } else if (strcmp(type, "group") != 0) drawing->document->facts |= OFFSTAGE_INK_HAS_OTHER;
}
