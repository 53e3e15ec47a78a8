#ifndef PAGES_OBJECTS_H
#define PAGES_OBJECTS_H

#include <qpdf/qpdf-c.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Opens a document's objects with qpdf, for entries that PDFium's interface does not expose. `password` may be NULL. The bytes
/// must stay valid. Returns NULL if qpdf cannot read the document.
qpdf_data objects_read(const uint8_t *bytes, size_t size, const char *password);

/// Finds a page's dictionary. `index` is from 0. False if the page does not exist.
bool objects_page(qpdf_data objects, int index, qpdf_oh *page);

/// Finds an entry that a page can inherit, such as "/Rotate". False if the page lacks it.
bool objects_inherited(qpdf_data objects, qpdf_oh page, const char *key, qpdf_oh *value);

/// Finds an annotation of a page. False if the annotation does not exist.
bool objects_annotation(qpdf_data objects, int page, int index, qpdf_oh *annotation);

/// Returns the number, or `otherwise` if the value is not a usable number.
double objects_number(qpdf_data objects, qpdf_oh value, double otherwise);

/// True if the object is an array that contains a reference to the other object.
bool objects_contain(qpdf_data objects, qpdf_oh array, qpdf_oh object);

#endif
