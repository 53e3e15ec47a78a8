// The lines of annotations. The library exposes their width only if it is in the old border entry.
#include "border.h"

#include "document.h"

/// Reads a dash pattern. False for an invalid one, which means no border at all, as in other viewers.
static bool read_dashes(qpdf_data objects, qpdf_oh array, struct border *border) {
    int count = qpdf_oh_get_array_n_items(objects, array);
    double sum = 0;
    border->dash_count = 0;
    for (int i = 0; i < count && i < DASHES; i++) {
        double length = objects_number(objects, qpdf_oh_get_array_item(objects, array, i), -1);
        if (length < 0) return false;
        sum += border->dashes[border->dash_count++] = length;
    }
    if (sum > 0) return true;
    border->dash_count = 0;
    // An empty pattern is a solid line.
    return count == 0;
}

static void read_style(qpdf_data objects, qpdf_oh style, struct border *border) {
    border->width = objects_number(objects, qpdf_oh_get_key(objects, style, "/W"), 1);
    qpdf_oh kind = qpdf_oh_get_key(objects, style, "/S");
    border->is_underline = qpdf_oh_is_name_and_equals(objects, kind, "/U");
    if (!qpdf_oh_is_name_and_equals(objects, kind, "/D")) return;
    qpdf_oh dashes = qpdf_oh_get_key(objects, style, "/D");
    border->dashes[0] = 3;
    border->dash_count = 1;
    if (qpdf_oh_is_array(objects, dashes) && !read_dashes(objects, dashes, border)) border->width = 0;
}

struct border border_of(struct work *work, pdfium_annotation annotation, int index, double otherwise) {
    struct border border = {.width = otherwise};
    bool has_style = pdfium.FPDFAnnot_HasKey(annotation, "BS");
    float across, down, width = 0;
    bool has_border = pdfium.FPDFAnnot_GetBorder(annotation, &across, &down, &width);
    if (has_border) border.width = width;
    // Without a line, its pattern does not matter.
    if (!has_style && !(has_border && width > 0)) return border;
    qpdf_data objects = document_objects();
    qpdf_oh dictionary;
    if (!objects || !objects_annotation(objects, (int)work->options->page, index, &dictionary)) return border;
    qpdf_oh style = qpdf_oh_get_key(objects, dictionary, "/BS");
    // The style overrides the border.
    if (qpdf_oh_is_dictionary(objects, style)) return read_style(objects, style, &border), border;
    qpdf_oh old = qpdf_oh_get_key(objects, dictionary, "/Border");
    if (!qpdf_oh_is_array(objects, old) || qpdf_oh_get_array_n_items(objects, old) < 4) return border;
    qpdf_oh dashes = qpdf_oh_get_array_item(objects, old, 3);
    if (!qpdf_oh_is_array(objects, dashes) || !read_dashes(objects, dashes, &border)) border.width = 0;
    return border;
}
