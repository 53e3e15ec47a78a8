#ifndef PAGES_DOCUMENT_H
#define PAGES_DOCUMENT_H

#include <offstage_pages.h>
#include <offstage_worker.h>

#include "names.h"
#include "objects.h"

/// Returns the job's document: the open one if it is the same, otherwise a newly opened one. NULL if it cannot be opened; the reply is then
/// a failure. `password` is NULL for none. `layers` lists the names to show and to hide; its size is in the options.
pdfium_document document_open(
    const struct offstage_worker_job *job, const struct offstage_pages_options *options, struct offstage_worker_reply *reply,
    const char *password, const char *layers);

/// The features that the pages of the open document may have.
struct names document_names(void);

/// A unique number for each opened document.
uint64_t document_generation(void);

/// The objects of the open document; NULL if qpdf cannot read it. Its handles are valid until the job ends.
qpdf_data document_objects(void);

/// Loads a page as viewers show it. NULL if it cannot be read. The caller closes it.
pdfium_page document_page(pdfium_document document, int index);

/// Ends the job. Closes the document, unless the next job may use it. `is_changed` prevents that.
void document_release(const struct offstage_pages_options *options, bool is_changed);

#endif
