#ifndef OFFSTAGE_INK_NAMES_H
#define OFFSTAGE_INK_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/// Numbers by their names.
struct names {
    struct name {
        char *text;
        size_t number;
    } *slots;
    size_t count, room;
};

/// Sets a name's number. An empty name, and one for which memory is short, has none.
void names_set(struct names *names, const char *text, size_t number);

/// Finds a name, or a reference to it: `#name`. Returns false if there is none, also for NULL.
bool names_find(const struct names *names, const char *reference, size_t *number);

void names_free(struct names *names);

#endif
