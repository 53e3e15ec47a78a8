#ifndef PAGES_APPEARANCE_H
#define PAGES_APPEARANCE_H

#include "report.h"

/// Gives annotations without an appearance one, where the library has none or a wrong one for them: lines, polygons, borders of links, and
/// marks whose corners are in another order than the library's. `hidden` has a value for each annotation, or is NULL.
void add_appearances(struct work *work, pdfium_page page, const bool *hidden);

/// Takes them away, so that the open document is as before.
void remove_appearances(pdfium_page page);

#endif
