#ifndef PAGES_ADDITIONS_H
#define PAGES_ADDITIONS_H

#include "report.h"

/// Remembers the page's box as viewers show it: the places of added annotations are parts of it, whatever box is drawn.
void find_space(struct work *work, pdfium_page page);

/// True if the job's picture has annotations that are not in the document.
bool has_additions(const struct work *work);

/// Hides the page's own annotations that added ones replace. The document must not be used again if `has_hidden` is true then.
void hide_replaced(struct work *work, pdfium_page page);

/// Draws the added annotations over the page.
void paint_additions(
    struct work *work, pdfium_page page, pdfium_bitmap bitmap, const struct offstage_pages_geometry *geometry);

#endif
