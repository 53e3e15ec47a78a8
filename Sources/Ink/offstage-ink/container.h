#ifndef OFFSTAGE_INK_CONTAINER_H
#define OFFSTAGE_INK_CONTAINER_H

#include "document.h"

/// Takes the next unpacked bytes. Returns false to stop.
typedef bool (*sink)(void *context, const uint8_t *bytes, size_t count);

/// True for a zip file.
bool is_zip(const uint8_t *bytes, size_t count);

/// Unpacks a gzip file, a zip file's `content.xml`, or passes plain bytes on. Stops at the document's limit. Returns false if the
/// bytes end early or are damaged; the sink has received everything readable.
bool unpack(struct document *document, const uint8_t *bytes, size_t count, sink sink, void *context);

/// Finds a file in a zip file and unpacks it.
bool unpack_entry(
    struct document *document, const uint8_t *bytes, size_t count, const char *name, size_t name_length, sink sink, void *context);

#endif
