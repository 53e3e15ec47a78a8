#ifndef PAGES_REPORT_H
#define PAGES_REPORT_H

#include <offstage_annotations.h>
#include <offstage_worker.h>

#include "pdfium.h"

/// An open document, and its job.
struct work {
    const struct offstage_pages_options *options;
    /// Annotations to draw.
    const uint8_t *added;
    size_t added_size;
    /// The page's box as viewers show it.
    struct page_space space;
    /// True if annotations of the open document have been hidden.
    bool has_hidden;
    struct offstage_worker_reply *reply;
    pdfium_document document;
    /// The beginning of the report.
    struct offstage_pages_report report;
    /// The bytes of the report, with its beginning and the records so far.
    size_t size;
};

/// A rectangle of the picture, device px.
struct area { int32_t left, top, width, height; };

/// Converts UTF-16 to UTF-8. Invalid Unicode becomes U+FFFD, and white space and controls become single spaces. Returns the number
/// of bytes written, at most `most`. Never writes a part of a character.
size_t text_utf8(const unsigned short *units, size_t count, char *bytes, size_t most);

/// Adds a record. False if it does not fit into the report.
bool add_record(struct work *work, enum offstage_pages_record_kind kind, const int32_t numbers[4], const char *text, size_t size);

/// Loads the job's page, which the caller closes. NULL if it cannot be read; the reply is then a failure.
pdfium_page load_page(struct work *work);

/// Moves the report into the reply.
void finish_report(struct work *work);

/// Reports the document and its pages.
void describe(struct work *work);

/// Reports the outline's items.
void list_outline(struct work *work);

/// Reports the links, headings and text of a page.
void report_content(struct work *work, pdfium_page page, const struct offstage_pages_geometry *geometry);

/// True for a character that is in the visible part of its page, and for a character without a position, such as a space.
bool is_character_shown(pdfium_page page, pdfium_text text, int index);

/// Reports the words of a page and their positions.
void list_words(struct work *work);

/// Reports the corners of a page.
void locate_page(struct work *work);

/// Reports the fonts of a page that are not in the document.
void report_fonts(struct work *work, pdfium_page page);

#endif
