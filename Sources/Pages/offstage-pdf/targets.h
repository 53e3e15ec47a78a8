#ifndef PAGES_TARGETS_H
#define PAGES_TARGETS_H

#include "report.h"

/// The maximum length of a target in bytes, with its NUL.
#define TARGET 4096

/// The target of a link or an outline item.
struct target {
    /// From 0, or -1 for none in this document.
    int page;
    /// The position from the upper edge of the displayed page at its natural size, CSS px; -1 if the target does not specify one.
    double top;
    /// The target in the form of a link: `#page=5&y=120`, `other.pdf#page=3` or a URI. Empty for none.
    char text[TARGET];
};

/// Finds the target of an action or, without an action, of a destination. Either may be NULL.
void find_target(struct work *work, pdfium_action action, pdfium_place place, struct target *target);

/// Finds the target of an annotation's named action, such as the next page. False if it has none.
bool find_named_action(struct work *work, int annotation, struct target *target);

#endif
