// The messages between the host and the worker program `offstage-pdf`: a job's options, and the report. Both are on the same
// machine, so numbers are in its byte order.
#ifndef OFFSTAGE_PAGES_H
#define OFFSTAGE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Increment this with every change to a structure or to the meaning of a value.
#define OFFSTAGE_PAGES_VERSION 9

enum offstage_pages_job {
    /// Draw a page.
    OFFSTAGE_PAGES_DRAW = 1,
    /// Describe the document and its pages, from `page` on, as many as the report can contain.
    OFFSTAGE_PAGES_DESCRIBE = 2,
    /// List the outline's items, from number `page` on, as many as the report can contain.
    OFFSTAGE_PAGES_OUTLINE = 3,
    /// List the words of a page, from character `first` on, as many as the report can contain.
    OFFSTAGE_PAGES_WORDS = 4,
    /// Report the corners of a page in the coordinates of the document.
    OFFSTAGE_PAGES_LOCATE = 16,
};

/// The part of a page to draw. If the page lacks the box, its crop box is used.
enum offstage_pages_box {
    OFFSTAGE_PAGES_CROP = 0,
    OFFSTAGE_PAGES_MEDIA = 1,
    OFFSTAGE_PAGES_TRIM = 2,
    OFFSTAGE_PAGES_BLEED = 3,
    OFFSTAGE_PAGES_ART = 4,
};

enum offstage_pages_flag {
    /// Draw annotations, too. Form fields are part of every picture.
    OFFSTAGE_PAGES_ANNOTATIONS = 1,
    /// Report links, headings and the text.
    OFFSTAGE_PAGES_CONTENT = 2,
    /// Draw only `clip`.
    OFFSTAGE_PAGES_CLIP = 4,
    /// Also report the rotations of pages.
    OFFSTAGE_PAGES_ROTATIONS = 8,
    /// Draw without paper, for use over another picture.
    OFFSTAGE_PAGES_TRANSPARENT = 16,
};

/// The options of a job. The password's bytes follow, then the layers to show and to hide. Annotations to draw are appended to the
/// document.
struct offstage_pages_options {
    uint32_t version;
    uint32_t job;
    /// From 0.
    uint32_t page;
    uint32_t box;
    /// Clockwise quarter turns, in addition to the page's own.
    uint32_t rotation;
    uint32_t flags;
    /// The maximum size in CSS px to fit the page into; 0 for its natural size, 96 CSS px per inch.
    double fit_width, fit_height;
    /// Device px per CSS px.
    double scale;
    /// Left, top, width and height in CSS px of the page's picture.
    double clip[4];
    /// Identifies the document and the password, so that the worker can keep it open for the next job. All zeros: don't keep it.
    uint8_t document[32];
    uint32_t password_size;
    /// For OFFSTAGE_PAGES_WORDS: the first character to read, from 0.
    uint32_t first;
    /// Size of the document in bytes. The bytes after it are annotations to draw above the page's own.
    uint64_t document_size;
    /// The maximum size of the picture in CSS px: a larger one is reduced. 0 for no limit.
    double thumbnail_width, thumbnail_height;
    /// The size of the layer names in bytes. Each ends with a NUL: `+NAME` to show a layer, `-NAME` to hide it.
    uint32_t layers_size;
    uint32_t unused;
};

enum offstage_pages_edit_job {
    /// List the annotations of `page`, or of all pages. The picture's bytes are annotations.
    OFFSTAGE_PAGES_EDIT_LIST = 1,
    /// Add, change and delete annotations. Append the picture's bytes to the document.
    OFFSTAGE_PAGES_EDIT_SAVE = 2,
};

/// The options of a job of `offstage-pdf-edit`. The password's bytes follow. The annotations follow the document, at the next multiple of
/// 4 bytes.
struct offstage_pages_edit_options {
    uint32_t version;
    uint32_t job;
    /// From 0, or OFFSTAGE_PAGES_ALL.
    uint32_t page;
    /// 1 to allow documents that are certified, or whose permissions forbid annotations.
    uint32_t is_forced;
    /// The document's size in bytes.
    uint64_t document_size;
    uint32_t password_size;
    /// The time of the change, in the standard's date format.
    char modified[28];
};

#define OFFSTAGE_PAGES_ALL UINT32_MAX

/// The report. Warnings follow it.
struct offstage_pages_edit_report {
    uint32_t version;
    uint32_t pages;
    /// The number of the picture's bytes that are used.
    uint64_t bytes;
    uint32_t warnings;
    uint32_t unused;
};

enum offstage_pages_edit_problem {
    /// No font has a character of the text.
    OFFSTAGE_PAGES_EDIT_TEXT = 1,
    /// The annotation is of a kind that cannot be created.
    OFFSTAGE_PAGES_EDIT_KIND = 2,
    /// The page has no annotation with the identifier to delete.
    OFFSTAGE_PAGES_EDIT_MISSING = 3,
    /// A free text is longer than its box.
    OFFSTAGE_PAGES_EDIT_CUT = 4,
    /// Ink, a line or a mark has no points.
    OFFSTAGE_PAGES_EDIT_EMPTY = 5,
};

struct offstage_pages_edit_warning {
    uint32_t problem;
    /// From 0.
    uint32_t page;
};

/// The maximum number of reported layers, and the maximum length of a name in bytes.
#define OFFSTAGE_PAGES_MOST_LAYERS 256
#define OFFSTAGE_PAGES_MOST_LAYER_NAME 200

/// The width and height of a page, in the units of positions on it.
#define OFFSTAGE_PAGES_WORD_SIDE (1 << 20)

/// The position of a page's picture.
struct offstage_pages_geometry {
    /// The whole page, device px.
    int64_t page_width, page_height;
    /// The picture's position in it, device px.
    int64_t left, top, width, height;
};

/// The maximum side of a whole page, device px. Beyond it, PDFium misplaces lines.
#define OFFSTAGE_PAGES_MOST_SIDE 50000

/// Computes the picture of a page of this size in points, before `rotation`. The page may be longer than OFFSTAGE_PAGES_MOST_SIDE. Returns
/// false if the clip is outside the page.
bool offstage_pages_geometry(
    const struct offstage_pages_options *options, double width, double height, struct offstage_pages_geometry *geometry);

/// Codes of a failure.
enum offstage_pages_code {
    /// PDFium could not be loaded.
    OFFSTAGE_PAGES_NO_LIBRARY = 100,
    /// The options are not of this version.
    OFFSTAGE_PAGES_BAD_OPTIONS = 101,
    /// The document cannot be read at all.
    OFFSTAGE_PAGES_DAMAGED = 102,
    /// Number: 1 if a password was given.
    OFFSTAGE_PAGES_PASSWORD = 103,
    OFFSTAGE_PAGES_ENCRYPTION = 104,
    /// Numbers: the pages of the document.
    OFFSTAGE_PAGES_NO_PAGE = 105,
    /// The page cannot be read at all.
    OFFSTAGE_PAGES_PAGE_DAMAGED = 106,
    /// Numbers: the width and height of the page, device px.
    OFFSTAGE_PAGES_TOO_LARGE = 107,
    /// The clip is outside the page. Numbers: the width and height of the page, device px.
    OFFSTAGE_PAGES_CLIP_OUTSIDE = 108,
    /// The document is too damaged to be changed.
    OFFSTAGE_PAGES_NOT_SAVED = 109,
    /// The document is certified against changes. Number: the level of allowed changes, as in the standard.
    OFFSTAGE_PAGES_CERTIFIED = 110,
    /// The document's permissions forbid annotations.
    OFFSTAGE_PAGES_FORBIDDEN = 111,
    /// A layer cannot be shown or hidden. Number: the index of the name that no layer has, from 1; 0 if the document cannot be
    /// changed.
    OFFSTAGE_PAGES_NO_LAYER = 112,
};

enum offstage_pages_fact {
    /// The picture has annotations, or would have with OFFSTAGE_PAGES_ANNOTATIONS.
    OFFSTAGE_PAGES_HAS_ANNOTATIONS = 1,
    /// The document's object table was damaged and has been rebuilt.
    OFFSTAGE_PAGES_REPAIRED = 2,
    OFFSTAGE_PAGES_HAS_FORM = 4,
    OFFSTAGE_PAGES_ENCRYPTED = 8,
    /// There are more pages, items or words than the report contains.
    OFFSTAGE_PAGES_MORE = 16,
    /// No font has a character of an added free text.
    OFFSTAGE_PAGES_TEXT_MISSING = 32,
    /// An added free text is longer than its box.
    OFFSTAGE_PAGES_TEXT_CUT = 64,
};

/// The beginning of a report. Records follow.
struct offstage_pages_report {
    uint32_t version;
    uint32_t pages;
    uint32_t facts;
    /// The next page, item or character, with OFFSTAGE_PAGES_MORE.
    uint32_t next;
    /// The size of the box in points, after the page's own rotation and that of the job.
    double width, height;
    /// The permissions of an encrypted document, as the standard's bits.
    uint32_t permissions;
    /// The revision of the encryption, or 0.
    uint32_t encryption;
};

enum offstage_pages_record_kind {
    /// A font that is not in the document. Text: its name.
    OFFSTAGE_PAGES_FONT = 1,
    /// Numbers: left, top, width, height of a link, or of one line of it, device px. Text: the target, NUL, the words.
    OFFSTAGE_PAGES_LINK = 2,
    /// Text: the page's text.
    OFFSTAGE_PAGES_TEXT = 3,
    /// A position on the page that the outline refers to. Numbers: left, top, device px. Text: the title.
    OFFSTAGE_PAGES_HEADING = 4,
    /// Numbers: the page from 0, width and height in thousandths of a point, and, in the report of a drawing or with
    /// OFFSTAGE_PAGES_ROTATIONS, the page's own rotation in degrees. Text: the label, which may be empty.
    OFFSTAGE_PAGES_PAGE = 5,
    /// Numbers: the level from 0; the page from 0, or -1; the position from the page's top in thousandths of a CSS px, or -1.
    /// Text: the title, NUL, the target of an item that refers to another document.
    OFFSTAGE_PAGES_ITEM = 6,
    /// Text: a key of the document information, NUL, its value.
    OFFSTAGE_PAGES_INFORMATION = 7,
    /// Numbers: left, top, width, height, as fractions of the page, whose sides are OFFSTAGE_PAGES_WORD_SIDE. Text: a word; then a space
    /// or a line feed if one follows it, or the character 1 if the word continues in the next line after a hyphen; then NUL; then 2 bytes
    /// for each character of the word: the position of the character's right edge, 0 to 65535 from the word's left to its right. For a
    /// word that runs down or up, the positions are those of lower edges, and another byte follows.
    OFFSTAGE_PAGES_WORD = 8,
    /// Number: 1 if the layer is visible, 0 if not. Text: its name.
    OFFSTAGE_PAGES_LAYER = 10,
    /// Numbers: a corner of the displayed page, in thousandths of the document's units: x, y, and in the first record,
    /// thousandths of a point per unit. In this order: upper left, upper right, lower left.
    OFFSTAGE_PAGES_CORNER = 16,
};

/// An annotation. It is followed, in this order, by the fields below, padded with zeros to a multiple of 4 bytes: the number of points
/// in each stroke; the points (two 32-bit numbers each); the width at each point, if it has them (32 bits, thousandths of a point); the
/// identifier, the author, the time of the last change, the font's family and the text, each in UTF-8, not terminated. Positions are
/// fractions of the displayed page, whose sides are OFFSTAGE_PAGES_WORD_SIDE. A stroke of a mark in text is a rectangle: its upper left
/// and its lower right corner.
struct offstage_pages_annotation {
    /// The standard's subtype, as PDFium numbers it, or OFFSTAGE_PAGES_REMOVED.
    uint32_t kind;
    /// From 0.
    uint32_t page;
    /// 0xAARRGGBB. For ink, the opacity is that of the pen.
    uint32_t color;
    /// The colour of the fill or the background, 0xAARRGGBB; 0 for none.
    uint32_t fill;
    /// 0 to OFFSTAGE_PAGES_OPAQUE.
    uint32_t opacity;
    /// The line width, thousandths of a point.
    uint32_t width;
    /// The width of a free text's box, and the size of its font, thousandths of a point.
    uint32_t border, font_size;
    /// 0 left, 1 center, 2 right.
    uint32_t alignment;
    /// One of `offstage_pages_pen`, for ink.
    uint32_t pen;
    /// Left, top, right, bottom.
    int32_t box[4];
    uint32_t stroke_count, point_count;
    /// Sizes in bytes. The time has the standard's date format, such as `D:20261127120000Z`.
    uint32_t identifier_size, author_size, modified_size, family_size, text_size;
};

/// Full opacity. Values with four decimals, and multiples of 1/255, are integers in this unit.
#define OFFSTAGE_PAGES_OPAQUE 510000

/// Used instead of a kind: deletes the annotation with this identifier on this page.
#define OFFSTAGE_PAGES_REMOVED 0x1000

enum offstage_pages_pen {
    /// Each point has a width, in thousandths of a point, after the points. The annotation's width is the largest of them.
    OFFSTAGE_PAGES_WIDTHS = 1,
    /// Darkens the content below.
    OFFSTAGE_PAGES_MARKS = 2,
    /// In a list: a document's annotation that viewers do not show.
    OFFSTAGE_PAGES_HIDDEN = 4,
};

struct offstage_pages_record {
    uint32_t kind;
    /// Bytes of text that follow, UTF-8.
    uint32_t size;
    int32_t numbers[4];
};

/// Finds the bounds of everything that differs from the paper: left, top, right, bottom, device px. Returns false for an empty picture,
/// and for one whose corners have different colours.
bool offstage_pages_content(const void *pixels, int width, int height, size_t bytes_per_row, int32_t box[4]);

/// Turns light pixels dark, keeping the hue. Premultiplied BGRA.
void offstage_pages_darken(const void *source, void *target, int count);

#endif
