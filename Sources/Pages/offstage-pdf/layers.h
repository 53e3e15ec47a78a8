#ifndef PAGES_LAYERS_H
#define PAGES_LAYERS_H

#include "objects.h"
#include "report.h"

/// True if content that belongs to a layer or a membership (the value of /OC) is visible on a screen.
bool layer_is_visible(qpdf_data objects, qpdf_oh layer);

/// Finds the annotations of a page that are on hidden layers. Returns a value for each annotation, true if it is hidden, or NULL if
/// none is. The caller frees the array.
bool *annotations_on_hidden_layers(struct work *work, pdfium_page page, int count);

/// Reports the layers of the document and their states.
void report_layers(struct work *work);

/// Returns a copy of a document with layers shown and hidden according to `names`, each ending with a NUL: `+NAME` to show a layer,
/// `-NAME` to hide it. NULL if the document cannot be changed; then `*missing` is the index of a name that no layer has, or -1. The caller
/// frees the copy.
uint8_t *with_layers(
    const uint8_t *bytes, size_t size, const char *password, const char *names, size_t names_size, size_t *new_size, int *missing);

#endif
