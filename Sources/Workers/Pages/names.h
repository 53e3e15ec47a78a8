#ifndef PAGES_NAMES_H
#define PAGES_NAMES_H

#include "pdfium.h"

/// The largest unit: the standard's longest page has 14,400 of them, and no plan is longer than this makes it.
#define MOST_UNIT 10000

/// Features that a document and its pages may have. False: no page has it.
struct names {
    bool has_unit, has_rotation, has_layers;
    /// A page's lower left corner may be somewhere else than at 0, 0.
    bool has_origin;
};

/// Looks for the names in a document's bytes and its packed objects.
struct names names_of(const uint8_t *bytes, size_t size, bool is_encrypted);

/// The length of a page's unit, in points. It takes time in proportion to the page's content.
double user_unit(pdfium_document document, int page);

#endif
