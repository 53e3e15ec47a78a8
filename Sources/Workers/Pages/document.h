#ifndef PAGES_DOCUMENT_H
#define PAGES_DOCUMENT_H

#include <offstage_pages.h>
#include <offstage_worker.h>

#include "names.h"

/// The job's document: the one that is open, if it is the same, or opened now. NULL if it cannot be opened; the reply is then a
/// failure. `password` is NULL for none.
pdfium_document document_open(
    const struct offstage_worker_job *job, const struct offstage_pages_options *options, struct offstage_worker_reply *reply,
    const char *password);

/// What the pages of the open document may have.
struct names document_names(void);

/// Ends the job: closes the document, unless the next job may use it. `is_changed`: it may not.
void document_release(const struct offstage_pages_options *options, bool is_changed);

#endif
