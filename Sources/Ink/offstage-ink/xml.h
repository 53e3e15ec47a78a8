#ifndef OFFSTAGE_INK_XML_H
#define OFFSTAGE_INK_XML_H

#include "document.h"

/// Callbacks for elements. Names have no prefix.
struct xml_reader {
    void (*start)(void *context, const char *name, const char **attributes);
    void (*end)(void *context, const char *name);
    /// Set this to receive the text, which is in `text` when the element ends.
    bool wants_text;
    /// Ends with a NUL, which is not counted.
    char *text;
    size_t text_count, text_room;
    void *context;
};

/// Reads unpacked XML. Returns false if it ends early or is damaged; the reader has received everything readable.
bool xml_read(struct document *document, struct xml_reader *reader, const uint8_t *bytes, size_t count);

/// The value of an attribute; NULL if it is missing.
const char *xml_attribute(const char **attributes, const char *name);

#endif
