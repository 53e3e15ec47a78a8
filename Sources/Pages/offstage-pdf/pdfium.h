// The part of PDFium's C interface that the worker uses. The library is loaded at run time, so that its absence causes a clear
// error. These are our own declarations of its functions.
#ifndef PDFIUM_H
#define PDFIUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pdfium_document *pdfium_document;
typedef struct pdfium_page *pdfium_page;
typedef struct pdfium_bitmap *pdfium_bitmap;
typedef struct pdfium_form *pdfium_form;
typedef struct pdfium_annotation *pdfium_annotation;
typedef struct pdfium_object *pdfium_object;
typedef struct pdfium_font *pdfium_font;
typedef struct pdfium_text *pdfium_text;
typedef struct pdfium_link *pdfium_link;
typedef struct pdfium_action *pdfium_action;
typedef struct pdfium_place *pdfium_place;
typedef struct pdfium_item *pdfium_item;

enum {
    PDFIUM_ERROR_FORMAT = 3,
    PDFIUM_ERROR_PASSWORD = 4,
    PDFIUM_ERROR_SECURITY = 5,
    /// A bitmap's format: four bytes per pixel, the last one unused.
    PDFIUM_BGRX = 3,
    /// The last one is the opacity; the others are not premultiplied.
    PDFIUM_BGRA = 4,
    /// Draw annotations.
    PDFIUM_DRAW_ANNOTATIONS = 1,
    PDFIUM_ANNOTATION_LINK = 2,
    PDFIUM_ANNOTATION_TEXT = 1,
    PDFIUM_ANNOTATION_FREE_TEXT = 3,
    PDFIUM_ANNOTATION_LINE = 4,
    PDFIUM_ANNOTATION_HIGHLIGHT = 9,
    PDFIUM_ANNOTATION_UNDERLINE = 10,
    PDFIUM_ANNOTATION_SQUIGGLY = 11,
    PDFIUM_ANNOTATION_STRIKEOUT = 12,
    PDFIUM_ANNOTATION_STAMP = 13,
    PDFIUM_ANNOTATION_INK = 15,
    PDFIUM_FLAG_PRINT = 4,
    PDFIUM_INCREMENTAL = 1,
    PDFIUM_WHOLE = 2,
    PDFIUM_ANNOTATION_POLYGON = 7,
    PDFIUM_ANNOTATION_POLYLINE = 8,
    PDFIUM_ANNOTATION_POPUP = 16,
    PDFIUM_ANNOTATION_WIDGET = 20,
    PDFIUM_FLAG_HIDDEN = 2,
    PDFIUM_FLAG_NO_VIEW = 32,
    PDFIUM_OBJECT_TEXT = 1,
    PDFIUM_OBJECT_FORM = 5,
    PDFIUM_FONT_TRUETYPE = 2,
    PDFIUM_ACTION_GO_TO = 1,
    PDFIUM_ACTION_REMOTE = 2,
    PDFIUM_ACTION_URI = 3,
    PDFIUM_ACTION_LAUNCH = 4,
    PDFIUM_ACTION_EMBEDDED = 5,
    /// The view types of a destination.
    PDFIUM_VIEW_PLACE = 1,
    PDFIUM_VIEW_WIDTH = 3,
    PDFIUM_VIEW_BOX = 5,
    PDFIUM_VIEW_CONTENT_WIDTH = 7,
};

struct pdfium_config {
    int version;
    const char **font_paths;
    void *isolate;
    unsigned slot;
};

/// Callbacks of interactive forms, all of them optional. Larger than the library's structure.
struct pdfium_form_callbacks {
    int version;
    void *callbacks[63];
};

struct pdfium_size { float width, height; };
struct pdfium_box { float left, top, right, bottom; };
struct pdfium_point { float x, y; };
struct pdfium_quad { float x1, y1, x2, y2, x3, y3, x4, y4; };

/// Receives a saved document.
struct pdfium_writer {
    int version;
    int (*write)(struct pdfium_writer *, const void *, unsigned long);
};

/// Provides fonts that are not in the document.
struct pdfium_fonts {
    int version;
    void (*release)(struct pdfium_fonts *);
    void (*list)(struct pdfium_fonts *, void *mapper);
    void *(*map)(struct pdfium_fonts *, int weight, int is_italic, int charset, int pitch, const char *face, int *is_exact);
    void *(*find)(struct pdfium_fonts *, const char *face);
    unsigned long (*read)(struct pdfium_fonts *, void *font, unsigned table, unsigned char *bytes, unsigned long size);
    unsigned long (*name)(struct pdfium_fonts *, void *font, char *name, unsigned long size);
    int (*charset)(struct pdfium_fonts *, void *font);
    void (*forget)(struct pdfium_fonts *, void *font);
};

// Result type, function name, arguments.
#define PDFIUM_FUNCTIONS(X) \
    X(void, FPDF_InitLibraryWithConfig, (const struct pdfium_config *)) \
    X(void, FPDF_DestroyLibrary, (void)) \
    X(void, FPDF_SetSystemFontInfo, (struct pdfium_fonts *)) \
    X(unsigned long, FPDF_GetLastError, (void)) \
    X(pdfium_document, FPDF_LoadMemDocument64, (const void *, size_t, const char *)) \
    X(void, FPDF_CloseDocument, (pdfium_document)) \
    X(int, FPDF_DocumentHasValidCrossReferenceTable, (pdfium_document)) \
    X(int, FPDF_GetPageCount, (pdfium_document)) \
    X(unsigned long, FPDF_GetDocPermissions, (pdfium_document)) \
    X(int, FPDF_GetSecurityHandlerRevision, (pdfium_document)) \
    X(unsigned long, FPDF_GetMetaText, (pdfium_document, const char *, void *, unsigned long)) \
    X(unsigned long, FPDF_GetPageLabel, (pdfium_document, int, void *, unsigned long)) \
    X(int, FPDF_GetPageSizeByIndexF, (pdfium_document, int, struct pdfium_size *)) \
    X(pdfium_page, FPDF_LoadPage, (pdfium_document, int)) \
    X(void, FPDF_ClosePage, (pdfium_page)) \
    X(float, FPDF_GetPageWidthF, (pdfium_page)) \
    X(float, FPDF_GetPageHeightF, (pdfium_page)) \
    X(void, FPDFPage_SetCropBox, (pdfium_page, float, float, float, float)) \
    X(int, FPDFPage_GetTrimBox, (pdfium_page, float *, float *, float *, float *)) \
    X(int, FPDFPage_GetBleedBox, (pdfium_page, float *, float *, float *, float *)) \
    X(int, FPDFPage_GetArtBox, (pdfium_page, float *, float *, float *, float *)) \
    X(pdfium_bitmap, FPDFBitmap_CreateEx, (int, int, int, void *, int)) \
    X(int, FPDFBitmap_FillRect, (pdfium_bitmap, int, int, int, int, uint32_t)) \
    X(void, FPDFBitmap_Destroy, (pdfium_bitmap)) \
    X(void, FPDF_RenderPageBitmap, (pdfium_bitmap, pdfium_page, int, int, int, int, int, int)) \
    X(int, FPDF_PageToDevice, (pdfium_page, int, int, int, int, int, double, double, int *, int *)) \
    X(int, FPDF_GetFormType, (pdfium_document)) \
    X(pdfium_form, FPDFDOC_InitFormFillEnvironment, (pdfium_document, struct pdfium_form_callbacks *)) \
    X(void, FPDFDOC_ExitFormFillEnvironment, (pdfium_form)) \
    X(void, FPDF_SetFormFieldHighlightAlpha, (pdfium_form, unsigned char)) \
    X(void, FORM_OnAfterLoadPage, (pdfium_page, pdfium_form)) \
    X(void, FORM_OnBeforeClosePage, (pdfium_page, pdfium_form)) \
    X(void, FPDF_FFLDraw, (pdfium_form, pdfium_bitmap, pdfium_page, int, int, int, int, int, int)) \
    X(int, FPDFPage_GetAnnotCount, (pdfium_page)) \
    X(pdfium_annotation, FPDFPage_GetAnnot, (pdfium_page, int)) \
    X(void, FPDFPage_CloseAnnot, (pdfium_annotation)) \
    X(int, FPDFAnnot_GetSubtype, (pdfium_annotation)) \
    X(int, FPDFAnnot_GetFlags, (pdfium_annotation)) \
    X(int, FPDFAnnot_SetFlags, (pdfium_annotation, int)) \
    X(int, FPDFAnnot_HasKey, (pdfium_annotation, const char *)) \
    X(int, FPDFAnnot_GetRect, (pdfium_annotation, struct pdfium_box *)) \
    X(int, FPDFAnnot_GetNumberValue, (pdfium_annotation, const char *, float *)) \
    X(int, FPDFAnnot_GetLine, (pdfium_annotation, struct pdfium_point *, struct pdfium_point *)) \
    X(unsigned long, FPDFAnnot_GetVertices, (pdfium_annotation, struct pdfium_point *, unsigned long)) \
    X(int, FPDFAnnot_GetColor, (pdfium_annotation, int, unsigned *, unsigned *, unsigned *, unsigned *)) \
    X(int, FPDFAnnot_GetBorder, (pdfium_annotation, float *, float *, float *)) \
    X(int, FPDFAnnot_GetObjectCount, (pdfium_annotation)) \
    X(pdfium_object, FPDFAnnot_GetObject, (pdfium_annotation, int)) \
    X(int, FPDFPath_GetDrawMode, (pdfium_object, int *, int *)) \
    X(int, FPDFPageObj_GetStrokeColor, (pdfium_object, unsigned *, unsigned *, unsigned *, unsigned *)) \
    X(int, FPDFPageObj_GetFillColor, (pdfium_object, unsigned *, unsigned *, unsigned *, unsigned *)) \
    X(int, FPDFPageObj_GetStrokeWidth, (pdfium_object, float *)) \
    X(pdfium_annotation, FPDFPage_CreateAnnot, (pdfium_page, int)) \
    X(int, FPDFPage_RemoveAnnot, (pdfium_page, int)) \
    X(int, FPDFAnnot_AppendObject, (pdfium_annotation, pdfium_object)) \
    X(pdfium_object, FPDFPageObj_CreateNewPath, (float, float)) \
    X(int, FPDFPath_MoveTo, (pdfium_object, float, float)) \
    X(int, FPDFPath_LineTo, (pdfium_object, float, float)) \
    X(int, FPDFPath_BezierTo, (pdfium_object, float, float, float, float, float, float)) \
    X(int, FPDFPath_Close, (pdfium_object)) \
    X(int, FPDFPath_SetDrawMode, (pdfium_object, int, int)) \
    X(int, FPDFPageObj_SetFillColor, (pdfium_object, unsigned, unsigned, unsigned, unsigned)) \
    X(void, FPDFPageObj_SetBlendMode, (pdfium_object, const char *)) \
    X(pdfium_font, FPDFText_LoadFont, (pdfium_document, const uint8_t *, uint32_t, int, int)) \
    X(void, FPDFFont_Close, (pdfium_font)) \
    X(int, FPDFFont_GetGlyphWidth, (pdfium_font, uint32_t, float, float *)) \
    X(pdfium_object, FPDFPageObj_CreateTextObj, (pdfium_document, pdfium_font, float)) \
    X(int, FPDFText_SetText, (pdfium_object, const unsigned short *)) \
    X(void, FPDFPageObj_Transform, (pdfium_object, double, double, double, double, double, double)) \
    X(void, FPDFPageObj_Destroy, (pdfium_object)) \
    X(int, FPDFAnnot_SetRect, (pdfium_annotation, const struct pdfium_box *)) \
    X(int, FPDFAnnot_SetColor, (pdfium_annotation, int, unsigned, unsigned, unsigned, unsigned)) \
    X(int, FPDFAnnot_SetBorder, (pdfium_annotation, float, float, float)) \
    X(int, FPDFAnnot_SetStringValue, (pdfium_annotation, const char *, const unsigned short *)) \
    X(unsigned long, FPDFAnnot_GetStringValue, (pdfium_annotation, const char *, unsigned short *, unsigned long)) \
    X(int, FPDFAnnot_AppendAttachmentPoints, (pdfium_annotation, const struct pdfium_quad *)) \
    X(size_t, FPDFAnnot_CountAttachmentPoints, (pdfium_annotation)) \
    X(int, FPDFAnnot_GetAttachmentPoints, (pdfium_annotation, size_t, struct pdfium_quad *)) \
    X(int, FPDFAnnot_SetAttachmentPoints, (pdfium_annotation, size_t, const struct pdfium_quad *)) \
    X(int, FPDFAnnot_AddInkStroke, (pdfium_annotation, const struct pdfium_point *, size_t)) \
    X(unsigned long, FPDFAnnot_GetInkListCount, (pdfium_annotation)) \
    X(unsigned long, FPDFAnnot_GetInkListPath, (pdfium_annotation, unsigned long, struct pdfium_point *, unsigned long)) \
    X(pdfium_document, FPDF_CreateNewDocument, (void)) \
    X(int, FPDF_ImportPagesByIndex, (pdfium_document, pdfium_document, const int *, unsigned long, int)) \
    X(int, FPDF_SaveAsCopy, (pdfium_document, struct pdfium_writer *, unsigned long)) \
    X(int, FPDF_DeviceToPage, (pdfium_page, int, int, int, int, int, int, int, double *, double *)) \
    X(int, FPDFAnnot_SetAP, (pdfium_annotation, int, const unsigned short *)) \
    X(int, FPDFPage_GetRotation, (pdfium_page)) \
    X(int, FPDFPage_CountObjects, (pdfium_page)) \
    X(pdfium_object, FPDFPage_GetObject, (pdfium_page, int)) \
    X(int, FPDFPageObj_GetType, (pdfium_object)) \
    X(int, FPDFFormObj_CountObjects, (pdfium_object)) \
    X(pdfium_object, FPDFFormObj_GetObject, (pdfium_object, unsigned long)) \
    X(pdfium_font, FPDFTextObj_GetFont, (pdfium_object)) \
    X(int, FPDFFont_GetIsEmbedded, (pdfium_font)) \
    X(size_t, FPDFFont_GetBaseFontName, (pdfium_font, char *, size_t)) \
    X(pdfium_text, FPDFText_LoadPage, (pdfium_page)) \
    X(void, FPDFText_ClosePage, (pdfium_text)) \
    X(int, FPDFText_CountChars, (pdfium_text)) \
    X(unsigned, FPDFText_GetUnicode, (pdfium_text, int)) \
    X(int, FPDFText_IsGenerated, (pdfium_text, int)) \
    X(double, FPDFText_GetFontSize, (pdfium_text, int)) \
    X(int, FPDFText_GetCharBox, (pdfium_text, int, double *, double *, double *, double *)) \
    X(int, FPDFText_GetText, (pdfium_text, int, int, unsigned short *)) \
    X(int, FPDFText_GetBoundedText, (pdfium_text, double, double, double, double, unsigned short *, int)) \
    X(int, FPDFLink_Enumerate, (pdfium_page, int *, pdfium_link *)) \
    X(int, FPDFLink_GetAnnotRect, (pdfium_link, struct pdfium_box *)) \
    X(int, FPDFLink_CountQuadPoints, (pdfium_link)) \
    X(int, FPDFLink_GetQuadPoints, (pdfium_link, int, struct pdfium_quad *)) \
    X(pdfium_place, FPDFLink_GetDest, (pdfium_document, pdfium_link)) \
    X(pdfium_action, FPDFLink_GetAction, (pdfium_link)) \
    X(unsigned long, FPDFAction_GetType, (pdfium_action)) \
    X(pdfium_place, FPDFAction_GetDest, (pdfium_document, pdfium_action)) \
    X(unsigned long, FPDFAction_GetURIPath, (pdfium_document, pdfium_action, void *, unsigned long)) \
    X(unsigned long, FPDFAction_GetFilePath, (pdfium_action, void *, unsigned long)) \
    X(int, FPDFDest_GetDestPageIndex, (pdfium_document, pdfium_place)) \
    X(unsigned long, FPDFDest_GetView, (pdfium_place, unsigned long *, float *)) \
    X(int, FPDFDest_GetLocationInPage, (pdfium_place, int *, int *, int *, float *, float *, float *)) \
    X(pdfium_item, FPDFBookmark_GetFirstChild, (pdfium_document, pdfium_item)) \
    X(pdfium_item, FPDFBookmark_GetNextSibling, (pdfium_document, pdfium_item)) \
    X(unsigned long, FPDFBookmark_GetTitle, (pdfium_item, void *, unsigned long)) \
    X(pdfium_place, FPDFBookmark_GetDest, (pdfium_document, pdfium_item)) \
    X(pdfium_action, FPDFBookmark_GetAction, (pdfium_item))

/// The library's functions, by name.
struct pdfium {
#define X(result, name, arguments) result (*name) arguments;
    PDFIUM_FUNCTIONS(X)
#undef X
};

/// Filled by `pdfium_load`.
extern struct pdfium pdfium;

/// Loads the library and starts it. False if it is missing, or lacks one of the functions because it is too old or too new.
bool pdfium_load(const char *path);

/// Restarts the library without any state of earlier drawings. Everything that it has opened must be closed. Its font callbacks
/// are removed.
void pdfium_restart(void);

#endif
