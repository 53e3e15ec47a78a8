#ifndef PAGES_APPEARANCE_H
#define PAGES_APPEARANCE_H

#include "report.h"

/// Adds appearances to annotations that lack one, if the library has none or a wrong one for them: lines, polygons, link borders,
/// and marks whose corners are in a different order from the one that the library expects. `hidden` has a value for each annotation, or is NULL.
void add_appearances(struct work *work, pdfium_page page, const bool *hidden);

/// Removes the added appearances, so that the open document is as before.
void remove_appearances(pdfium_page page);

#endif
