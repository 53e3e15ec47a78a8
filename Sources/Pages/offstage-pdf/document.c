// The open document. Reading a large document again for each page would take longer than drawing the page, and its fonts and
// images are already known.
#include "document.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "fonts.h"
#include "layers.h"
#include "recover.h"

/// The maximum number of jobs for an open document, because its objects in memory grow with each page read.
#define MOST_JOBS 100

static struct {
    pdfium_document document;
    /// The document's name in the options.
    uint8_t name[32];
    /// The document's bytes and those after them, if this program must unmap them.
    const uint8_t *mapped;
    size_t size;
    /// The document with a repaired end, or with other layers; NULL if it is unchanged.
    uint8_t *copy;
    /// The bytes that PDFium reads, and the password.
    const uint8_t *bytes;
    size_t byte_count;
    char *password;
    /// The objects as qpdf reads them, from the first query on.
    qpdf_data objects;
    bool has_no_objects;
    /// True if PDFium's document differs from the file.
    bool is_changed;
    int jobs;
    struct names names;
    uint64_t generation;
} opened;

/// The last document's names, in case it is opened again.
static struct { uint8_t name[32]; struct names names; } last;

struct names document_names(void) { return opened.names; }

uint64_t document_generation(void) { return opened.generation; }

qpdf_data document_objects(void) {
    if (!opened.objects && !opened.has_no_objects) {
        opened.objects = objects_read(opened.bytes, opened.byte_count, opened.password);
        opened.has_no_objects = !opened.objects;
    }
    return opened.objects;
}

pdfium_page document_page(pdfium_document document, int index) {
    pdfium_page page = pdfium.FPDF_LoadPage(document, index);
    if (!page || (pdfium.FPDF_GetPageWidthF(page) > 0 && pdfium.FPDF_GetPageHeightF(page) > 0)) return page;
    // A crop box outside the media box, which viewers then show. PDFium would clip it to the media box.
    pdfium.FPDFPage_SetCropBox(page, -1e9f, -1e9f, 1e9f, 1e9f);
    opened.is_changed = true;
    return page;
}

static void close_document(void) {
    uint64_t generation = opened.generation;
    if (opened.document) pdfium.FPDF_CloseDocument(opened.document);
    if (opened.objects) qpdf_cleanup(&opened.objects);
    if (opened.mapped) munmap((void *)opened.mapped, opened.size);
    free(opened.copy);
    free(opened.password);
    memset(&opened, 0, sizeof opened);
    opened.generation = generation + 1;
}

static pdfium_document load(const uint8_t *bytes, size_t size, const char *password) {
    opened.bytes = bytes;
    opened.byte_count = size;
    pdfium_document document = pdfium.FPDF_LoadMemDocument64(bytes, size, password);
    // Passing a password is harmless if the document needs none.
    if (!document && password && pdfium.FPDF_GetLastError() == PDFIUM_ERROR_PASSWORD) {
        document = pdfium.FPDF_LoadMemDocument64(bytes, size, NULL);
        password = NULL;
    }
    if (document && password && !opened.password) opened.password = strdup(password);
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

/// Reopens the document with the layers that the job requests. False if that is impossible; the reply is then a failure.
static bool set_layers(const char *layers, size_t layers_size, struct offstage_worker_reply *reply) {
    int missing;
    size_t size;
    uint8_t *copy = with_layers(opened.bytes, opened.byte_count, opened.password, layers, layers_size, &size, &missing);
    pdfium.FPDF_CloseDocument(opened.document);
    free(opened.copy);
    opened.copy = copy;
    opened.document = copy ? load(copy, size, NULL) : NULL;
    if (!opened.document) offstage_worker_fail(reply, OFFSTAGE_PAGES_NO_LAYER, missing >= 0 ? (uint64_t)missing + 1 : 0, 0);
    return opened.document != NULL;
}

static struct names find_names(const struct offstage_worker_job *job, const struct offstage_pages_options *options) {
    if (has_name(options) && memcmp(last.name, options->document, sizeof last.name) == 0) return last.names;
    bool is_encrypted = pdfium.FPDF_GetSecurityHandlerRevision(opened.document) > 0;
    struct names names = names_of(job->document, options->document_size, is_encrypted);
    memcpy(last.name, options->document, sizeof last.name);
    last.names = names;
    return names;
}

pdfium_document document_open(
    const struct offstage_worker_job *job, const struct offstage_pages_options *options, struct offstage_worker_reply *reply,
    const char *password, const char *layers) {
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
    opened.names = find_names(job, options);
    if (options->layers_size > 0 && !set_layers(layers, options->layers_size, reply)) {
        close_document();
        return NULL;
    }
    if (has_name(options)) {
        memcpy(opened.name, options->document, sizeof opened.name);
        opened.mapped = job->document;
        opened.size = job->document_size;
        offstage_worker_keep_document(reply);
    }
    return opened.document;
}

void document_release(const struct offstage_pages_options *options, bool is_changed) {
    if (opened.objects) qpdf_oh_release_all(opened.objects);
    // The requested box has replaced the page's own crop box.
    is_changed |= opened.is_changed || options->box != OFFSTAGE_PAGES_CROP;
    bool has_adapted = fonts_have_adapted();
    bool reads_pages = options->job != OFFSTAGE_PAGES_DESCRIBE && options->job != OFFSTAGE_PAGES_OUTLINE;
    if (reads_pages) opened.jobs++;
    if (!has_name(options) || is_changed || has_adapted || opened.jobs >= MOST_JOBS) close_document();
    if (!has_adapted) return;
    // The next page must start with a fresh library, so that pixels do not depend on the order of pages.
    pdfium_restart();
    fonts_offer();
}
