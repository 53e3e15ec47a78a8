#ifndef PAGE_EDIT_TABLE_HPP
#define PAGE_EDIT_TABLE_HPP

#include "document.hpp"

/// Ends an update: adds the table of the writer's objects, and the file's new end. `base` is the position at which the writer's
/// bytes begin, in terms of the file's own offsets.
void add_table(Document &document, pdf_writer &writer, uint64_t base);

/// Writes an object's value. Strings are encrypted for the object that is being written.
void add_value(pdf_writer &writer, QPDFObjectHandle value, bool is_top = false);

#endif
