#ifndef PAGES_TARGETS_H
#define PAGES_TARGETS_H

#include "report.h"

/// The longest target, bytes, with its end.
#define TARGET 4096

/// Where a link or an item of the outline leads.
struct target {
    /// From 0, or -1 for none in this document.
    int page;
    /// From the upper edge of the page as it is shown in its natural size, CSS px; -1 if the target names no place in the page.
    double top;
    /// The target as a link says it: `#page=5&y=120`, `other.pdf#page=3` or a URI. Empty for none.
    char text[TARGET];
};

/// Finds out where an action, or without one a place, leads. Either may be NULL.
void find_target(struct work *work, pdfium_action action, pdfium_place place, struct target *target);

/// The target of a named action, such as the next page, of an annotation. False if it has none.
bool find_named_action(struct work *work, int annotation, struct target *target);

#endif
