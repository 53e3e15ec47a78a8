#ifndef PAGE_EDIT_DOCUMENT_HPP
#define PAGE_EDIT_DOCUMENT_HPP

#include <offstage_annotations.h>

// qpdf requires programs to declare whether they use its old pointers. This one does not.
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

/// The reason why a job fails, with the number that explains it.
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
    /// The origin of the file's own offsets: byte 0, or its header.
    size_t origin = 0;
    /// The offset of the newest table of objects, as stated in the file.
    uint64_t table = 0;
    /// True if the newest table is a stream.
    bool has_stream = false;

    /// True if the table was damaged, so that no update can continue it.
    bool is_repaired() const;

private:
    /// The document with its header moved to byte 0, if its offsets count from the header.
    std::string copy;

    void find_table();
    void open(const std::string &password);
    void find_pages();
};

#endif
