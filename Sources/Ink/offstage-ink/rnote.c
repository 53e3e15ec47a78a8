// Rnote's notes: one large sheet, divided into pages.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "rnote.h"
#include "values.h"

/// A stroke in drawing order.
struct component {
    const json_t *value;
    double layer, time;
    size_t index;
};

static int compare(const void *a, const void *b) {
    const struct component *first = a, *second = b;
    if (first->layer != second->layer) return first->layer < second->layer ? -1 : 1;
    if (first->time != second->time) return first->time < second->time ? -1 : 1;
    return first->index < second->index ? -1 : first->index > second->index;
}

/// The layers from bottom to top: the document, images, highlighters, and the user's layers.
static double layer_of(const json_t *layer) {
    const char *name = json_is_string(layer) ? json_string_value(layer) : "";
    if (strcmp(name, "document") == 0) return -3;
    if (strcmp(name, "image") == 0) return -2;
    if (strcmp(name, "highlighter") == 0) return -1;
    const char *number = strrchr(name, '-');
    if (number) return atof(number + 1);
    return member_within(layer, "user_layer", 0, 0, 1e6);
}

static void set_paper(struct offstage_ink_page *page, const json_t *background, double factor) {
    static const struct {
        const char *name;
        enum offstage_ink_ruling ruling;
    } patterns[] = {{"lines", OFFSTAGE_INK_RULED},
                    {"grid", OFFSTAGE_INK_GRAPH},
                    {"dots", OFFSTAGE_INK_DOTTED},
                    {"isometric_grid", OFFSTAGE_INK_ISOMETRIC_GRAPH},
                    {"isometric_dots", OFFSTAGE_INK_ISOMETRIC_DOTTED}};
    const json_t *color = json_object_get(background, "color"), *lines = json_object_get(background, "pattern_color");
    if (json_is_object(color)) rnote_color(color, page->color);
    page->color[3] = 255;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (member_is(background, "pattern", patterns[i].name)) page->ruling = patterns[i].ruling;
    double across, down;
    if (!read_pair(json_object_get(background, "pattern_size"), &across, &down)) down = 32;
    page->spacing = (float)(fmin(fmax(down, 1), 1e5) * factor);
    if (page->ruling == OFFSTAGE_INK_RULED) page->first = page->spacing;
    uint8_t rgba[4] = {204, 230, 255, 255};
    if (json_is_object(lines)) rnote_color(lines, rgba);
    // Paper lines cannot be translucent.
    for (int i = 0; i < 3; i++) rgba[i] = (uint8_t)((rgba[i] * rgba[3] + page->color[i] * (255 - rgba[3]) + 127) / 255);
    rgba[3] = 255;
    memcpy(page->line_color, rgba, 4);
    memcpy(page->dark_line_color, rgba, 4);
}

/// Reads all strokes onto one page, in drawing order.
static void read_sheet(struct document *sheet, const json_t *strokes, const json_t *times, double factor) {
    struct shaper shaper = {.document = sheet, .map = {factor, 0, 0, factor, 0, 0}};
    size_t count = json_array_size(strokes), used = 0;
    struct component *components = calloc(count + 1, sizeof *components);
    if (!components) return document_stop(sheet, OFFSTAGE_WIRE_NO_MEMORY, 0, 0);
    for (size_t i = 0; i < count; i++) {
        const json_t *value = json_object_get(json_array_get(strokes, i), "value");
        const json_t *time = json_object_get(json_array_get(times, i), "value");
        if (!json_is_object(value)) continue;
        components[used++] =
            (struct component){value, layer_of(json_object_get(time, "layer")), member_within(time, "t", 0, 0, 1e18), i};
    }
    qsort(components, used, sizeof *components, compare);
    document_add_page(sheet, 1, 1);
    document_add_layer(sheet, NULL);
    for (size_t i = 0; i < used && !sheet->failure; i++) rnote_add(&shaper, components[i].value);
    free(components);
    shape_free(&shaper);
}

bool read_rnote(struct document *document, const json_t *root) {
    const json_t *data = json_object_get(root, "data");
    const json_t *snapshot = json_object_get(data, "engine_snapshot"), *store = json_object_get(data, "store_snapshot");
    if (!snapshot) snapshot = data;
    if (!store) store = snapshot;
    const json_t *paper = json_object_get(snapshot, "document"), *format = json_object_get(paper, "format");
    const json_t *strokes = json_object_get(store, "stroke_components");
    if (!json_is_array(strokes)) return false;
    document->format = OFFSTAGE_INK_RNOTE;
    double factor = 72 / member_within(format, "dpi", 96, 1, 10000);
    double width = member_within(format, "width", 793.7, 16, 1e5), height = member_within(format, "height", 1122.5, 16, 1e5);
    struct board_grid grid = {
        .page = {.width = (float)fmin(width * factor, 1e5), .height = (float)fmin(height * factor, 1e5), .color = {255, 255, 255, 255}}};
    set_paper(&grid.page, json_object_get(paper, "background"), factor);
    // Endless paper gets a page wherever there is ink.
    if (!strstr(member_text(paper, "layout"), "infinite")) {
        grid.left = member_within(paper, "x", 0, -1e6, 1e6) * factor;
        grid.top = member_within(paper, "y", 0, -1e6, 1e6) * factor;
        grid.right = grid.left + member_within(paper, "width", width, 1, 1e6) * factor;
        grid.bottom = grid.top + member_within(paper, "height", height, 1, 1e7) * factor;
    }
    struct document sheet = {.most_points = document->most_points, .most_bytes = document->most_bytes};
    read_sheet(&sheet, strokes, json_object_get(store, "chrono_components"), factor);
    if (sheet.failure) document_stop(document, sheet.failure, sheet.failure_numbers[0], sheet.failure_numbers[1]);
    else board_divide(document, &sheet, &grid);
    document_free(&sheet);
    return true;
}
