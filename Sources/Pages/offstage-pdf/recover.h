#ifndef PAGES_RECOVER_H
#define PAGES_RECOVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Returns a copy of a document with a new trailer that names its last catalog. NULL if it has no catalog. The caller frees the copy.
uint8_t *with_trailer(const uint8_t *bytes, size_t size, size_t *new_size);

#endif
