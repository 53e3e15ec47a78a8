#include "objects.h"

/// The maximum depth of a tree, and the maximum number of steps through one, because a damaged tree may be endless.
#define LEVELS 100
#define STEPS 2000000

qpdf_data objects_read(const uint8_t *bytes, size_t size, const char *password) {
    qpdf_data objects = qpdf_init();
    if (!objects) return NULL;
    qpdf_set_suppress_warnings(objects, 1);
    qpdf_silence_errors(objects);
    // Errors and warnings set bits; a document with warnings can be read.
    int result = qpdf_read_memory(objects, "document", (const char *)bytes, size, password);
    if (!(result & QPDF_ERRORS)) return objects;
    qpdf_cleanup(&objects);
    return NULL;
}

double objects_number(qpdf_data objects, qpdf_oh value, double otherwise) {
    double number = 0;
    return qpdf_oh_get_value_as_number(objects, value, &number) && number > -1e9 && number < 1e9 ? number : otherwise;
}

bool objects_page(qpdf_data objects, int index, qpdf_oh *page) {
    qpdf_oh node = qpdf_oh_get_key_if_dict(objects, qpdf_get_root(objects), "/Pages");
    int steps = 0;
    for (int level = 0; level < LEVELS; level++) {
        qpdf_oh kids = qpdf_oh_get_key_if_dict(objects, node, "/Kids");
        if (!qpdf_oh_is_array(objects, kids)) return *page = node, index == 0 && qpdf_oh_is_dictionary(objects, node);
        int count = qpdf_oh_get_array_n_items(objects, kids), i = 0;
        for (; i < count && steps < STEPS; i++, steps++) {
            qpdf_oh kid = qpdf_oh_get_array_item(objects, kids, i);
            qpdf_oh kids_of_kid = qpdf_oh_get_key_if_dict(objects, kid, "/Kids");
            bool has_kids = qpdf_oh_is_array(objects, kids_of_kid);
            int pages = has_kids ? (int)objects_number(objects, qpdf_oh_get_key_if_dict(objects, kid, "/Count"), 0) : 1;
            qpdf_oh_release(objects, kids_of_kid);
            if (index < pages) {
                node = kid;
                break;
            }
            index -= pages > 0 ? pages : 0;
            qpdf_oh_release(objects, kid);
        }
        if (i == count || steps == STEPS) return false;
    }
    return false;
}

bool objects_inherited(qpdf_data objects, qpdf_oh page, const char *key, qpdf_oh *value) {
    for (int level = 0; level < LEVELS && qpdf_oh_is_dictionary(objects, page); level++) {
        *value = qpdf_oh_get_key(objects, page, key);
        if (!qpdf_oh_is_null(objects, *value)) return true;
        page = qpdf_oh_get_key(objects, page, "/Parent");
    }
    return false;
}

bool objects_annotation(qpdf_data objects, int page, int index, qpdf_oh *annotation) {
    qpdf_oh dictionary;
    if (!objects_page(objects, page, &dictionary)) return false;
    qpdf_oh annotations = qpdf_oh_get_key(objects, dictionary, "/Annots");
    if (!qpdf_oh_is_array(objects, annotations) || index >= qpdf_oh_get_array_n_items(objects, annotations)) return false;
    *annotation = qpdf_oh_get_array_item(objects, annotations, index);
    return qpdf_oh_is_dictionary(objects, *annotation);
}

bool objects_contain(qpdf_data objects, qpdf_oh array, qpdf_oh object) {
    int number = qpdf_oh_get_object_id(objects, object), generation = qpdf_oh_get_generation(objects, object);
    if (number == 0 || !qpdf_oh_is_array(objects, array)) return false;
    for (int i = 0, count = qpdf_oh_get_array_n_items(objects, array); i < count; i++) {
        qpdf_oh item = qpdf_oh_get_array_item(objects, array, i);
        bool is_same = qpdf_oh_get_object_id(objects, item) == number && qpdf_oh_get_generation(objects, item) == generation;
        qpdf_oh_release(objects, item);
        if (is_same) return true;
    }
    return false;
}
