// The position of a page in document coordinates, for annotations in other formats.
#include <math.h>

#include "document.h"
#include "report.h"

#define SIDE OFFSTAGE_PAGES_WORD_SIDE

static int32_t thousandths(double value) {
    const double most = INT32_MAX / 1000;
    return (int32_t)lround((isnan(value) ? 0 : fmin(fmax(value, -most), most)) * 1000);
}

void locate_page(struct work *work) {
    pdfium_page page = load_page(work);
    if (!page) return;
    double unit = document_names().has_unit ? user_unit(work->document, (int)work->options->page) : 1;
    static const int corners[3][2] = {{0, 0}, {SIDE, 0}, {0, SIDE}};
    for (int i = 0; i < 3; i++) {
        double x = 0, y = 0;
        pdfium.FPDF_DeviceToPage(page, 0, 0, SIDE, SIDE, 0, corners[i][0], corners[i][1], &x, &y);
        int32_t numbers[4] = {thousandths(x), thousandths(y), i == 0 ? thousandths(unit) : 0};
        add_record(work, OFFSTAGE_PAGES_CORNER, numbers, "", 0);
    }
    pdfium.FPDF_ClosePage(page);
}
