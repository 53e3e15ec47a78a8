// Reports without a picture: the pages, the information and the outline of a document.
#include <math.h>
#include <string.h>
#include <time.h>

#include "document.h"
#include "report.h"

/// The longest text of a record, bytes.
#define TEXT 1024
/// The bytes that a report keeps free, so that its records are whole.
#define RESERVE (4 * TEXT)
/// The most items of an outline: a damaged one may go on for ever.
#define ITEMS 100000
#define LEVELS 32
/// The processor time after which a description ends, to go on with the next job.
#define JOB_TIME (2 * CLOCKS_PER_SEC)

static int32_t thousandths(double points) {
    double value = points * 1000.0;
    return value > 0 && value < INT32_MAX ? (int32_t)lround(value) : value > 0 ? INT32_MAX : 0;
}

/// The text of a function that writes UTF-16 and returns its bytes, with an end.
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

void describe(struct work *work) {
    uint32_t page = work->options->page, first = page;
    struct names names = document_names();
    clock_t start = clock();
    if (page == 0) report_information(work);
    for (; page < work->report.pages; page++) {
        bool is_late = page > first && clock() - start > JOB_TIME;
        if (is_late || work->size > OFFSTAGE_WIRE_PAYLOAD - RESERVE) {
            work->report.facts |= OFFSTAGE_PAGES_MORE;
            work->report.next = page;
            return;
        }
        struct pdfium_size size = {0};
        pdfium.FPDF_GetPageSizeByIndexF(work->document, (int)page, &size);
        unsigned long length = pdfium.FPDF_GetPageLabel(work->document, (int)page, units, sizeof units);
        size_t count = length > sizeof units ? 0 : wide_text(length, units, bytes);
        double unit = names.has_unit ? user_unit(work->document, (int)page) : 1;
        // The library reads the whole page for it.
        int32_t rotation = names.has_rotation && work->options->flags & OFFSTAGE_PAGES_ROTATIONS ? rotation_of(work, page) : 0;
        int32_t numbers[4] = {(int32_t)page, thousandths(size.width * unit), thousandths(size.height * unit), rotation};
        add_record(work, OFFSTAGE_PAGES_PAGE, numbers, bytes, count);
    }
}

static int page_of(struct work *work, pdfium_item item) {
    pdfium_place place = pdfium.FPDFBookmark_GetDest(work->document, item);
    if (!place) {
        pdfium_action action = pdfium.FPDFBookmark_GetAction(item);
        if (action && pdfium.FPDFAction_GetType(action) == PDFIUM_ACTION_GO_TO)
            place = pdfium.FPDFAction_GetDest(work->document, action);
    }
    return place ? pdfium.FPDFDest_GetDestPageIndex(work->document, place) : -1;
}

void list_outline(struct work *work) {
    pdfium_item path[LEVELS] = {pdfium.FPDFBookmark_GetFirstChild(work->document, NULL)};
    int level = 0;
    for (uint32_t number = 0; level >= 0 && number < ITEMS; number++) {
        pdfium_item item = path[level];
        if (!item) {
            // Nothing more on this level.
            if (--level >= 0) path[level] = pdfium.FPDFBookmark_GetNextSibling(work->document, path[level]);
            number--;
            continue;
        }
        if (number >= work->options->page) {
            if (work->size > OFFSTAGE_WIRE_PAYLOAD - RESERVE) {
                work->report.facts |= OFFSTAGE_PAGES_MORE;
                work->report.next = number;
                return;
            }
            unsigned long length = pdfium.FPDFBookmark_GetTitle(item, units, sizeof units);
            size_t count = length > sizeof units ? 0 : wide_text(length, units, bytes);
            add_record(work, OFFSTAGE_PAGES_ITEM, (int32_t[4]){level, page_of(work, item)}, bytes, count);
            }
        pdfium_item child = level + 1 < LEVELS ? pdfium.FPDFBookmark_GetFirstChild(work->document, item) : NULL;
        if (child) path[++level] = child;
        else path[level] = pdfium.FPDFBookmark_GetNextSibling(work->document, item);
    }
}
