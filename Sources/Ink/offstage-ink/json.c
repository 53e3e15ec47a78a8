// JSON: the points of programs that use perfect-freehand, and the files of other programs, recognised by their keys.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "container.h"
#include "texture.h"
#include "values.h"

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
        x = value_number(json_array_get(value, 0), NAN);
        y = value_number(json_array_get(value, 1), NAN);
        pressure = value_number(json_array_get(value, 2), -1);
        time = value_number(json_array_get(value, 3), 0);
    } else if (json_is_object(value)) {
        static const char *const pressures[] = {"pressure", "p", "z", NULL}, *const times[] = {"t", "time", NULL};
        x = member_number(value, "x", NAN);
        y = member_number(value, "y", NAN);
        pressure = first_of(value, pressures, -1);
        time = first_of(value, times, 0);
    } else return false;
    if (pressure >= 0) *has_pressure = true;
    // The nominal width corresponds to half of the maximum pressure.
    *point = (struct offstage_ink_point){
        .x = (float)(x * PX), .y = (float)(y * PX), .pressure = pressure >= 0 ? (float)pressure * 2 : 1, .time = (float)(time / 1000)};
    return true;
}

static bool is_point(const json_t *value) {
    // JSON writes NaN as `null`.
    const json_t *first = json_array_get(value, 0);
    if (json_is_array(value)) return json_array_size(value) >= 2 && (json_is_number(first) || json_is_null(first));
    return json_is_object(value) && json_object_get(value, "x") && json_object_get(value, "y");
}

static bool is_stroke(const json_t *value) { return json_is_array(value) && is_point(json_array_get(value, 0)); }

/// - options: perfect-freehand's options, or NULL.
/// - textures: the document's textures, by name, or NULL.
static void add_stroke(struct document *document, const json_t *points, const json_t *options, const json_t *textures) {
    struct item *item = document_add_item(document, ITEM_STROKE);
    if (!item) return;
    struct offstage_ink_style style = {.tool = OFFSTAGE_INK_PEN, .color = {0, 0, 0, 255}};
    static const char *const sizes[] = {"size", "width", NULL};
    style.width = (float)(fmin(fmax(first_of(options, sizes, 16), 0), 1e4) * PX);
    style.smoothing = 0.75f;
    double thinning = member_within(options, "thinning", 0.5, 0, 1);
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
    // As if a pen had been sampled 120 times per second.
    for (size_t i = 0; !has_time && i < item->point_count; i++) document->points[item->points + i].time = (float)i / 120;
    item->style = style;
    struct offstage_ink_texture texture = {.shape = OFFSTAGE_INK_NO_SHAPE};
    read_texture_value(document, json_object_get(options, "texture"), textures, &texture);
    document_add_texture(document, &texture);
}

static void add_page(struct document *document) {
    document_add_page(document, 1, 1);
    document_add_layer(document, NULL);
}

static void read_strokes(struct document *document, const json_t *root) {
    size_t index;
    const json_t *value;
    document->format = OFFSTAGE_INK_FREEHAND;
    const json_t *strokes = json_object_get(root, "strokes"), *textures = json_object_get(root, "textures");
    if (json_is_array(strokes)) root = strokes;
    if (json_is_object(root) && is_stroke(json_object_get(root, "points"))) {
        add_page(document);
        add_stroke(document, json_object_get(root, "points"), root, textures);
    } else if (is_stroke(root)) {
        add_page(document);
        add_stroke(document, root, NULL, NULL);
    } else if (json_is_array(root)) {
        json_array_foreach(root, index, value) {
            const json_t *points = json_is_object(value) ? json_object_get(value, "points") : value;
            if (document->failure || !is_stroke(points)) continue;
            if (document->page_count == 0) add_page(document);
            add_stroke(document, points, json_is_object(value) ? value : NULL, textures);
        }
    } else if (json_is_object(root)) {
        // Named strokes: each gets its own page.
        const char *key;
        json_object_foreach((json_t *)root, key, value) {
            if (document->failure || !is_stroke(value)) continue;
            add_page(document);
            add_stroke(document, value, NULL, textures);
        }
    }
    for (size_t i = 0; i < document->page_count; i++) document_fit_page(document, i, 1, 12);
}

void read_json(struct document *document, const uint8_t *bytes, size_t count) {
    struct bytes all = {.document = document};
    if (!unpack(document, bytes, count, collect, &all)) document->facts |= OFFSTAGE_INK_IS_CUT;
    json_t *root = document->failure ? NULL : json_loadb(all.memory ? all.memory : "", all.count, JSON_DECODE_INT_AS_REAL, NULL);
    free(all.memory);
    if (!root) return document_stop(document, OFFSTAGE_INK_DAMAGED, 0, 0);
    bool is_known = read_rnote(document, root) || read_excalidraw(document, root) || read_tldraw(document, root)
        || read_old_tldraw(document, root);
    if (!is_known) read_strokes(document, root);
    json_decref(root);
    if (document->page_count == 0) document_stop(document, OFFSTAGE_INK_UNKNOWN_FORMAT, 0, 0);
}
