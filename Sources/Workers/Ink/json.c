// JSON: Rnote's notes, and the points of programs that draw with perfect-freehand.
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "container.h"

/// Points for each CSS px.
#define PX 0.75f

struct bytes {
    struct document *document;
    char *memory;
    size_t count, room;
};

static bool collect(void *context, const uint8_t *bytes, size_t count) {
    struct bytes *all = context;
    if (all->count + count > all->room) {
        size_t room = (all->count + count) * 2;
        char *larger = realloc(all->memory, room);
        if (!larger) {
            document_stop(all->document, OFFSTAGE_WIRE_NO_MEMORY, 0, 0);
            return false;
        }
        all->memory = larger;
        all->room = room;
    }
    memcpy(all->memory + all->count, bytes, count);
    all->count += count;
    return true;
}

static double number(const json_t *value, double otherwise) { return json_is_number(value) ? json_number_value(value) : otherwise; }

static double first_of(const json_t *object, const char *const names[], double otherwise) {
    for (int i = 0; names[i]; i++) {
        const json_t *value = json_object_get(object, names[i]);
        if (json_is_number(value)) return json_number_value(value);
    }
    return otherwise;
}

/// `[x, y, pressure, milliseconds]`, or an object with these keys.
static bool read_point(const json_t *value, struct offstage_ink_point *point, bool *has_pressure) {
    double x, y, pressure = -1, time = 0;
    if (json_is_array(value)) {
        x = number(json_array_get(value, 0), NAN);
        y = number(json_array_get(value, 1), NAN);
        pressure = number(json_array_get(value, 2), -1);
        time = number(json_array_get(value, 3), 0);
    } else if (json_is_object(value)) {
        static const char *const pressures[] = {"pressure", "p", "z", NULL}, *const times[] = {"t", "time", NULL};
        x = number(json_object_get(value, "x"), NAN);
        y = number(json_object_get(value, "y"), NAN);
        pressure = first_of(value, pressures, -1);
        time = first_of(value, times, 0);
    } else return false;
    if (pressure >= 0) *has_pressure = true;
    // Half of the pressure is the nominal width.
    *point = (struct offstage_ink_point){
        .x = (float)x * PX, .y = (float)y * PX, .pressure = pressure >= 0 ? (float)pressure * 2 : 1, .time = (float)(time / 1000)};
    return true;
}

static bool is_point(const json_t *value) {
    if (json_is_array(value)) return json_array_size(value) >= 2 && json_is_number(json_array_get(value, 0));
    return json_is_object(value) && json_object_get(value, "x") && json_object_get(value, "y");
}

static bool is_stroke(const json_t *value) { return json_is_array(value) && is_point(json_array_get(value, 0)); }

/// - options: those of perfect-freehand, or NULL.
static void add_stroke(struct document *document, const json_t *points, const json_t *options) {
    struct item *item = document_add_item(document, ITEM_STROKE);
    if (!item) return;
    struct offstage_ink_style style = {.tool = OFFSTAGE_INK_PEN, .color = {0, 0, 0, 255}};
    static const char *const sizes[] = {"size", "width", NULL};
    style.width = (float)fmin(fmax(first_of(options, sizes, 16), 0), 1e4) * PX;
    style.smoothing = 0.75f;
    double thinning = fmin(fmax(number(json_object_get(options, "thinning"), 0.5), 0), 1);
    bool has_pressure = false, has_time = false;
    size_t index;
    const json_t *value;
    json_array_foreach(points, index, value) {
        struct offstage_ink_point point;
        if (document->failure || !read_point(value, &point, &has_pressure)) continue;
        if (point.time > 0) has_time = true;
        document_add_point(document, point);
    }
    item = &document->items[document->item_count - 1];
    if (has_pressure) style.width_pressure = (float)thinning;
    else style.width_speed = (float)thinning;
    // As if a pen had been sampled 120 times each second.
    for (size_t i = 0; !has_time && i < item->point_count; i++) document->points[item->points + i].time = (float)i / 120;
    item->style = style;
}

static void add_page(struct document *document) {
    document_add_page(document, 1, 1);
    document_add_layer(document, NULL);
}

static void read_strokes(struct document *document, const json_t *root) {
    size_t index;
    const json_t *value;
    document->format = OFFSTAGE_INK_FREEHAND;
    const json_t *strokes = json_object_get(root, "strokes");
    if (json_is_array(strokes)) root = strokes;
    if (json_is_object(root) && is_stroke(json_object_get(root, "points"))) {
        add_page(document);
        add_stroke(document, json_object_get(root, "points"), root);
    } else if (is_stroke(root)) {
        add_page(document);
        add_stroke(document, root, NULL);
    } else if (json_is_array(root)) {
        json_array_foreach(root, index, value) {
            const json_t *points = json_is_object(value) ? json_object_get(value, "points") : value;
            if (document->failure || !is_stroke(points)) continue;
            if (document->page_count == 0) add_page(document);
            add_stroke(document, points, json_is_object(value) ? value : NULL);
        }
    } else if (json_is_object(root)) {
        // A stroke by name: each is a page of its own.
        const char *key;
        json_object_foreach((json_t *)root, key, value) {
            if (document->failure || !is_stroke(value)) continue;
            add_page(document);
            add_stroke(document, value, NULL);
        }
    }
    for (size_t i = 0; i < document->page_count; i++) document_fit_page(document, i, 1, 12);
}

static bool add_place(struct document *document, const json_t *element, float factor, float top) {
    const json_t *pos = json_object_get(element, "pos");
    if (!json_is_array(pos)) return false;
    document_add_point(
        document, (struct offstage_ink_point){
                      .x = (float)number(json_array_get(pos, 0), NAN) * factor,
                      .y = (float)number(json_array_get(pos, 1), NAN) * factor - top,
                      .pressure = (float)number(json_object_get(element, "pressure"), 0.5)});
    return true;
}

static void set_rnote_style(struct offstage_ink_style *style, const json_t *kinds, float factor) {
    const json_t *look = json_object_get(kinds, "smooth");
    if (!look) look = json_object_get(kinds, "rough");
    const json_t *texture = json_object_get(kinds, "textured");
    if (!look && texture) style->tool = OFFSTAGE_INK_PENCIL;
    if (!look) look = texture;
    style->width = (float)fmin(fmax(number(json_object_get(look, "stroke_width"), 2), 0), 1e4) * factor;
    const json_t *curve = json_object_get(look, "pressure_curve");
    style->width_pressure = json_is_string(curve) && strcmp(json_string_value(curve), "const") == 0 ? 0 : 1;
    const json_t *color = json_object_get(look, "stroke_color");
    const char *const names[] = {"r", "g", "b", "a"};
    for (int i = 0; i < 4 && json_is_object(color); i++)
        style->color[i] = (uint8_t)(fmin(fmax(number(json_object_get(color, names[i]), i == 3), 0), 1) * 255 + 0.5);
}

/// Returns the stroke's upper edge on the endless paper, or NAN.
static double rnote_top(const json_t *stroke) {
    const json_t *start = json_object_get(json_object_get(stroke, "path"), "start");
    return number(json_array_get(json_object_get(start, "pos"), 1), NAN);
}

static void add_rnote_stroke(struct document *document, const json_t *stroke, float factor, float top) {
    const json_t *path = json_object_get(stroke, "path"), *value;
    struct item *item = document_add_item(document, ITEM_STROKE);
    if (!item) return;
    item->style = (struct offstage_ink_style){.tool = OFFSTAGE_INK_PEN, .color = {0, 0, 0, 255}, .smoothing = 0.5f};
    set_rnote_style(&item->style, json_object_get(stroke, "style"), factor);
    add_place(document, json_object_get(path, "start"), factor, top);
    size_t index;
    json_array_foreach(json_object_get(path, "segments"), index, value) {
        const char *key;
        json_t *segment;
        json_object_foreach((json_t *)value, key, segment) add_place(document, json_object_get(segment, "end"), factor, top);
    }
}

/// Returns false for JSON that is not Rnote's.
static bool read_rnote(struct document *document, const json_t *root) {
    const json_t *data = json_object_get(root, "data");
    const json_t *snapshot = json_object_get(data, "engine_snapshot");
    if (!snapshot) snapshot = data;
    const json_t *paper = json_object_get(snapshot, "document");
    const json_t *strokes = json_object_get(snapshot, "stroke_components");
    if (!strokes) strokes = json_object_get(json_object_get(data, "store_snapshot"), "stroke_components");
    if (!json_is_array(strokes)) return false;
    document->format = OFFSTAGE_INK_RNOTE;
    const json_t *format = json_object_get(paper, "format"), *value;
    double dpi = number(json_object_get(format, "dpi"), 96);
    float factor = (float)(72 / fmin(fmax(dpi, 1), 10000));
    double width = fmin(fmax(number(json_object_get(format, "width"), 793.7), 1), 1e5);
    double height = fmin(fmax(number(json_object_get(format, "height"), 1122.5), 1), 1e5);
    double all = fmin(fmax(number(json_object_get(paper, "height"), height), height), height * 10000);
    size_t pages = (size_t)fmax(1, ceil(all / height - 0.001)), index;
    for (size_t page = 0; page < pages && !document->failure; page++) {
        document_add_page(document, (float)width * factor, (float)height * factor);
        document_add_layer(document, NULL);
        json_array_foreach(strokes, index, value) {
            const json_t *content = json_object_get(value, "value"), *stroke = json_object_get(content, "brushstroke");
            if (!json_is_object(content)) continue;
            if (!stroke) {
                document->facts |= OFFSTAGE_INK_HAS_OTHER;
                continue;
            }
            double top = rnote_top(stroke), place = fmin(fmax(floor(top / height), 0), (double)pages - 1);
            if (isfinite(top) && place == (double)page) add_rnote_stroke(document, stroke, factor, (float)(page * height) * factor);
        }
    }
    return true;
}

void read_json(struct document *document, const uint8_t *bytes, size_t count) {
    struct bytes all = {.document = document};
    if (!unpack(document, bytes, count, collect, &all)) document->facts |= OFFSTAGE_INK_IS_CUT;
    json_t *root = document->failure ? NULL : json_loadb(all.memory ? all.memory : "", all.count, 0, NULL);
    free(all.memory);
    if (!root) return document_stop(document, OFFSTAGE_INK_DAMAGED, 0, 0);
    if (!read_rnote(document, root)) read_strokes(document, root);
    json_decref(root);
    if (document->page_count == 0) document_stop(document, OFFSTAGE_INK_UNKNOWN_FORMAT, 0, 0);
}
