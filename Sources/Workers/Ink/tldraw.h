#ifndef OFFSTAGE_INK_TLDRAW_H
#define OFFSTAGE_INK_TLDRAW_H

#include <jansson.h>

#include "shapes.h"

/// Shapes within shapes, at most.
#define TLDRAW_DEEPEST 32

/// A record in the order of drawing.
struct tldraw_record {
    const json_t *value;
    const char *parent, *index;
};

struct tldraw {
    struct document *document;
    struct shaper shaper;
    const json_t *records;
    struct tldraw_record *shapes;
    size_t count;
};

/// Adds a shape by the map of the shaper, without the shapes in it.
void tldraw_add(struct tldraw *drawing, const json_t *shape);

#endif
