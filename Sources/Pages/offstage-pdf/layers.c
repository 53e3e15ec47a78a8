// Layers: the standard's optional content. PDFium hides content on hidden layers, but not annotations, and has no function to
// list or change layers. This determines a layer's state by PDFium's rules, so that its content and annotations agree.
#include "layers.h"

#include <stdlib.h>
#include <string.h>

#include "document.h"

/// The maximum depth of an expression, and the maximum number of layers.
#define LEVELS 32
#define LAYERS 2000

static bool is_name(qpdf_data objects, qpdf_oh value, const char *name) {
    return qpdf_oh_is_name_and_equals(objects, value, name);
}

static qpdf_oh entry(qpdf_data objects, qpdf_oh dictionary, const char *key) {
    return qpdf_oh_get_key_if_dict(objects, dictionary, key);
}

static qpdf_oh properties(qpdf_data objects) { return entry(objects, qpdf_get_root(objects), "/OCProperties"); }

/// True if a layer applies to screens. A layer for designers is always visible.
static bool is_for_view(qpdf_data objects, qpdf_oh layer) {
    qpdf_oh intent = entry(objects, layer, "/Intent");
    if (qpdf_oh_is_null(objects, intent)) return true;
    if (!qpdf_oh_is_array(objects, intent)) return is_name(objects, intent, "/View") || is_name(objects, intent, "/All");
    for (int i = 0, count = qpdf_oh_get_array_n_items(objects, intent); i < count; i++) {
        qpdf_oh item = qpdf_oh_get_array_item(objects, intent, i);
        if (is_name(objects, item, "/View") || is_name(objects, item, "/All")) return true;
    }
    return false;
}

static bool is_on(qpdf_data objects, qpdf_oh layer) {
    if (!is_for_view(objects, layer)) return true;
    qpdf_oh state = entry(objects, entry(objects, entry(objects, layer, "/Usage"), "/View"), "/ViewState");
    if (!qpdf_oh_is_null(objects, state)) return !is_name(objects, state, "/OFF");
    qpdf_oh defaults = entry(objects, properties(objects), "/D");
    bool result = !is_name(objects, entry(objects, defaults, "/BaseState"), "/OFF");
    if (objects_contain(objects, entry(objects, defaults, "/ON"), layer)) result = true;
    if (objects_contain(objects, entry(objects, defaults, "/OFF"), layer)) result = false;
    return result;
}

/// Evaluates a visibility expression. `steps` limits the remaining work, because parts of an expression may be shared at each
/// level.
static bool value_of(qpdf_data objects, qpdf_oh expression, int level, int *steps) {
    if (level == LEVELS || --*steps < 0) return true;
    if (qpdf_oh_is_dictionary(objects, expression)) return is_on(objects, expression);
    if (!qpdf_oh_is_array(objects, expression)) return true;
    int count = qpdf_oh_get_array_n_items(objects, expression);
    qpdf_oh operator = qpdf_oh_get_array_item(objects, expression, 0);
    bool is_and = is_name(objects, operator, "/And");
    if (is_name(objects, operator, "/Not"))
        return count < 2 || !value_of(objects, qpdf_oh_get_array_item(objects, expression, 1), level + 1, steps);
    for (int i = 1; i < count && i < LAYERS; i++)
        if (value_of(objects, qpdf_oh_get_array_item(objects, expression, i), level + 1, steps) != is_and) return !is_and;
    return is_and;
}

/// The state of a membership: several layers, and a condition on them.
static bool is_member_visible(qpdf_data objects, qpdf_oh membership) {
    qpdf_oh expression = entry(objects, membership, "/VE"), layers = entry(objects, membership, "/OCGs");
    if (qpdf_oh_is_array(objects, expression)) {
        int steps = LAYERS;
        return value_of(objects, expression, 0, &steps);
    }
    qpdf_oh policy = entry(objects, membership, "/P");
    bool is_all = is_name(objects, policy, "/AllOn") || is_name(objects, policy, "/AllOff");
    bool wants_off = is_name(objects, policy, "/AnyOff") || is_name(objects, policy, "/AllOff");
    if (qpdf_oh_is_dictionary(objects, layers)) return is_on(objects, layers) != wants_off;
    bool has_layers = false;
    int count = qpdf_oh_is_array(objects, layers) ? qpdf_oh_get_array_n_items(objects, layers) : 0;
    for (int i = 0; i < count && i < LAYERS; i++) {
        qpdf_oh layer = qpdf_oh_get_array_item(objects, layers, i);
        if (!qpdf_oh_is_dictionary(objects, layer)) continue;
        has_layers = true;
        bool fits = is_on(objects, layer) != wants_off;
        if (fits != is_all) return fits;
    }
    return !has_layers || is_all;
}

bool layer_is_visible(qpdf_data objects, qpdf_oh layer) {
    if (!qpdf_oh_is_dictionary(objects, layer)) return true;
    return is_name(objects, entry(objects, layer, "/Type"), "/OCMD") ? is_member_visible(objects, layer) : is_on(objects, layer);
}

bool *annotations_on_hidden_layers(struct work *work, pdfium_page page, int count) {
    bool *hidden = NULL;
    for (int i = 0; i < count; i++) {
        pdfium_annotation annotation = pdfium.FPDFPage_GetAnnot(page, i);
        bool has_layer = annotation && pdfium.FPDFAnnot_HasKey(annotation, "OC");
        if (annotation) pdfium.FPDFPage_CloseAnnot(annotation);
        qpdf_data objects = has_layer ? document_objects() : NULL;
        qpdf_oh dictionary;
        if (!objects || !objects_annotation(objects, (int)work->options->page, i, &dictionary)) continue;
        if (layer_is_visible(objects, qpdf_oh_get_key(objects, dictionary, "/OC"))) continue;
        if (!hidden) hidden = calloc((size_t)count, sizeof *hidden);
        if (!hidden) return NULL;
        hidden[i] = true;
    }
    return hidden;
}

/// The layers as the document lists them; not an array if there are none.
static qpdf_oh list_of(qpdf_data objects) { return entry(objects, properties(objects), "/OCGs"); }

void report_layers(struct work *work) {
    qpdf_data objects = document_names().has_layers ? document_objects() : NULL;
    if (!objects) return;
    qpdf_oh layers = list_of(objects);
    if (!qpdf_oh_is_array(objects, layers)) return;
    for (int i = 0, count = qpdf_oh_get_array_n_items(objects, layers); i < count && i < OFFSTAGE_PAGES_MOST_LAYERS; i++) {
        qpdf_oh layer = qpdf_oh_get_array_item(objects, layers, i);
        size_t size = 0;
        const char *name = qpdf_oh_get_binary_utf8_value(objects, entry(objects, layer, "/Name"), &size);
        if (!name || size == 0 || size > OFFSTAGE_PAGES_MOST_LAYER_NAME) continue;
        add_record(work, OFFSTAGE_PAGES_LAYER, (int32_t[4]){is_on(objects, layer)}, name, size);
    }
}

/// Removes a layer from a list of the default configuration.
static void take_out(qpdf_data objects, qpdf_oh defaults, const char *key, qpdf_oh layer) {
    qpdf_oh array = qpdf_oh_get_key(objects, defaults, key);
    if (!qpdf_oh_is_array(objects, array)) return;
    for (int i = qpdf_oh_get_array_n_items(objects, array) - 1; i >= 0; i--) {
        qpdf_oh item = qpdf_oh_get_array_item(objects, array, i);
        if (qpdf_oh_get_object_id(objects, item) == qpdf_oh_get_object_id(objects, layer)) qpdf_oh_erase_item(objects, array, i);
    }
}

static void set_state(qpdf_data objects, qpdf_oh layer, bool is_shown) {
    qpdf_oh all = properties(objects), defaults = entry(objects, all, "/D");
    const char *state = is_shown ? "/ON" : "/OFF";
    if (!qpdf_oh_is_dictionary(objects, defaults)) {
        defaults = qpdf_oh_new_dictionary(objects);
        qpdf_oh_replace_key(objects, all, "/D", defaults);
    }
    take_out(objects, defaults, "/ON", layer);
    take_out(objects, defaults, "/OFF", layer);
    qpdf_oh array = qpdf_oh_get_key(objects, defaults, state);
    if (!qpdf_oh_is_array(objects, array)) {
        array = qpdf_oh_new_array(objects);
        qpdf_oh_replace_key(objects, defaults, state, array);
    }
    qpdf_oh_append_item(objects, array, layer);
    // Remove the layer's own setting for screens, which has priority, and the intent, which may exclude the layer from screens.
    qpdf_oh_remove_key(objects, layer, "/Intent");
    qpdf_oh usage = qpdf_oh_get_key(objects, layer, "/Usage");
    if (qpdf_oh_is_dictionary(objects, usage)) qpdf_oh_remove_key(objects, usage, "/View");
    // Remove the changes that viewers make automatically, such as for a zoom level.
    qpdf_oh_remove_key(objects, defaults, "/AS");
}

/// Shows or hides all layers with a name. False if there are none.
static bool change(qpdf_data objects, const char *name) {
    bool is_shown = name[0] == '+', is_found = false;
    name++;
    qpdf_oh layers = list_of(objects);
    int count = qpdf_oh_is_array(objects, layers) ? qpdf_oh_get_array_n_items(objects, layers) : 0;
    for (int i = 0; i < count && i < LAYERS; i++) {
        qpdf_oh layer = qpdf_oh_get_array_item(objects, layers, i);
        size_t size = 0;
        const char *own = qpdf_oh_get_binary_utf8_value(objects, entry(objects, layer, "/Name"), &size);
        if (!own || size != strlen(name) || memcmp(own, name, size) != 0) continue;
        set_state(objects, layer, is_shown);
        is_found = true;
    }
    return is_found;
}

uint8_t *with_layers(
    const uint8_t *bytes, size_t size, const char *password, const char *names, size_t names_size, size_t *new_size, int *missing) {
    *missing = -1;
    qpdf_data objects = objects_read(bytes, size, password);
    if (!objects) return NULL;
    int number = 0;
    for (const char *name = names; name < names + names_size && *missing < 0; name += strlen(name) + 1, number++)
        if (name[0] == 0 || !change(objects, name)) *missing = number;
    uint8_t *copy = NULL;
    bool is_written = *missing < 0 && !(qpdf_init_write_memory(objects) & QPDF_ERRORS);
    if (is_written) {
        qpdf_set_static_ID(objects, 1);
        qpdf_set_preserve_encryption(objects, 0);
        qpdf_set_stream_data_mode(objects, qpdf_s_preserve);
        qpdf_set_object_stream_mode(objects, qpdf_o_preserve);
        is_written = !(qpdf_write(objects) & QPDF_ERRORS);
    }
    if (is_written) {
        *new_size = qpdf_get_buffer_length(objects);
        copy = malloc(*new_size);
        if (copy) memcpy(copy, qpdf_get_buffer(objects), *new_size);
    }
    qpdf_cleanup(&objects);
    return copy;
}
