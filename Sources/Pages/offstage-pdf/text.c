#include <string.h>

#include "document.h"
#include "report.h"

static size_t encode(uint32_t scalar, char bytes[4]) {
    if (scalar < 0x80) return bytes[0] = (char)scalar, 1;
    if (scalar < 0x800) {
        bytes[0] = (char)(0xc0 | scalar >> 6);
        bytes[1] = (char)(0x80 | (scalar & 0x3f));
        return 2;
    }
    if (scalar < 0x10000) {
        bytes[0] = (char)(0xe0 | scalar >> 12);
        bytes[1] = (char)(0x80 | (scalar >> 6 & 0x3f));
        bytes[2] = (char)(0x80 | (scalar & 0x3f));
        return 3;
    }
    bytes[0] = (char)(0xf0 | scalar >> 18);
    bytes[1] = (char)(0x80 | (scalar >> 12 & 0x3f));
    bytes[2] = (char)(0x80 | (scalar >> 6 & 0x3f));
    bytes[3] = (char)(0x80 | (scalar & 0x3f));
    return 4;
}

size_t text_utf8(const unsigned short *units, size_t count, char *bytes, size_t most) {
    size_t size = 0;
    bool is_after_space = true;
    for (size_t i = 0; i < count; i++) {
        uint32_t scalar = units[i];
        if (scalar >= 0xd800 && scalar < 0xdc00 && i + 1 < count && (units[i + 1] & 0xfc00) == 0xdc00)
            scalar = 0x10000 + ((scalar & 0x3ff) << 10 | (units[++i] & 0x3ffu));
        else if ((scalar & 0xf800) == 0xd800) scalar = 0xfffd;
        // The library's mark for a hyphen at the end of a line, and a soft hyphen: the word continues.
        if (scalar == 0xfffe || scalar == 2 || scalar == 0xad) continue;
        bool is_space = scalar <= 0x20 || (scalar >= 0x7f && scalar <= 0xa0) || scalar == 0x2028 || scalar == 0x2029;
        if (is_space && is_after_space) continue;
        is_after_space = is_space;
        char one[4];
        size_t length = encode(is_space ? ' ' : scalar, one);
        if (length > most - size) break;
        memcpy(bytes + size, one, length);
        size += length;
    }
    while (size > 0 && bytes[size - 1] == ' ') size--;
    return size;
}

/// The report. There is only one job at a time.
static char report[OFFSTAGE_WIRE_PAYLOAD];

bool add_record(struct work *work, enum offstage_pages_record_kind kind, const int32_t numbers[4], const char *text, size_t size) {
    struct offstage_pages_record record = {.kind = kind, .size = (uint32_t)size};
    if (size > sizeof report || sizeof record + size > sizeof report - work->size) return false;
    memcpy(record.numbers, numbers, sizeof record.numbers);
    memcpy(report + work->size, &record, sizeof record);
    memcpy(report + work->size + sizeof record, text, size);
    work->size += sizeof record + size;
    return true;
}

void finish_report(struct work *work) {
    memcpy(report, &work->report, sizeof work->report);
    offstage_worker_report(work->reply, report, work->size);
}

pdfium_page load_page(struct work *work) {
    if (work->options->page >= work->report.pages) {
        offstage_worker_fail(work->reply, OFFSTAGE_PAGES_NO_PAGE, work->report.pages, 0);
        return NULL;
    }
    pdfium_page page = document_page(work->document, (int)work->options->page);
    if (!page) offstage_worker_fail(work->reply, OFFSTAGE_PAGES_PAGE_DAMAGED, 0, 0);
    return page;
}
