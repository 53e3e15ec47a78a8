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

/// Is called with each point of a line by hand, in the shape's own units; the pressure is 0 to 1, and 0.5 if it is not known. Numbers may
/// be none.
typedef void (*tldraw_take_point)(void *context, double x, double y, double pressure);

/// Reads the points of a line, or of a part of one.
void tldraw_points(const json_t *segment, tldraw_take_point take, void *context);

#endif
