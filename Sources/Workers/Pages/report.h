#ifndef PAGES_REPORT_H
#define PAGES_REPORT_H

#include <offstage_pages.h>
#include <offstage_worker.h>

#include "pdfium.h"

/// An open document, and the job for it.
struct work {
    const struct offstage_pages_options *options;
    /// The document's bytes, and those of annotations to add or to draw.
    const uint8_t *bytes, *added;
    size_t byte_count, added_size;
    struct offstage_worker_reply *reply;
    pdfium_document document;
    /// The beginning of the report.
    struct offstage_pages_report report;
    /// The bytes of the report, with its beginning and the records so far.
    size_t size;
};

/// A rectangle of the picture, device px.
struct area { int32_t left, top, width, height; };

/// UTF-16 to UTF-8; what is not Unicode becomes U+FFFD, and white space and controls become single spaces. Returns the bytes
/// written, at most `most`, never a part of a character.
size_t text_utf8(const unsigned short *units, size_t count, char *bytes, size_t most);

/// Adds a record. False if the report has no room for it.
bool add_record(struct work *work, enum offstage_pages_record_kind kind, const int32_t numbers[4], const char *text, size_t size);

/// Loads the job's page, which the caller closes. NULL if it cannot be read; the reply is then a failure.
pdfium_page load_page(struct work *work);

/// Gives the report to the reply.
void finish_report(struct work *work);

/// Reports the document and its pages.
void describe(struct work *work);

/// Reports the outline's items.
void list_outline(struct work *work);

/// Reports the links, headings and text of a page.
void report_content(struct work *work, pdfium_page page, const struct offstage_pages_geometry *geometry);

/// True for a character of a text that is in the part of its page that viewers show, and for one without a place, such as a space.
bool is_character_shown(pdfium_page page, pdfium_text text, int index);

/// Reports the words of a page and their places.
void list_words(struct work *work);

/// Reports the annotations of a page.
void list_annotations(struct work *work);

/// Adds annotations to a page, and gives the bytes to append to the document as a picture.
void add_annotations(struct work *work);

/// Adds annotations to a page for a drawing of it, above its own. Those that the library refuses are left out. Returns their number.
int show_additions(struct work *work, pdfium_page page);

/// Removes the annotations of `show_additions`, so that the next drawing of the open document is without them.
void hide_additions(pdfium_page page, int count);

/// Reports the fonts of a page that are not in the document.
void report_fonts(struct work *work, pdfium_page page);

#endif
