#ifndef PAGES_ANNOTATIONS_H
#define PAGES_ANNOTATIONS_H

#include "report.h"

#define SIDE OFFSTAGE_PAGES_WORD_SIDE
/// The most points of an annotation, and the most text, UTF-16 units.
#define POINTS 6000
#define STROKES 2000
#define TEXT 2000

/// A point of the page as it is shown, in the page's own coordinates.
struct pdfium_point page_point(pdfium_page page, const int32_t *place);

/// Adds the words of a free text, as a stamp for a drawing. False if the library refuses it.
bool add_text(
    struct work *work, pdfium_page page, const struct offstage_pages_annotation *head, const unsigned short *text);

#endif
