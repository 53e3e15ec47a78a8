#ifndef PAGE_EDIT_SAVE_HPP
#define PAGE_EDIT_SAVE_HPP

#include "document.hpp"

/// A job's changes, and the bytes to append to the document.
struct Update {
    const uint8_t *additions;
    size_t additions_size;
    bool is_forced;
    std::string modified;
    std::vector<offstage_pages_edit_warning> warnings;
};

/// Returns the bytes to append; empty if nothing changes. Throws `Failure`.
std::string save(Document &document, Update &update);

#endif
