#ifndef OFFSTAGE_INK_TEXTURE_H
#define OFFSTAGE_INK_TEXTURE_H

#include "document.h"

struct json_t;

/// Reads a texture as Offstage writes it into InkML and Xournal++ files: the shape's name and numbers. Text that cannot be read
/// is ignored and reported.
///
/// - image: in the form that `read_texture_image` takes, or NULL.
void read_texture(struct document *document, const char *text, const char *image, struct offstage_ink_texture *texture);

/// Reads a texture's image: its side and base64.
void read_texture_image(struct document *document, uint64_t image, const char *text);

/// Reads a texture of JSON points: a shape's name, a name in a table of textures, or an object.
///
/// - textures: the table, or NULL.
void read_texture_value(
    struct document *document, const struct json_t *value, const struct json_t *textures, struct offstage_ink_texture *texture);

#endif
