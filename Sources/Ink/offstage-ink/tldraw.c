// tldraw's files: records of shapes, which belong to pages or to other shapes.
#include "tldraw.h"

#include <stdlib.h>
#include <string.h>

#include "values.h"

static int compare(const void *a, const void *b) {
    const struct tldraw_record *first = a, *second = b;
    int parents = strcmp(first->parent, second->parent);
    return parents ? parents : strcmp(first->index, second->index);
}

/// Adds the shapes within a page or a shape, from bottom to top.
static void add_children(struct tldraw *drawing, const char *parent, struct affine map, int depth) {
    size_t low = 0, high = drawing->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strcmp(drawing->shapes[middle].parent, parent) < 0) low = middle + 1;
        else high = middle;
    }
    for (size_t i = low; i < drawing->count && strcmp(drawing->shapes[i].parent, parent) == 0; i++) {
        const json_t *shape = drawing->shapes[i].value;
        if (drawing->document->failure) return;
        struct affine own = affine_product(
            affine_moved(member_within(shape, "x", 0, -1e6, 1e6), member_within(shape, "y", 0, -1e6, 1e6)),
            affine_turned(member_within(shape, "rotation", 0, -100, 100), 0, 0));
        drawing->shaper.map = affine_product(map, own);
        struct affine here = drawing->shaper.map;
        tldraw_add(drawing, shape);
        if (depth < TLDRAW_DEEPEST && *member_text(shape, "id")) add_children(drawing, member_text(shape, "id"), here, depth + 1);
    }
}

static void add_page(struct tldraw *drawing, const json_t *page) {
    size_t number = drawing->document->page_count;
    if (!document_add_page(drawing->document, 1, 1)) return;
    document_add_layer(drawing->document, NULL);
    add_children(drawing, member_text(page, "id"), (struct affine){PX, 0, 0, PX, 0, 0}, 0);
    if (!drawing->document->failure) document_fit_page(drawing->document, number, 1, 12);
}

bool read_tldraw(struct document *document, const json_t *root) {
    if (!json_object_get(root, "tldrawFileFormatVersion")) return false;
    struct tldraw drawing = {.document = document, .shaper = {.document = document}, .records = json_object_get(root, "records")};
    size_t count = json_array_size(drawing.records), index, pages = 0;
    const json_t *record;
    document->format = OFFSTAGE_INK_TLDRAW;
    drawing.shapes = calloc(2 * count + 2, sizeof *drawing.shapes);
    struct tldraw_record *ordered = drawing.shapes + count + 1;
    if (!drawing.shapes) return document_stop(document, OFFSTAGE_WIRE_NO_MEMORY, 0, 0), true;
    json_array_foreach(drawing.records, index, record) {
        const char *kind = member_text(record, "typeName");
        if (strcmp(kind, "shape") == 0)
            drawing.shapes[drawing.count++] = (struct tldraw_record){record, member_text(record, "parentId"), member_text(record, "index")};
        else if (strcmp(kind, "page") == 0) ordered[pages++] = (struct tldraw_record){record, "", member_text(record, "index")};
    }
    qsort(drawing.shapes, drawing.count, sizeof *drawing.shapes, compare);
    qsort(ordered, pages, sizeof *ordered, compare);
    for (size_t i = 0; i < pages && !document->failure; i++) add_page(&drawing, ordered[i].value);
    shape_free(&drawing.shaper);
    free(drawing.shapes);
    return true;
}
