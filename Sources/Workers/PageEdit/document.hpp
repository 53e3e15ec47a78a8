#ifndef PAGE_EDIT_DOCUMENT_HPP
#define PAGE_EDIT_DOCUMENT_HPP

#include <offstage_annotations.h>

// The library asks how its old pointers are used: not at all.
#define POINTERHOLDER_TRANSITION 4

#include <memory>
#include <qpdf/QPDF.hh>
#include <string>
#include <vector>

/// A page: its object, and its box as viewers show it.
struct Page {
    QPDFObjectHandle object;
    page_space space;
};

/// The reason for which a job fails, with the number that explains it.
struct Failure {
    uint32_t code;
    uint64_t number;
};

/// A document that is open for reading.
class Document {
public:
    /// Throws `Failure`.
    Document(const uint8_t *bytes, size_t size, const std::string &password);

    std::unique_ptr<QPDF> pdf;
    std::vector<Page> pages;
    const uint8_t *const bytes;
    const size_t size;
    /// Where the file begins for its own offsets: at byte 0, or at its header.
    size_t origin = 0;
    /// The newest table of objects, as the file names it.
    uint64_t table = 0;
    /// The newest table is a stream.
    bool has_stream = false;

    /// True if the table was damaged, so that it cannot be continued.
    bool is_repaired() const;

private:
    /// The document with its header at byte 0, for one whose offsets count from there.
    std::string copy;

    void find_table();
    void open(const std::string &password);
    void find_pages();
};

#endif
