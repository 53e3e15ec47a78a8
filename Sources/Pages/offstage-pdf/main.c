// The worker program that draws PDF pages. Arguments: the path of PDFium's library, then those of the fonts.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "document.h"
#include "draw.h"
#include "fonts.h"
#include "report.h"

static char *const *paths;
static int path_count;
static bool has_library;

/// The form library asks for the local time. For each call, the C library reads the time zone file, which the jail forbids,
/// unless TZ is unchanged since the previous call. The jail removes the variable.
static void set_zone(void) { setenv("TZ", "UTC0", 1); }

static void prepare(void) {
    set_zone();
    tzset();
    if (path_count < 1) return;
    has_library = pdfium_load(paths[0]);
    if (!has_library) return;
    fonts_load(paths + 1, path_count - 1);
    annotation_load_fonts(paths + 1, path_count - 1);
    fonts_offer();
}

/// Reads the header of a document. False if it has no pages; the reply is then a failure.
static bool look(struct work *work) {
    int pages = pdfium.FPDF_GetPageCount(work->document);
    int revision = pdfium.FPDF_GetSecurityHandlerRevision(work->document);
    work->report.version = OFFSTAGE_PAGES_VERSION;
    work->report.pages = pages > 0 ? (uint32_t)pages : 0;
    if (!pdfium.FPDF_DocumentHasValidCrossReferenceTable(work->document)) work->report.facts |= OFFSTAGE_PAGES_REPAIRED;
    if (pdfium.FPDF_GetFormType(work->document) != 0) work->report.facts |= OFFSTAGE_PAGES_HAS_FORM;
    if (revision > 0) {
        work->report.facts |= OFFSTAGE_PAGES_ENCRYPTED;
        work->report.encryption = (uint32_t)revision;
        work->report.permissions = (uint32_t)pdfium.FPDF_GetDocPermissions(work->document);
    }
    if (pages > 0) return true;
    offstage_worker_fail(work->reply, OFFSTAGE_PAGES_DAMAGED, 0, 0);
    return false;
}

static void answer(struct work *work) {
    if (!look(work)) return;
    switch (work->options->job) {
    case OFFSTAGE_PAGES_DRAW: draw_page(work); break;
    case OFFSTAGE_PAGES_DESCRIBE: describe(work); break;
    case OFFSTAGE_PAGES_OUTLINE: list_outline(work); break;
    case OFFSTAGE_PAGES_WORDS: list_words(work); break;
    case OFFSTAGE_PAGES_LOCATE: locate_page(work); break;
    default: offstage_worker_fail(work->reply, OFFSTAGE_PAGES_BAD_OPTIONS, 0, 0);
    }
    finish_report(work);
}

static void draw_document(const struct offstage_worker_job *job, struct work *work, const char *password, const char *layers) {
    work->document = document_open(job, work->options, work->reply, password, layers);
    if (!work->document) return;
    answer(work);
    document_release(work->options, work->has_hidden);
}

static void draw(const struct offstage_worker_job *job, struct offstage_worker_reply *reply) {
    if (!has_library) return offstage_worker_fail(reply, OFFSTAGE_PAGES_NO_LIBRARY, 0, 0);
    set_zone();
    struct offstage_pages_options options;
    if (job->options_size < sizeof options) return offstage_worker_fail(reply, OFFSTAGE_PAGES_BAD_OPTIONS, 0, 0);
    memcpy(&options, job->options, sizeof options);
    size_t rest = job->options_size - sizeof options;
    bool is_whole = options.password_size <= rest && options.layers_size <= rest - options.password_size;
    is_whole = is_whole && options.document_size <= job->document_size;
    const char *layers = (const char *)job->options + sizeof options + options.password_size;
    // Each name must end with a NUL.
    if (is_whole && options.layers_size > 0) is_whole = layers[options.layers_size - 1] == 0;
    if (options.version != OFFSTAGE_PAGES_VERSION || !is_whole)
        return offstage_worker_fail(reply, OFFSTAGE_PAGES_BAD_OPTIONS, 0, 0);
    // Adds a NUL, which the options lack.
    char *password = calloc(1, (size_t)options.password_size + 1);
    if (!password) return offstage_worker_fail(reply, OFFSTAGE_WIRE_NO_MEMORY, 0, 0);
    memcpy(password, job->options + sizeof options, options.password_size);
    struct work work = {.options = &options, .reply = reply, .size = sizeof(struct offstage_pages_report)};
    size_t start = (options.document_size + 3) & ~(size_t)3;
    if (options.job == OFFSTAGE_PAGES_DRAW && start < job->document_size) {
        work.added = job->document + start;
        work.added_size = job->document_size - start;
    }
    draw_document(job, &work, options.password_size > 0 ? password : NULL, layers);
    free(password);
}

int main(int count, char **arguments) {
    paths = arguments + 1;
    path_count = count - 1;
    return offstage_worker_run(&(struct offstage_worker_program){.prepare = prepare, .draw = draw});
}
