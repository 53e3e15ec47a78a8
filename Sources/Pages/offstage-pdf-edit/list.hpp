#ifndef PAGE_EDIT_LIST_HPP
#define PAGE_EDIT_LIST_HPP

#include "document.hpp"

/// The identifier of a document's annotation: its name, or a generated one.
std::string identifier_of(QPDFObjectHandle annotation, size_t index);

/// An identifier generated from an annotation's object, or from its index if it is stored directly in the page's list.
std::string made_identifier(QPDFObjectHandle annotation, size_t index);

/// Appends the record of a document's annotation to bytes.
void add_record(
    std::string &bytes, const Page &page, uint32_t number, QPDFObjectHandle annotation, const std::string &identifier);

/// Appends the records of a page's annotations to bytes.
void add_records(std::string &bytes, const Page &page, uint32_t number);

#endif
