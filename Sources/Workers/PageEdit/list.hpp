#ifndef PAGE_EDIT_LIST_HPP
#define PAGE_EDIT_LIST_HPP

#include "document.hpp"

/// The identifier of a document's annotation: its name, or the one that is made.
std::string identifier_of(QPDFObjectHandle annotation, size_t index);

/// An identifier that is made from an annotation's object, or from its index in the page's list if it is part of that.
std::string made_identifier(QPDFObjectHandle annotation, size_t index);

/// Adds the record of a document's annotation to bytes.
void add_record(
    std::string &bytes, const Page &page, uint32_t number, QPDFObjectHandle annotation, const std::string &identifier);

/// Adds the records of a page's annotations to bytes.
void add_records(std::string &bytes, const Page &page, uint32_t number);

#endif
