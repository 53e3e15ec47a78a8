#ifndef PAGES_ADDITIONS_H
#define PAGES_ADDITIONS_H

#include "report.h"

/// Remembers the page's box as viewers show it. The positions of added annotations are fractions of this box, whichever box is
/// drawn.
void find_space(struct work *work, pdfium_page page);

/// True if the job's picture has annotations that are not in the document.
bool has_additions(const struct work *work);

/// Hides the page's own annotations that added ones replace. If `has_hidden` is true afterwards, the document must not be reused.
void hide_replaced(struct work *work, pdfium_page page);

/// Draws the added annotations over the page.
void paint_additions(
    struct work *work, pdfium_page page, pdfium_bitmap bitmap, const struct offstage_pages_geometry *geometry);

#endif
