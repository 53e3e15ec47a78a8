#ifndef OFFSTAGE_INK_NAMES_H
#define OFFSTAGE_INK_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/// Maps names to numbers.
struct names {
    struct name {
        char *text;
        size_t number;
    } *slots;
    size_t count, room;
};

/// Sets a name's number. Ignores empty names, and has no effect if memory is short.
void names_set(struct names *names, const char *text, size_t number);

/// Finds a name, or a reference to it: `#name`. Returns false if the name is unknown or NULL.
bool names_find(const struct names *names, const char *reference, size_t *number);

void names_free(struct names *names);

#endif
