#ifndef PAGES_NAMES_H
#define PAGES_NAMES_H

#include "pdfium.h"

/// The maximum unit. The standard's longest page has 14,400 units, and at this size no plan is longer.
#define MOST_UNIT 10000

/// Features that a document and its pages may have. False: no page has it.
struct names {
    bool has_unit, has_rotation, has_layers;
    /// True if a page's lower left corner may not be at 0, 0.
    bool has_origin;
};

/// Searches a document's bytes and its packed objects for the names.
struct names names_of(const uint8_t *bytes, size_t size, bool is_encrypted);

/// The length of a page's unit, in points. Takes time in proportion to the page's content.
double user_unit(pdfium_document document, int page);

#endif
