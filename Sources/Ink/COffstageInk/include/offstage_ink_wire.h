// The messages between the host and the worker program `offstage-ink`, and the records of ink in memory and in journals. Numbers
// are in the machine's byte order, which is little-endian on all machines that Offstage supports.
#ifndef OFFSTAGE_INK_WIRE_H
#define OFFSTAGE_INK_WIRE_H

#include "offstage_ink.h"

/// Raise it with every change of a structure or of a value's meaning, and with every change of drawn pixels.
#define OFFSTAGE_INK_VERSION 6

enum offstage_ink_job {
    /// Draw a page.
    OFFSTAGE_INK_DRAW = 1,
    /// Describe the document, and the pages from `page` on, as many as the report can contain.
    OFFSTAGE_INK_DESCRIBE,
    /// Send the records of the whole document in parts while it is read. If the first number of a part is 1, the records start
    /// over.
    OFFSTAGE_INK_LOAD,
    /// Answer with the background file of a page instead of a picture, if the document contains it.
    OFFSTAGE_INK_ATTACHMENT,
    /// Answer with records instead of a picture: the images of a page that the host must draw, each with its item's index on the
    /// page before its file.
    OFFSTAGE_INK_IMAGES,
    /// Answer with records instead of a picture: the outlines of the letters on a page.
    OFFSTAGE_INK_LETTERS,
};

enum offstage_ink_flag {
    /// Draw only the background.
    OFFSTAGE_INK_PLAIN = 1,
    /// Omit the background, and draw on transparent paper.
    OFFSTAGE_INK_ALONE = 2,
    /// Draw only `clip`.
    OFFSTAGE_INK_CLIP = 4,
    /// A picture follows the document's bytes; draw over it.
    OFFSTAGE_INK_BACKDROP = 8,
    /// Draw a page whose background is another file on white, and without the images that the host must draw. Without this flag,
    /// and without a backdrop, such a page is only described.
    OFFSTAGE_INK_WITHOUT_FILE = 16,
    /// Stretch the page of ink to the width of the backdrop.
    OFFSTAGE_INK_STRETCH = 32,
};

enum offstage_ink_format {
    OFFSTAGE_INK_UNKNOWN,
    OFFSTAGE_INK_XOURNAL,
    OFFSTAGE_INK_INKML,
    OFFSTAGE_INK_FREEHAND,
    OFFSTAGE_INK_RNOTE,
    OFFSTAGE_INK_RECORDS,
    OFFSTAGE_INK_EXCALIDRAW,
    OFFSTAGE_INK_TLDRAW,
};

struct offstage_ink_options {
    uint32_t version;
    uint32_t job;
    /// From 0.
    uint32_t page;
    uint32_t flags;
    /// Device px per CSS px.
    double scale;
    /// The maximum size in CSS px to fit the page into; 0 for no limit.
    double fit_width, fit_height;
    /// Left, top, width and height in CSS px of the page's picture.
    double clip[4];
    /// Identifies the document, so that the worker can keep it for the next job. All zeros: don't keep it.
    uint8_t document[32];
    /// The document's bytes. The backdrop's follow: premultiplied BGRA, without gaps between the rows; then `picture_size` bytes: for
    /// each image that the host has drawn, an `offstage_ink_picture` and its pixels.
    uint64_t document_size, picture_size;
    uint32_t backdrop_width, backdrop_height;
    /// The maximum number of points in the document, and of bytes after unpacking.
    uint64_t most_points, most_bytes;
};

enum offstage_ink_code {
    /// Nothing can be read.
    OFFSTAGE_INK_DAMAGED = 100,
    /// The bytes are not in a known format.
    OFFSTAGE_INK_UNKNOWN_FORMAT,
    /// The document has no such page. Number: its page count.
    OFFSTAGE_INK_NO_PAGE,
    /// A limit in the options is exceeded. Numbers: 0 for points or 1 for bytes, and the limit.
    OFFSTAGE_INK_OVER_LIMIT,
    /// The page, or the clip, has no size.
    OFFSTAGE_INK_NO_SIZE,
    /// The document does not contain the background's file.
    OFFSTAGE_INK_NO_ATTACHMENT,
    /// The options cannot be read, because the program is from another version.
    OFFSTAGE_INK_BAD_OPTIONS,
};

enum offstage_ink_fact {
    /// The document ends early or is damaged; the readable part is present.
    OFFSTAGE_INK_IS_CUT = 1,
    /// Some numbers were not numbers, or too large; their points are missing.
    OFFSTAGE_INK_HAS_BAD_POINTS = 2,
    /// The page has texts with characters for which there is no font.
    OFFSTAGE_INK_HAS_TEXT = 4,
    /// The page has images that cannot be decoded.
    OFFSTAGE_INK_HAS_BAD_IMAGE = 8,
    /// The document has strokes or elements of a kind that is left out.
    OFFSTAGE_INK_HAS_OTHER = 16,
    /// Strokes and texts refer to positions in a recording. The ink is complete without them.
    OFFSTAGE_INK_HAS_SOURCES = 32,
    /// The document has SVG images, which are left out.
    OFFSTAGE_INK_HAS_VECTORS = 64,
    /// Texts or images are rotated; they are drawn upright.
    OFFSTAGE_INK_IS_TURNED = 128,
    /// The page has images that are not PNG files. The host draws them and sends the job again.
    OFFSTAGE_INK_NEEDS_IMAGES = 256,
    /// Textures of brushes cannot be read; their strokes are solid lines.
    OFFSTAGE_INK_HAS_BAD_TEXTURE = 512,
    /// The document has ink that its own program does not show: deleted elements, and traces above the paper.
    OFFSTAGE_INK_HAS_HIDDEN = 1024,
};

/// An image that the host has drawn; premultiplied BGRA follows, without gaps between the rows.
struct offstage_ink_picture {
    /// The number of the item on its page, from 0.
    uint32_t item;
    uint32_t width, height, reserved;
};

struct offstage_ink_report {
    uint32_t version;
    uint32_t format;
    uint32_t facts;
    uint32_t pages;
    /// The totals of the document.
    uint64_t strokes, points;
    /// The number of page records that follow, from the options' page on. For DRAW, only that page.
    uint32_t records;
    uint32_t reserved;
};

/// Kinds of records.
enum offstage_ink_record_kind {
    /// `offstage_ink_page`, and the name of the background's file.
    OFFSTAGE_INK_PAGE = 1,
    /// The layer's name.
    OFFSTAGE_INK_LAYER,
    /// `offstage_ink_stroke_head`, an `offstage_ink_texture` if the stroke has one, and the points.
    OFFSTAGE_INK_STROKE,
    /// `offstage_ink_text_head`, the font's name, NUL, the text.
    OFFSTAGE_INK_TEXT,
    /// `offstage_ink_image_head`, and the file's bytes.
    OFFSTAGE_INK_IMAGE,
    /// `offstage_ink_letters_head`, and the corners of outlines: `x`, `y`, and 1 for the first one of each outline.
    OFFSTAGE_INK_OUTLINES,
    /// `offstage_ink_mask_head`, and the opacity of each pixel, row by row: a texture's image. It precedes the first stroke that
    /// uses it.
    OFFSTAGE_INK_MASK,
    /// `offstage_ink_formula_head`, the LaTeX source, and the file's bytes.
    OFFSTAGE_INK_FORMULA,
};

struct offstage_ink_record {
    uint32_t kind;
    /// The size of the content that follows, without padding.
    uint32_t size;
};

enum offstage_ink_background {
    OFFSTAGE_INK_SOLID,
    OFFSTAGE_INK_PDF,
    OFFSTAGE_INK_PIXMAP,
};

enum offstage_ink_ruling {
    OFFSTAGE_INK_NO_LINES,
    /// Lines with a margin.
    OFFSTAGE_INK_LINED,
    OFFSTAGE_INK_RULED,
    OFFSTAGE_INK_GRAPH,
    OFFSTAGE_INK_DOTTED,
    OFFSTAGE_INK_ISOMETRIC_GRAPH,
    OFFSTAGE_INK_ISOMETRIC_DOTTED,
    OFFSTAGE_INK_STAVES,
};

enum offstage_ink_domain {
    /// A path as written in the document.
    OFFSTAGE_INK_ABSOLUTE,
    /// Beside the document, or in it.
    OFFSTAGE_INK_ATTACHED,
};

struct offstage_ink_page {
    /// Points, 72 to the inch.
    float width, height;
    uint32_t background, ruling;
    /// Red, green, blue, opacity.
    uint8_t color[4];
    /// The background's page of a PDF document, from 1.
    uint32_t background_page;
    uint32_t domain;
    /// The margin of squared paper, and the distance between its lines; 0 for the default.
    float margin, spacing;
    /// The position of ruled paper's first line, from which lines continue to the lower edge; 0 for the default. The width of
    /// lines; 0 for the default.
    float first, line_width;
    /// The colours of lines, and of secondary lines, on light and on dark paper; an opacity of 0 for the default.
    uint8_t line_color[4], dark_line_color[4], accent_color[4], dark_accent_color[4];
    uint32_t strokes, layers;
    uint32_t facts;
};

/// A line of paper.
struct offstage_ink_paper_line {
    double x1, y1, x2, y2, width;
    /// True if its ends are round. Otherwise it is horizontal or vertical, and ends exactly at its end points.
    bool is_round;
    uint8_t color[4];
};

/// Calls a function with each line of a page's paper, as Xournal++ draws it, from bottom to top.
void offstage_ink_paper_lines(
    const struct offstage_ink_page *page, void (*take)(void *context, const struct offstage_ink_paper_line *line), void *context);

/// True for paper on which a highlighter must lighten.
bool offstage_ink_is_dark(const struct offstage_ink_page *page);

/// Fills the target with the paper's colour and lines, as Xournal++ draws them. A background in another file is white.
void offstage_ink_draw_paper(
    struct offstage_ink_scratch *scratch, const struct offstage_ink_target *target, const struct offstage_ink_page *page);

enum offstage_ink_stroke_flag {
    /// Each point has a tilt and an azimuth (24 bytes). Without this flag, only x, y, pressure and time (16 bytes).
    OFFSTAGE_INK_HAS_TILT = 1,
    OFFSTAGE_INK_HAS_TEXTURE = 2,
};

struct offstage_ink_stroke_head {
    struct offstage_ink_style style;
    uint32_t flags;
    uint32_t count;
};

struct offstage_ink_mask_head {
    /// The identifier that textures refer to; not 0.
    uint64_t image;
    /// Px.
    uint32_t side;
    uint32_t reserved;
};

struct offstage_ink_text_head {
    /// Points.
    float x, y, size;
    uint8_t color[4];
};

struct offstage_ink_image_head {
    /// Points. An image whose right edge is left of its left one is mirrored.
    float left, top, right, bottom;
};

struct offstage_ink_formula_head {
    struct offstage_ink_image_head image;
    /// Bytes.
    uint32_t source_size;
};

struct offstage_ink_letters_head {
    /// The number of the item on its page, from 0.
    uint32_t item;
    uint8_t color[4];
};

#endif
