#ifndef PAGES_MARKS_H
#define PAGES_MARKS_H

#include "report.h"

/// The maximum number of rectangles of one annotation.
#define MARKS 500
/// The maximum number of points in a mark's line.
#define MARK_POINTS 200

/// A rectangle over words: the ends of its lower side in reading direction, and those of its upper side.
struct mark { struct pdfium_point start, end, upper_start, upper_end; };

/// Finds the rectangles of an annotation whose corners may be in any order. If words run to the right, reorders the corners so
/// that the library can draw them. Returns 0 if it can draw all of them.
size_t find_marks(pdfium_page page, pdfium_annotation annotation, struct mark *marks);

/// Finds the points of a mark's line: below the words, through them, or wavy. Returns their number, at most MARK_POINTS.
size_t mark_line(const struct mark *mark, int kind, struct pdfium_point *points);

/// Draws the rectangles of a highlight as a stamp below the page's annotations. Returns the number of added annotations.
int add_highlight(pdfium_page page, pdfium_annotation annotation, const struct mark *marks, size_t count);

#endif
