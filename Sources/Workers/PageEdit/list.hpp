#ifndef PAGE_EDIT_LIST_HPP
#define PAGE_EDIT_LIST_HPP

#include "document.hpp"

/// The identifier of a document's annotation: its name, or one made from its object. Empty for a direct object without a name.
std::string identifier_of(QPDFObjectHandle annotation);

/// An identifier that is made from an annotation's object; empty for a direct object.
std::string object_name(QPDFObjectHandle annotation);

/// Adds the record of a document's annotation to bytes.
void add_record(
    std::string &bytes, const Page &page, uint32_t number, QPDFObjectHandle annotation, const std::string &identifier);

/// Adds the records of a page's annotations to bytes.
void add_records(std::string &bytes, const Page &page, uint32_t number);

#endif
