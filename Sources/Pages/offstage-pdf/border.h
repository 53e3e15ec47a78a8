#ifndef PAGES_BORDER_H
#define PAGES_BORDER_H

#include "report.h"

/// The maximum number of lengths in a dash pattern.
#define DASHES 8

/// The lines of an annotation, points.
struct border {
    double width;
    double dashes[DASHES];
    size_t dash_count;
    /// True if only the lower side of a rectangle is drawn.
    bool is_underline;
};

/// Reads the lines of an annotation from its border style or its border. `otherwise` is the width of an annotation that has neither.
struct border border_of(struct work *work, pdfium_annotation annotation, int index, double otherwise);

#endif
