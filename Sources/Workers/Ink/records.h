#ifndef OFFSTAGE_INK_RECORDS_H
#define OFFSTAGE_INK_RECORDS_H

#include "document.h"

/// Begins the records of a document. They leave in parts, while the document is read.
void begin_records(struct offstage_worker_reply *reply, struct document *document);
/// Sends the records of everything that is new. Call it when the last item is complete.
void send_records(struct document *document);
/// Sends what is left in the buffer.
void end_records(struct document *document);

/// The host's own form of ink, which it sends to draw what is not in a file.
bool is_records(const uint8_t *bytes, size_t count);
void read_records(struct document *document, const uint8_t *bytes, size_t count);

#endif
