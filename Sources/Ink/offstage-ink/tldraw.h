#ifndef OFFSTAGE_INK_TLDRAW_H
#define OFFSTAGE_INK_TLDRAW_H

#include <jansson.h>

#include "shapes.h"

/// The maximum depth of nested shapes.
#define TLDRAW_DEEPEST 32

/// A record, in drawing order.
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

/// Adds a shape without its children, using the shaper's map.
void tldraw_add(struct tldraw *drawing, const json_t *shape);

/// Called with each point of a freehand line, in the shape's own units. The pressure is 0 to 1, and 0.5 if unknown. Numbers may
/// be NaN.
typedef void (*tldraw_take_point)(void *context, double x, double y, double pressure);

/// Reads the points of a line, or of a part of one.
void tldraw_points(const json_t *segment, tldraw_take_point take, void *context);

#endif
