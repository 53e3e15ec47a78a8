#ifndef PAGES_DRAW_H
#define PAGES_DRAW_H

#include "report.h"

/// Draws a page, and reports its size, its fonts and, if asked, its content.
void draw_page(struct work *work);

#endif
