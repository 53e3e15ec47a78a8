#ifndef OFFSTAGE_INK_DOCUMENT_H
#define OFFSTAGE_INK_DOCUMENT_H

#include <offstage_ink_wire.h>
#include <offstage_worker.h>

enum item_kind { ITEM_STROKE, ITEM_TEXT, ITEM_IMAGE };

/// An item on a layer. Bytes and points are indexes of the document's arrays.
struct item {
    enum item_kind kind;
    /// The style of a stroke.
    struct offstage_ink_style style;
    bool has_tilt;
    union {
        struct {
            size_t points, point_count;
        };
        /// The LaTeX source of an image that is a formula: bytes of the document.
        struct {
            size_t source, source_count;
        };
    };
    union {
        struct offstage_ink_text_head text;
        struct offstage_ink_image_head image;
        /// The index of a stroke's texture in the document, from 1; 0 for none.
        size_t texture;
    } head;
    size_t bytes, byte_count;
};

/// A texture's image.
struct mask {
    uint64_t image;
    uint32_t side;
    /// The index of its pixels.
    size_t bytes;
    struct offstage_ink_shape *shape;
};

struct layer {
    size_t name, name_count;
    size_t items, item_count;
};

struct page {
    struct offstage_ink_page head;
    /// The background's file.
    size_t name, name_count;
    size_t layers, layer_count;
};

/// A document in memory. All arrays grow; nothing is ever removed.
struct document {
    enum offstage_ink_format format;
    uint32_t facts;
    struct page *pages;
    size_t page_count, page_room;
    struct layer *layers;
    size_t layer_count, layer_room;
    struct item *items;
    size_t item_count, item_room;
    struct offstage_ink_point *points;
    size_t point_count, point_room;
    struct offstage_ink_texture *textures;
    size_t texture_count, texture_room;
    struct mask *masks;
    size_t mask_count, mask_room;
    uint8_t *bytes;
    size_t byte_count, byte_room;
    size_t stroke_count;
    uint64_t most_points, most_bytes;
    /// The reason why reading stopped, as a failure code; 0 for none.
    uint32_t failure;
    uint64_t failure_numbers[2];
    /// Sends the items read so far to the host; NULL for a job that needs no records.
    void (*send)(struct document *document);
    /// The first point that has not been sent yet.
    size_t unsent;
    /// True if a sent page has changed since.
    bool is_changed;
};

void document_free(struct document *document);
/// Stops reading. Keeps the first reason if called more than once.
void document_stop(struct document *document, uint32_t code, uint64_t first, uint64_t second);

/// Adds a page. This and the next functions return NULL, and stop reading, if memory is short. The result is valid until the next
/// call.
struct page *document_add_page(struct document *document, float width, float height);
/// Adds a layer to the last page.
struct layer *document_add_layer(struct document *document, const char *name);
/// Adds an item to the last layer. Makes a page and a layer if necessary.
struct item *document_add_item(struct document *document, enum item_kind kind);
/// Copies bytes into the document. Returns the index of the copy.
size_t document_add_bytes(struct document *document, const void *bytes, size_t count);
/// Adds a point to the last item, which must be a stroke. Points that are not finite are left out.
void document_add_point(struct document *document, struct offstage_ink_point point);

/// Adds a text to the last layer.
void document_add_text(
    struct document *document, const struct offstage_ink_text_head *head, const char *font, const char *text, size_t count);
/// Adds an image to the last layer.
///
/// - source: LaTeX, or NULL.
void document_add_image(
    struct document *document, const struct offstage_ink_image_head *head, const char *source, size_t source_count, const void *bytes,
    size_t count);
/// Adds a texture to the last item, which must be a stroke. If the document lacks its image, the texture is left out and reported.
void document_add_texture(struct document *document, const struct offstage_ink_texture *texture);
/// The texture of a stroke, or NULL. Sets the texture's image, or NULL.
const struct offstage_ink_texture *document_texture(
    const struct document *document, const struct item *item, const struct offstage_ink_shape **shape);
/// Adds a texture's image. Duplicates are left out. Returns false, and reports it, for a wrong size or too many images.
bool document_add_mask(struct document *document, uint64_t image, uint32_t side, const uint8_t *bytes);
/// Adds a copy of another document's item at another position.
void document_add_copy(struct document *document, const struct document *from, const struct item *item, float x, float y);

/// The bounds of an item in page units; those of a text are estimated. Returns false for an item without bounds.
///
/// - has_width: false to use only the positions of a stroke's points.
bool document_item_box(
    const struct document *document, const struct item *item, bool has_width, struct offstage_ink_box *box);

/// Call this after each item that is complete and final.
void document_progress(struct document *document);
/// Call this before changing a page's header.
void document_change_page(struct document *document, size_t page);

/// Reads any supported format.
void document_read(struct document *document, const uint8_t *bytes, size_t count);

/// Readers, one for each format.
void read_xournal(struct document *document, const uint8_t *bytes, size_t count);
void read_inkml(struct document *document, const uint8_t *bytes, size_t count);
void read_json(struct document *document, const uint8_t *bytes, size_t count);

struct json_t;
/// Readers of JSON. Each returns false, without having read anything, for another program's JSON.
bool read_rnote(struct document *document, const struct json_t *root);
bool read_excalidraw(struct document *document, const struct json_t *root);
bool read_tldraw(struct document *document, const struct json_t *root);
/// Reads tldraw's first version.
bool read_old_tldraw(struct document *document, const struct json_t *root);

/// Scales all positions on a page by a factor, moves them so that they start at a margin, and sets the page's size to match.
/// Stroke widths and text sizes stay.
void document_fit_page(struct document *document, size_t page, float factor, float margin);

#endif
