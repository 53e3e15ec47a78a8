// Annotations as objects of a PDF document, for the worker that draws pages and the one that changes documents. Both give the
// same result, because viewers draw the appearances made here.
#ifndef OFFSTAGE_ANNOTATIONS_H
#define OFFSTAGE_ANNOTATIONS_H

#include <offstage_pages.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A growing byte buffer. All zeros means empty.
struct pdf_buffer {
    uint8_t *bytes;
    size_t size, room;
    /// True if memory was short and bytes are missing.
    bool has_failed;
};

void pdf_add(struct pdf_buffer *buffer, const void *bytes, size_t size);
void pdf_text(struct pdf_buffer *buffer, const char *text);
void pdf_format(struct pdf_buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/// Adds a number with at most three decimals, and a space.
void pdf_number(struct pdf_buffer *buffer, double value);
void pdf_free(struct pdf_buffer *buffer);

/// Encrypts the content of an object.
struct pdf_cipher {
    void *context;
    void (*encrypt)(
        void *context, uint32_t number, uint32_t generation, bool is_stream, const uint8_t *bytes, size_t size,
        struct pdf_buffer *result);
};

struct pdf_entry {
    uint32_t number, generation;
    /// The offset from the start of the writer's bytes.
    size_t offset;
};

/// A sequence of objects. All zeros, apart from `next`, means empty.
struct pdf_writer {
    struct pdf_buffer out;
    struct pdf_entry *entries;
    size_t entry_count, entry_room;
    /// The number of the next new object.
    uint32_t next;
    /// NULL for none.
    const struct pdf_cipher *cipher;
    /// The object that is being written.
    uint32_t number, generation;
    /// Glyph pictures already written, with their objects.
    struct pdf_image { uint32_t font, glyph, object; } *images;
    size_t image_count, image_room;
    bool has_failed;
};

void pdf_writer_free(struct pdf_writer *writer);
uint32_t pdf_reserve(struct pdf_writer *writer);
/// Begins an object; `pdf_end` ends it. Objects are not nested.
void pdf_begin(struct pdf_writer *writer, uint32_t number, uint32_t generation);
void pdf_end(struct pdf_writer *writer);
/// Adds a string of bytes, encrypted for the current object if the writer has a cipher.
void pdf_bytes(struct pdf_writer *writer, const uint8_t *bytes, size_t size);
/// Adds a text string, which is given in UTF-8.
void pdf_string(struct pdf_writer *writer, const char *text, size_t size);
/// Adds a complete object: a stream, compressed if that makes it smaller. `entries` belong to its dictionary.
void pdf_stream(
    struct pdf_writer *writer, uint32_t number, const struct pdf_buffer *entries, const uint8_t *bytes, size_t size);

/// An annotation of a job. Its pointers refer to the job's memory.
struct annotation {
    struct offstage_pages_annotation head;
    const uint32_t *lengths;
    const int32_t *points;
    /// NULL without widths.
    const uint32_t *widths;
    const char *identifier, *author, *modified, *family, *text;
};

/// Reads an annotation. Returns its size in bytes, or 0 if no annotation follows. `bytes` must be aligned to 4 bytes.
size_t annotation_read(const uint8_t *bytes, size_t size, struct annotation *annotation);

/// A page's box as viewers show it, in its own coordinates.
struct page_space {
    double left, bottom, right, top;
    /// Clockwise quarter turns.
    int rotation;
    /// Points per unit.
    double unit;
};

struct page_place { double x, y; };

/// The size of the displayed page, in units.
double page_width(const struct page_space *space);
double page_height(const struct page_space *space);
/// Converts a point of the displayed page, in units from its upper left corner, to the page's own coordinates.
struct page_place page_at(const struct page_space *space, double x, double y);
/// The inverse of `page_at`.
struct page_place page_shown(const struct page_space *space, double x, double y);

struct annotation_target {
    const struct page_space *space;
    /// The page's object; 0 for none.
    uint32_t page, page_generation;
    /// The annotation's object.
    uint32_t number, generation;
    /// The time to use if the annotation has none; NULL for none.
    const char *modified;
    /// The standard's flags.
    uint32_t flags;
    /// Adds more entries to the dictionary; may be NULL. Their strings are encrypted for the annotation's object.
    void (*add_entries)(void *context, struct pdf_writer *writer);
    void *context;
};

/// The parts of a free text that are missing from its appearance.
struct annotation_problems {
    /// No font has a character of the text.
    bool has_missing;
    /// The text is longer than its box.
    bool is_cut;
};

/// Writes an annotation and its appearance. Returns false for a kind that cannot be created.
bool annotation_write(
    struct pdf_writer *writer, const struct annotation *annotation, const struct annotation_target *target,
    struct annotation_problems *problems);

/// The standard's flags. Viewers keep a note's symbol upright on a rotated page, with or without these flags.
enum { ANNOTATION_PRINTS = 4, ANNOTATION_NO_ZOOM = 8, ANNOTATION_NO_ROTATION = 16 };

/// The entry for the widths at the points of ink: an array for each stroke, in points. The standard has no such entry.
#define ANNOTATION_WIDTHS "/OFST_Widths"
/// The maximum length of an array. Other programs don't read longer ones, so longer strokes are divided.
#define ANNOTATION_MOST_POINTS 20000

/// Maps the font files, in the host's order. Call it before the jail closes.
void annotation_load_fonts(char *const *paths, int count);

#ifdef __cplusplus
}
#endif
#endif
