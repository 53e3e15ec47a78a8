// Draws annotations that are not in the document. They become a document of one page, which is drawn over the page, with the same
// appearances as when they are saved.
#include "additions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document.h"
#include "objects.h"

/// The length of the longest name that can be found, including its NUL.
#define LONGEST_NAME 512

static struct page_space box_of(pdfium_page page, double unit) {
    const int side = OFFSTAGE_PAGES_WORD_SIDE;
    double left = 0, top = 0, right = 0, bottom = 0;
    pdfium.FPDF_DeviceToPage(page, 0, 0, side, side, 0, 0, 0, &left, &top);
    pdfium.FPDF_DeviceToPage(page, 0, 0, side, side, 0, side, side, &right, &bottom);
    double sides[4] = {fmin(left, right), fmin(top, bottom), fmax(left, right), fmax(top, bottom)};
    // The library's numbers have no more digits than this.
    for (int i = 0; i < 4; i++) sides[i] = round(sides[i] * 1e4) / 1e4;
    return (struct page_space){sides[0], sides[1], sides[2], sides[3], pdfium.FPDFPage_GetRotation(page) & 3, unit};
}

void find_space(struct work *work, pdfium_page page) {
    double unit = document_names().has_unit ? user_unit(work->document, (int)work->options->page) : 1;
    work->space = box_of(page, unit);
}

static bool is_shown(const struct work *work) {
    return work->added_size > 0 && work->options->flags & OFFSTAGE_PAGES_ANNOTATIONS;
}

bool has_additions(const struct work *work) { return is_shown(work); }

/// Writes the annotations of a job. Returns their number; their objects start with `first`, and `list` names them.
static size_t write_all(struct work *work, struct pdf_writer *writer, struct pdf_buffer *list) {
    size_t count = 0;
    for (size_t at = 0; at < work->added_size;) {
        struct annotation annotation;
        size_t size = annotation_read(work->added + at, work->added_size - at, &annotation);
        if (size == 0) break;
        at += size;
        struct annotation_target target = {.space = &work->space, .number = writer->next, .flags = ANNOTATION_PRINTS};
        struct annotation_problems problems = {0};
        // The number belongs to the annotation only if it is created.
        pdf_reserve(writer);
        if (!annotation_write(writer, &annotation, &target, &problems)) continue;
        if (problems.has_missing) work->report.facts |= OFFSTAGE_PAGES_TEXT_MISSING;
        if (problems.is_cut) work->report.facts |= OFFSTAGE_PAGES_TEXT_CUT;
        pdf_format(list, "%u 0 R ", target.number);
        count++;
    }
    return count;
}

/// Writes a document with the job's annotations, on a page that has the same box as the given page.
static bool write_document(struct work *work, pdfium_page page, struct pdf_writer *writer) {
    enum { CATALOG = 1, PAGES, PAGE, FIRST };
    struct page_space box = box_of(page, 1);
    struct pdf_buffer list = {0}, *out = &writer->out;
    writer->next = FIRST;
    pdf_text(out, "%PDF-1.7\n");
    size_t count = write_all(work, writer, &list);
    pdf_begin(writer, CATALOG, 0);
    pdf_format(out, "<< /Type /Catalog /Pages %d 0 R >>", PAGES);
    pdf_end(writer);
    pdf_begin(writer, PAGES, 0);
    pdf_format(out, "<< /Type /Pages /Count 1 /Kids [%d 0 R] >>", PAGE);
    pdf_end(writer);
    pdf_begin(writer, PAGE, 0);
    pdf_format(
        out, "<< /Type /Page /Parent %d 0 R /MediaBox [%.4f %.4f %.4f %.4f] /Rotate %d /Annots [", PAGES, box.left, box.bottom,
        box.right, box.top, 90 * box.rotation);
    pdf_add(out, list.bytes, list.size);
    pdf_text(out, "] >>");
    pdf_end(writer);
    bool is_whole = count > 0 && !list.has_failed;
    pdf_free(&list);
    size_t start = out->size;
    pdf_text(out, "xref\n0 1\n0000000000 65535 f \n");
    for (size_t i = 0; i < writer->entry_count; i++)
        pdf_format(out, "%u 1\n%010zu 00000 n \n", writer->entries[i].number, writer->entries[i].offset);
    pdf_format(out, "trailer\n<< /Size %u /Root %d 0 R >>\nstartxref\n%zu\n%%%%EOF\n", writer->next, CATALOG, start);
    return is_whole && !writer->has_failed && !out->has_failed;
}

void paint_additions(
    struct work *work, pdfium_page page, pdfium_bitmap bitmap, const struct offstage_pages_geometry *geometry) {
    if (!is_shown(work)) return;
    struct pdf_writer writer = {0};
    bool is_written = write_document(work, page, &writer);
    pdfium_document document = is_written ? pdfium.FPDF_LoadMemDocument64(writer.out.bytes, writer.out.size, NULL) : NULL;
    pdfium_page layer = document ? pdfium.FPDF_LoadPage(document, 0) : NULL;
    if (layer)
        pdfium.FPDF_RenderPageBitmap(
            bitmap, layer, (int)-geometry->left, (int)-geometry->top, (int)geometry->page_width, (int)geometry->page_height,
            (int)work->options->rotation, PDFIUM_DRAW_ANNOTATIONS);
    if (layer) pdfium.FPDF_ClosePage(layer);
    if (document) pdfium.FPDF_CloseDocument(document);
    if (writer.has_failed || writer.out.has_failed) offstage_worker_fail(work->reply, OFFSTAGE_WIRE_NO_MEMORY, 0, 0);
    pdf_writer_free(&writer);
}

/// True if an annotation of the job replaces one with this name, or deletes it.
static bool is_replaced(const struct work *work, const char *name, size_t name_size) {
    for (size_t at = 0, size; at < work->added_size; at += size) {
        struct annotation annotation;
        size = annotation_read(work->added + at, work->added_size - at, &annotation);
        if (size == 0) return false;
        if (annotation.head.identifier_size == name_size && memcmp(annotation.identifier, name, name_size) == 0) return true;
    }
    return false;
}

/// True if an annotation of the job has an identifier that was generated for one of the document's annotations.
static bool has_made_identifier(const struct work *work) {
    for (size_t at = 0, size; at < work->added_size; at += size) {
        struct annotation annotation;
        size = annotation_read(work->added + at, work->added_size - at, &annotation);
        if (size == 0) return false;
        if (annotation.head.identifier_size < 7) continue;
        if (memcmp(annotation.identifier, "object-", 7) == 0 || memcmp(annotation.identifier, "index-", 6) == 0) return true;
    }
    return false;
}

/// Writes the identifier generated from the object number of a document's annotation, or from its index.
static size_t made_identifier(const struct work *work, int index, char *name, size_t most) {
    qpdf_data objects = document_objects();
    qpdf_oh dictionary;
    if (!objects || !objects_annotation(objects, (int)work->options->page, index, &dictionary)) return 0;
    int number = qpdf_oh_get_object_id(objects, dictionary), generation = qpdf_oh_get_generation(objects, dictionary);
    int size = number > 0 ? snprintf(name, most, "object-%d-%d", number, generation) : snprintf(name, most, "index-%d", index);
    return size > 0 && (size_t)size < most ? (size_t)size : 0;
}

void hide_replaced(struct work *work, pdfium_page page) {
    if (!is_shown(work)) return;
    static unsigned short units[LONGEST_NAME];
    static char name[3 * LONGEST_NAME];
    bool has_made = has_made_identifier(work);
    for (int i = 0, count = pdfium.FPDFPage_GetAnnotCount(page); i < count; i++) {
        pdfium_annotation annotation = pdfium.FPDFPage_GetAnnot(page, i);
        if (!annotation) continue;
        unsigned long length = pdfium.FPDFAnnot_GetStringValue(annotation, "NM", units, sizeof units);
        size_t size = length > 2 && length <= sizeof units ? text_utf8(units, length / 2 - 1, name, sizeof name) : 0;
        if (size == 0 && has_made) size = made_identifier(work, i, name, sizeof name);
        int flags = pdfium.FPDFAnnot_GetFlags(annotation);
        if (size > 0 && !(flags & PDFIUM_FLAG_HIDDEN) && is_replaced(work, name, size)) {
            pdfium.FPDFAnnot_SetFlags(annotation, flags | PDFIUM_FLAG_HIDDEN);
            work->has_hidden = true;
        }
        pdfium.FPDFPage_CloseAnnot(annotation);
    }
}
