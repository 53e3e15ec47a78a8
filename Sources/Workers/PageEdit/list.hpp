#ifndef PAGE_EDIT_LIST_HPP
#define PAGE_EDIT_LIST_HPP

#include "document.hpp"

/// The identifier of a document's annotation: its name, or one made from its object. Empty for a direct object without a name.
std::string identifier_of(QPDFObjectHandle annotation);

/// Adds the record of a document's annotation to bytes.
void add_record(std::string &bytes, const Page &page, uint32_t number, QPDFObjectHandle annotation);

/// Adds the records of a page's annotations to bytes.
void add_records(std::string &bytes, const Page &page, uint32_t number);

#endif
