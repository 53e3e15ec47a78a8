#ifndef OFFSTAGE_INK_XML_H
#define OFFSTAGE_INK_XML_H

#include "document.h"

/// A reader of elements. The names have no prefix.
struct xml_reader {
    void (*start)(void *context, const char *name, const char **attributes);
    void (*end)(void *context, const char *name);
    /// True while the text is wanted; it is then in `text` when the element ends.
    bool wants_text;
    /// Ends with a NUL, which does not count.
    char *text;
    size_t text_count, text_room;
    void *context;
};

/// Reads unpacked XML. Returns false if it ends early or is damaged; the reader has what could be read.
bool xml_read(struct document *document, struct xml_reader *reader, const uint8_t *bytes, size_t count);

/// The value of an attribute; NULL if it is missing.
const char *xml_attribute(const char **attributes, const char *name);

#endif
