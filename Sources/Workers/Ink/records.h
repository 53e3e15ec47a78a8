#ifndef OFFSTAGE_INK_RECORDS_H
#define OFFSTAGE_INK_RECORDS_H

#include "document.h"

/// The size of a document's records.
size_t records_size(const struct document *document);
/// Writes so many bytes.
void write_records(const struct document *document, uint8_t *bytes);

/// The host's own form of ink, which it sends to draw what is not in a file.
bool is_records(const uint8_t *bytes, size_t count);
void read_records(struct document *document, const uint8_t *bytes, size_t count);

#endif
