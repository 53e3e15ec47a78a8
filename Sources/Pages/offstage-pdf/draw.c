#include "draw.h"

#include <stdlib.h>

#include "additions.h"
#include "appearance.h"
#include "document.h"
#include "layers.h"

/// Replaces the page's crop box, which PDFium draws, with the box that the job requests.
static void choose_box(struct work *work, pdfium_page page) {
    float left = 0, bottom = 0, right = 0, top = 0;
    int has_box = 0;
    switch (work->options->box) {
    // PDFium clips it to the media box.
    case OFFSTAGE_PAGES_MEDIA: return pdfium.FPDFPage_SetCropBox(page, -1e9f, -1e9f, 1e9f, 1e9f);
    case OFFSTAGE_PAGES_TRIM: has_box = pdfium.FPDFPage_GetTrimBox(page, &left, &bottom, &right, &top); break;
    case OFFSTAGE_PAGES_BLEED: has_box = pdfium.FPDFPage_GetBleedBox(page, &left, &bottom, &right, &top); break;
    case OFFSTAGE_PAGES_ART: has_box = pdfium.FPDFPage_GetArtBox(page, &left, &bottom, &right, &top); break;
    default: return;
    }
    if (has_box && left < right && bottom < top) pdfium.FPDFPage_SetCropBox(page, left, bottom, right, top);
}

/// True for a field that the form draws. Without a form, fields are ordinary annotations.
static bool is_field(struct work *work, int kind) {
    return kind == PDFIUM_ANNOTATION_WIDGET && work->report.facts & OFFSTAGE_PAGES_HAS_FORM;
}

/// True if the page has visible annotations, apart from fields. `hidden` has a value for each annotation, or is NULL.
static bool has_annotations(struct work *work, pdfium_page page, const bool *hidden, int hidden_count) {
    bool is_found = false;
    for (int i = 0, count = pdfium.FPDFPage_GetAnnotCount(page); i < count && !is_found; i++) {
        if (hidden && i < hidden_count && hidden[i]) continue;
        pdfium_annotation annotation = pdfium.FPDFPage_GetAnnot(page, i);
        if (!annotation) continue;
        int kind = pdfium.FPDFAnnot_GetSubtype(annotation);
        bool is_hidden = pdfium.FPDFAnnot_GetFlags(annotation) & (PDFIUM_FLAG_HIDDEN | PDFIUM_FLAG_NO_VIEW);
        // A link without a border has no appearance.
        bool is_drawn = kind == PDFIUM_ANNOTATION_LINK ? pdfium.FPDFAnnot_HasKey(annotation, "AP") : kind != PDFIUM_ANNOTATION_POPUP;
        is_found = is_drawn && !is_hidden && !is_field(work, kind);
        pdfium.FPDFPage_CloseAnnot(annotation);
    }
    return is_found;
}

/// The flags of a page's annotations, to hide some from the library temporarily.
struct flags {
    int count;
    /// The annotations' original flags; NULL if none needs to be hidden.
    int *own;
    /// Those on hidden layers, or NULL.
    const bool *hidden;
};

/// Hides annotations from the library, or shows them again: those on hidden layers, and the fields, which would be drawn twice.
static void set_hidden(struct work *work, pdfium_page page, const struct flags *flags, bool hides_layers, bool hides_fields) {
    for (int i = 0; flags->own && i < flags->count; i++) {
        pdfium_annotation annotation = pdfium.FPDFPage_GetAnnot(page, i);
        if (!annotation) continue;
        bool is_hidden = hides_layers && flags->hidden && flags->hidden[i];
        is_hidden |= hides_fields && is_field(work, pdfium.FPDFAnnot_GetSubtype(annotation));
        int wanted = flags->own[i] | (is_hidden ? PDFIUM_FLAG_HIDDEN : 0);
        if (wanted != pdfium.FPDFAnnot_GetFlags(annotation)) pdfium.FPDFAnnot_SetFlags(annotation, wanted);
        pdfium.FPDFPage_CloseAnnot(annotation);
    }
}

static struct flags read_flags(struct work *work, pdfium_page page, const bool *hidden, int count) {
    struct flags flags = {.count = count, .hidden = hidden};
    if (count == 0 || !(hidden || work->report.facts & OFFSTAGE_PAGES_HAS_FORM)) return flags;
    flags.own = calloc((size_t)count, sizeof *flags.own);
    for (int i = 0; flags.own && i < count; i++) {
        pdfium_annotation annotation = pdfium.FPDFPage_GetAnnot(page, i);
        if (!annotation) continue;
        flags.own[i] = pdfium.FPDFAnnot_GetFlags(annotation);
        pdfium.FPDFPage_CloseAnnot(annotation);
    }
    return flags;
}

/// Draws the fields of a form.
static void paint_fields(
    struct work *work, pdfium_page page, pdfium_bitmap bitmap, const struct offstage_pages_geometry *geometry) {
    struct pdfium_form_callbacks callbacks = {.version = 1};
    pdfium_form form = pdfium.FPDFDOC_InitFormFillEnvironment(work->document, &callbacks);
    if (!form) return;
    // Viewers highlight fields while the user fills them in.
    pdfium.FPDF_SetFormFieldHighlightAlpha(form, 0);
    pdfium.FORM_OnAfterLoadPage(page, form);
    pdfium.FPDF_FFLDraw(
        form, bitmap, page, (int)-geometry->left, (int)-geometry->top, (int)geometry->page_width, (int)geometry->page_height,
        (int)work->options->rotation, 0);
    pdfium.FORM_OnBeforeClosePage(page, form);
    pdfium.FPDFDOC_ExitFormFillEnvironment(form);
}

/// Draws the page's own content, then its annotations in their order, then the fields of its form.
static void paint_page(
    struct work *work, pdfium_page page, pdfium_bitmap bitmap, const struct offstage_pages_geometry *geometry,
    const struct flags *flags) {
    uint32_t facts = work->report.facts;
    bool is_annotated = work->options->flags & OFFSTAGE_PAGES_ANNOTATIONS && facts & OFFSTAGE_PAGES_HAS_ANNOTATIONS;
    set_hidden(work, page, flags, true, true);
    hide_replaced(work, page);
    pdfium.FPDF_RenderPageBitmap(
        bitmap, page, (int)-geometry->left, (int)-geometry->top, (int)geometry->page_width, (int)geometry->page_height,
        (int)work->options->rotation, is_annotated ? PDFIUM_DRAW_ANNOTATIONS : 0);
    set_hidden(work, page, flags, true, false);
    paint_additions(work, page, bitmap, geometry);
    if (facts & OFFSTAGE_PAGES_HAS_FORM) paint_fields(work, page, bitmap, geometry);
    set_hidden(work, page, flags, false, false);
}

static void make_opaque(uint8_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++) pixels[4 * i + 3] = 0xff;
}

static void premultiply(uint8_t *pixels, size_t count) {
    for (size_t i = 0; i < 4 * count; i += 4)
        for (size_t part = 0; part < 3; part++) pixels[i + part] = (uint8_t)((pixels[i + part] * pixels[i + 3] + 127) / 255);
}

static void paint(
    struct work *work, pdfium_page page, const struct offstage_pages_geometry *geometry, const struct flags *flags) {
    bool is_clear = work->options->flags & OFFSTAGE_PAGES_TRANSPARENT;
    uint8_t *pixels = offstage_worker_picture(work->reply, (uint64_t)geometry->width, (uint64_t)geometry->height, !is_clear);
    if (!pixels) return;
    int width = (int)geometry->width, height = (int)geometry->height;
    pdfium_bitmap bitmap = pdfium.FPDFBitmap_CreateEx(width, height, is_clear ? PDFIUM_BGRA : PDFIUM_BGRX, pixels, 4 * width);
    if (!bitmap) return offstage_worker_fail(work->reply, OFFSTAGE_WIRE_NO_MEMORY, 0, 0);
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, is_clear ? 0 : 0xffffffff);
    paint_page(work, page, bitmap, geometry, flags);
    pdfium.FPDFBitmap_Destroy(bitmap);
    if (is_clear) premultiply(pixels, (size_t)width * (size_t)height);
    else make_opaque(pixels, (size_t)width * (size_t)height);
}

/// Reports the page's label and rotation.
static void report_page(struct work *work, pdfium_page page) {
    static unsigned short units[256];
    char label[3 * 256];
    int index = (int)work->options->page;
    unsigned long length = pdfium.FPDF_GetPageLabel(work->document, index, units, sizeof units);
    size_t size = length < 2 || length > sizeof units ? 0 : text_utf8(units, length / 2 - 1, label, sizeof label);
    int32_t numbers[4] = {index, 0, 0, (pdfium.FPDFPage_GetRotation(page) & 3) * 90};
    add_record(work, OFFSTAGE_PAGES_PAGE, numbers, label, size);
}

static void draw_box(struct work *work, pdfium_page page) {
    choose_box(work, page);
    double width = pdfium.FPDF_GetPageWidthF(page), height = pdfium.FPDF_GetPageHeightF(page);
    if (!(width > 0) || !(height > 0)) return offstage_worker_fail(work->reply, OFFSTAGE_PAGES_PAGE_DAMAGED, 0, 0);
    double unit = document_names().has_unit ? user_unit(work->document, (int)work->options->page) : 1;
    width *= unit;
    height *= unit;
    bool is_turned = work->options->rotation & 1;
    work->report.width = is_turned ? height : width;
    work->report.height = is_turned ? width : height;
    struct offstage_pages_geometry geometry;
    bool has_pixels = offstage_pages_geometry(work->options, width, height, &geometry);
    uint64_t sides[2] = {(uint64_t)geometry.page_width, (uint64_t)geometry.page_height};
    if (!has_pixels) return offstage_worker_fail(work->reply, OFFSTAGE_PAGES_CLIP_OUTSIDE, sides[0], sides[1]);
    if (sides[0] > OFFSTAGE_PAGES_MOST_SIDE || sides[1] > OFFSTAGE_PAGES_MOST_SIDE)
        return offstage_worker_fail(work->reply, OFFSTAGE_PAGES_TOO_LARGE, sides[0], sides[1]);
    int count = pdfium.FPDFPage_GetAnnotCount(page);
    bool *hidden = annotations_on_hidden_layers(work, page, count);
    struct flags flags = read_flags(work, page, hidden, count);
    add_appearances(work, page, hidden);
    if (has_additions(work) || has_annotations(work, page, hidden, count)) work->report.facts |= OFFSTAGE_PAGES_HAS_ANNOTATIONS;
    paint(work, page, &geometry, &flags);
    remove_appearances(page);
    free(flags.own);
    free(hidden);
    report_page(work, page);
    report_fonts(work, page);
    if (work->options->flags & OFFSTAGE_PAGES_CONTENT) report_content(work, page, &geometry);
}

void draw_page(struct work *work) {
    pdfium_page page = load_page(work);
    if (!page) return;
    find_space(work, page);
    draw_box(work, page);
    pdfium.FPDF_ClosePage(page);
}
