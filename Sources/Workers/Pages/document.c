// The open document. To read a large one again for each page takes longer than to draw the page, and its fonts and images are known
// already.
#include "document.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "recover.h"

/// The most jobs for an open document, whose objects in memory grow with the pages that were drawn.
#define MOST_JOBS 100

static struct {
    pdfium_document document;
    /// As the options name it.
    uint8_t name[32];
    /// The document's bytes and what follows them, if this program unmaps them.
    const uint8_t *mapped;
    size_t size;
    /// The document with another end; NULL if it has its own.
    uint8_t *copy;
    int jobs;
    struct names names;
} opened;

struct names document_names(void) { return opened.names; }

static void close_document(void) {
    if (opened.document) pdfium.FPDF_CloseDocument(opened.document);
    if (opened.mapped) munmap((void *)opened.mapped, opened.size);
    free(opened.copy);
    memset(&opened, 0, sizeof opened);
}

/// A password for a document that everybody may read does no harm.
static pdfium_document load(const uint8_t *bytes, size_t size, const char *password) {
    pdfium_document document = pdfium.FPDF_LoadMemDocument64(bytes, size, password);
    if (!document && password && pdfium.FPDF_GetLastError() == PDFIUM_ERROR_PASSWORD)
        document = pdfium.FPDF_LoadMemDocument64(bytes, size, NULL);
    return document;
}

static void fail(struct offstage_worker_reply *reply, bool has_password) {
    switch (pdfium.FPDF_GetLastError()) {
    case PDFIUM_ERROR_PASSWORD: return offstage_worker_fail(reply, OFFSTAGE_PAGES_PASSWORD, has_password, 0);
    case PDFIUM_ERROR_SECURITY: return offstage_worker_fail(reply, OFFSTAGE_PAGES_ENCRYPTION, 0, 0);
    default: return offstage_worker_fail(reply, OFFSTAGE_PAGES_DAMAGED, 0, 0);
    }
}

static bool has_name(const struct offstage_pages_options *options) {
    static const uint8_t none[sizeof options->document];
    return memcmp(options->document, none, sizeof none) != 0;
}

pdfium_document document_open(
    const struct offstage_worker_job *job, const struct offstage_pages_options *options, struct offstage_worker_reply *reply,
    const char *password) {
    bool is_same = opened.document && has_name(options) && memcmp(opened.name, options->document, sizeof opened.name) == 0;
    if (is_same) return opened.document;
    close_document();
    opened.document = load(job->document, options->document_size, password);
    if (!opened.document && pdfium.FPDF_GetLastError() == PDFIUM_ERROR_FORMAT) {
        size_t size;
        opened.copy = with_trailer(job->document, options->document_size, &size);
        if (opened.copy) opened.document = load(opened.copy, size, password);
    }
    if (!opened.document) {
        fail(reply, password != NULL);
        close_document();
        return NULL;
    }
    bool is_encrypted = pdfium.FPDF_GetSecurityHandlerRevision(opened.document) > 0;
    opened.names = names_of(job->document, options->document_size, is_encrypted);
    if (has_name(options)) {
        memcpy(opened.name, options->document, sizeof opened.name);
        opened.mapped = job->document;
        opened.size = job->document_size;
        offstage_worker_keep_document(reply);
    }
    return opened.document;
}

void document_release(const struct offstage_pages_options *options, bool is_changed) {
    // Another box than the crop box has become the page's own.
    is_changed |= options->box != OFFSTAGE_PAGES_CROP;
    if (!has_name(options) || is_changed || ++opened.jobs >= MOST_JOBS) close_document();
}
