#ifndef OFFSTAGE_INK_RNOTE_H
#define OFFSTAGE_INK_RNOTE_H

#include <jansson.h>

#include "shapes.h"

/// Adds a stroke, a shape, a text or an image, using the shaper's map.
void rnote_add(struct shaper *shaper, const json_t *component);

/// Reads a colour with components from 0 to 1.
void rnote_color(const json_t *color, uint8_t rgba[4]);

#endif
