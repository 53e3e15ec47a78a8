#include <string.h>

#include "container.h"
#include "records.h"

#define HEAD 4096

struct head {
    char bytes[HEAD + 1];
    size_t count;
};

static bool take(void *context, const uint8_t *bytes, size_t count) {
    struct head *head = context;
    size_t room = HEAD - head->count;
    if (count > room) count = room;
    memcpy(head->bytes + head->count, bytes, count);
    head->count += count;
    return head->count < HEAD;
}

/// Determines the format by the name of the first element.
static enum offstage_ink_format format_of(struct head *head) {
    head->bytes[head->count] = 0;
    // A NUL does not occur in text.
    const char *at = head->bytes;
    if ((uint8_t)at[0] == 0xEF && (uint8_t)at[1] == 0xBB) at += 3;
    while (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t') at++;
    if (*at == '{' || *at == '[') return OFFSTAGE_INK_FREEHAND;
    if (*at != '<') return OFFSTAGE_INK_UNKNOWN;
    const char *xournal = strstr(at, "<xournal"), *ink = strstr(at, "<ink"), *prefixed = strstr(at, ":ink");
    if (prefixed && (!ink || prefixed < ink)) ink = prefixed;
    if (xournal && (!ink || xournal < ink)) return OFFSTAGE_INK_XOURNAL;
    return ink ? OFFSTAGE_INK_INKML : OFFSTAGE_INK_UNKNOWN;
}

void document_read(struct document *document, const uint8_t *bytes, size_t count) {
    if (is_records(bytes, count)) return read_records(document, bytes, count);
    struct head head = {.count = 0};
    unpack(document, bytes, count, take, &head);
    // Only the beginning was read, so its facts don't count.
    document->facts = 0;
    document->failure = 0;
    switch (format_of(&head)) {
    case OFFSTAGE_INK_XOURNAL: read_xournal(document, bytes, count); break;
    case OFFSTAGE_INK_INKML: read_inkml(document, bytes, count); break;
    case OFFSTAGE_INK_FREEHAND: read_json(document, bytes, count); break;
    default: document_stop(document, OFFSTAGE_INK_UNKNOWN_FORMAT, 0, 0);
    }
    if (!document->failure && document->page_count == 0) document_stop(document, OFFSTAGE_INK_DAMAGED, 0, 0);
}
