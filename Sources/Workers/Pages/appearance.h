#ifndef PAGES_APPEARANCE_H
#define PAGES_APPEARANCE_H

#include "pdfium.h"

/// Gives an appearance to the annotations of a page that viewers show without one and the library does not: lines, polygons and the
/// borders of links.
void add_appearances(pdfium_page page);

#endif
