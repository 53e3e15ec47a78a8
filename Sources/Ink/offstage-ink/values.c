// Reads values from JSON, whatever their types in a file.
#include "values.h"

#include <math.h>
#include <string.h>

double value_number(const json_t *value, double otherwise) { return json_is_number(value) ? json_number_value(value) : otherwise; }

double member_number(const json_t *object, const char *key, double otherwise) {
    return value_number(json_object_get(object, key), otherwise);
}

double member_within(const json_t *object, const char *key, double otherwise, double least, double most) {
    double value = member_number(object, key, otherwise);
    // Also catches NaN.
    return value >= least ? value <= most ? value : most : least;
}

const char *member_text(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

bool member_is(const json_t *object, const char *key, const char *text) { return strcmp(member_text(object, key), text) == 0; }

bool read_pair(const json_t *value, double *x, double *y) {
    bool is_list = json_is_array(value);
    *x = is_list ? value_number(json_array_get(value, 0), NAN) : member_number(value, "x", NAN);
    *y = is_list ? value_number(json_array_get(value, 1), NAN) : member_number(value, "y", NAN);
    return isfinite(*x) && isfinite(*y);
}
