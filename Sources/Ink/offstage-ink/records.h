#ifndef OFFSTAGE_INK_RECORDS_H
#define OFFSTAGE_INK_RECORDS_H

#include "document.h"

/// Begins the records of a document. They are sent in parts while the document is read.
void begin_records(struct offstage_worker_reply *reply, struct document *document);
/// Sends the records of everything new. Call it when the last item is complete.
void send_records(struct document *document);
/// Sends the rest of the buffer.
void end_records(struct document *document);

/// True for the host's own ink records, which it sends to draw ink that is not in a file.
bool is_records(const uint8_t *bytes, size_t count);
void read_records(struct document *document, const uint8_t *bytes, size_t count);

#endif
