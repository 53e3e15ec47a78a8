#ifndef OFFSTAGE_INK_VALUES_H
#define OFFSTAGE_INK_VALUES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/// Points for each CSS px.
#define PX 0.75

/// The number, or `otherwise` for other values and for NULL.
double value_number(const json_t *value, double otherwise);

/// A member's number; `otherwise` if there is none.
double member_number(const json_t *object, const char *key, double otherwise);

/// A member's number, clamped to limits.
double member_within(const json_t *object, const char *key, double otherwise, double least, double most);

/// A member's text, or an empty text. It is valid as long as the object.
const char *member_text(const json_t *object, const char *key);

/// True if the member is this text.
bool member_is(const json_t *object, const char *key, const char *text);

/// `[x, y]`, or an object with these keys. Otherwise returns false, and sets both numbers to NaN.
bool read_pair(const json_t *value, double *x, double *y);

#endif
