// Reports the pages, the layers and the information of a document, without drawing a picture.
#include <math.h>
#include <string.h>
#include <time.h>

#include "document.h"
#include "layers.h"
#include "report.h"

/// The maximum length of a record's text, bytes.
#define TEXT 1024
/// The number of bytes to keep free in a report, so that records stay complete.
#define RESERVE (4 * TEXT)
/// The processor time after which a description continues in the next job.
#define JOB_TIME (2 * CLOCKS_PER_SEC)

static int32_t thousandths(double points) {
    double value = points * 1000.0;
    return value > 0 && value < INT32_MAX ? (int32_t)lround(value) : value > 0 ? INT32_MAX : 0;
}

/// Converts the text from a library function that writes UTF-16 and returns its size in bytes, including a NUL.
static size_t wide_text(unsigned long length, const unsigned short *units, char *bytes) {
    return length < 2 ? 0 : text_utf8(units, length / 2 - 1, bytes, TEXT);
}

static unsigned short units[2048];
static char bytes[2 * TEXT];

static void report_information(struct work *work) {
    static const char *const keys[] = {"Title", "Author", "Subject", "Keywords", "Creator", "Producer", "CreationDate", "ModDate"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        unsigned long length = pdfium.FPDF_GetMetaText(work->document, keys[i], units, sizeof units);
        if (length > sizeof units) continue;
        size_t start = strlen(keys[i]) + 1;
        memcpy(bytes, keys[i], start);
        size_t size = wide_text(length, units, bytes + start);
        if (size > 0) add_record(work, OFFSTAGE_PAGES_INFORMATION, (int32_t[4]){0}, bytes, start + size);
    }
}

/// The page's own rotation, degrees.
static int32_t rotation_of(struct work *work, uint32_t index) {
    pdfium_page page = pdfium.FPDF_LoadPage(work->document, (int)index);
    if (!page) return 0;
    int turns = pdfium.FPDFPage_GetRotation(page);
    pdfium.FPDF_ClosePage(page);
    return (turns & 3) * 90;
}

/// The size of a page whose crop box is outside of its media box.
static struct pdfium_size size_of(struct work *work, uint32_t index) {
    pdfium_page page = document_page(work->document, (int)index);
    if (!page) return (struct pdfium_size){0};
    struct pdfium_size size = {pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)};
    pdfium.FPDF_ClosePage(page);
    return size;
}

void describe(struct work *work) {
    uint32_t page = work->options->page, first = page;
    struct names names = document_names();
    clock_t start = clock();
    if (page == 0) {
        report_information(work);
        report_layers(work);
    }
    for (; page < work->report.pages; page++) {
        bool is_late = page > first && clock() - start > JOB_TIME;
        if (is_late || work->size > OFFSTAGE_WIRE_PAYLOAD - RESERVE) {
            work->report.facts |= OFFSTAGE_PAGES_MORE;
            work->report.next = page;
            return;
        }
        struct pdfium_size size = {0};
        pdfium.FPDF_GetPageSizeByIndexF(work->document, (int)page, &size);
        if (!(size.width > 0) || !(size.height > 0)) size = size_of(work, page);
        unsigned long length = pdfium.FPDF_GetPageLabel(work->document, (int)page, units, sizeof units);
        size_t count = length > sizeof units ? 0 : wide_text(length, units, bytes);
        double unit = names.has_unit ? user_unit(work->document, (int)page) : 1;
        // The library reads the whole page for this.
        int32_t rotation = names.has_rotation && work->options->flags & OFFSTAGE_PAGES_ROTATIONS ? rotation_of(work, page) : 0;
        int32_t numbers[4] = {(int32_t)page, thousandths(size.width * unit), thousandths(size.height * unit), rotation};
        add_record(work, OFFSTAGE_PAGES_PAGE, numbers, bytes, count);
    }
}
