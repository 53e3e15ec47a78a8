// Brush textures in the formats that support them.
#include "texture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base64.h"
#include "numbers.h"
#include "picture.h"
#include "values.h"

static const char *const shapes[] = {"", "chalk", "charcoal", "marker", "nib", "dots", "image"};
static const char *const turns[] = {"fixed", "direction", "tilt"};

/// Returns the number of a name; `count` for an unknown one.
static uint32_t number_of(const char *name, size_t length, const char *const names[], uint32_t count) {
    uint32_t i = 0;
    while (i < count && (strlen(names[i]) != length || memcmp(names[i], name, length) != 0)) i++;
    return i;
}

static void note(struct document *document, struct offstage_ink_texture *texture) {
    texture->shape = OFFSTAGE_INK_NO_SHAPE;
    document->facts |= OFFSTAGE_INK_HAS_BAD_TEXTURE;
}

void read_texture_image(struct document *document, uint64_t image, const char *text) {
    char *rest, *copy;
    unsigned long side = strtoul(text, &rest, 10);
    size_t count = 0;
    copy = strdup(rest);
    if (copy) count = decode_base64(copy, strlen(copy));
    if (side > 0 && side <= OFFSTAGE_INK_MOST_SIDE && count == side * side)
        document_add_mask(document, image, (uint32_t)side, (const uint8_t *)copy);
    else document->facts |= OFFSTAGE_INK_HAS_BAD_TEXTURE;
    free(copy);
}

void read_texture(struct document *document, const char *text, const char *image, struct offstage_ink_texture *texture) {
    size_t length = strcspn(text, " ");
    *texture = (struct offstage_ink_texture){.shape = number_of(text, length, shapes, OFFSTAGE_INK_OWN_SHAPE + 1)};
    text += length + strspn(text + length, " ");
    length = strcspn(text, " ");
    texture->turn = number_of(text, length, turns, 3);
    text += length;
    const char *end = text + strlen(text);
    float *const values[] = {
        &texture->spacing, &texture->angle, &texture->opacity, &texture->place_jitter, &texture->angle_jitter,
        &texture->size_jitter, &texture->opacity_jitter, &texture->phase};
    bool is_good = texture->shape > 0 && texture->shape <= OFFSTAGE_INK_OWN_SHAPE && texture->turn < 3;
    for (size_t i = 0; is_good && i < sizeof values / sizeof *values; i++) {
        double value = NAN;
        is_good = next_number(&text, end, &value) && fabs(value) <= 1e9;
        *values[i] = (float)value;
    }
    if (!is_good) return note(document, texture);
    char *rest;
    texture->builds_up = strtoul(text, &rest, 10) != 0;
    texture->seed = (uint32_t)strtoul(rest, &rest, 10);
    if (texture->shape != OFFSTAGE_INK_OWN_SHAPE) return;
    texture->image = strtoull(rest, &rest, 16);
    if (image) read_texture_image(document, texture->image, image);
}

/// The opacity of an image file's pixels, or their darkness if the image is opaque everywhere.
static void read_file(struct document *document, uint64_t image, const char *base64) {
    char *copy = strdup(base64);
    size_t count = copy ? decode_base64(copy, strlen(copy)) : 0;
    uint32_t width = 0, height = 0;
    uint8_t *pixels = decode_png((const uint8_t *)copy, count, OFFSTAGE_INK_MOST_SIDE, &width, &height);
    free(copy);
    if (!pixels || width != height) {
        document->facts |= OFFSTAGE_INK_HAS_BAD_TEXTURE;
        return free(pixels);
    }
    size_t size = (size_t)width * height;
    bool is_opaque = true;
    for (size_t i = 0; i < size; i++) is_opaque = is_opaque && pixels[4 * i + 3] == 255;
    for (size_t i = 0; i < size; i++) {
        const uint8_t *pixel = pixels + 4 * i;
        unsigned light = (299u * pixel[0] + 587u * pixel[1] + 114u * pixel[2] + 500) / 1000;
        uint8_t opacity = is_opaque ? (uint8_t)(255 - light) : pixel[3];
        pixels[i] = opacity;
    }
    document_add_mask(document, image, width, pixels);
    free(pixels);
}

/// A hash of a text, not 0, that identifies the image.
static uint64_t identity(const char *text) {
    uint64_t hash = 0xCBF29CE484222325u;
    for (; *text; text++) hash = (hash ^ (uint8_t)*text) * 0x100000001B3u;
    return hash ? hash : 1;
}

static void read_object(struct document *document, const json_t *value, struct offstage_ink_texture *texture) {
    const char *shape = member_text(value, "shape"), *image = member_text(value, "image"), *turn = member_text(value, "rotation");
    uint32_t number = *image ? OFFSTAGE_INK_OWN_SHAPE : number_of(shape, strlen(shape), shapes, OFFSTAGE_INK_OWN_SHAPE);
    if (number == 0 || number > OFFSTAGE_INK_OWN_SHAPE || (number == OFFSTAGE_INK_OWN_SHAPE && !*image)) return note(document, texture);
    *texture = offstage_ink_usual_texture((enum offstage_ink_shape_kind)number);
    texture->spacing = (float)member_within(value, "spacing", (double)texture->spacing, 0.04, 4);
    texture->opacity = (float)member_within(value, "opacity", (double)texture->opacity, 0, 1);
    const double degree = 0.017453292519943295;
    texture->angle = (float)(member_within(value, "angle", (double)texture->angle / degree, -3600, 3600) * degree);
    texture->seed = (uint32_t)member_within(value, "seed", 0, 0, 4294967295.0);
    const json_t *builds_up = json_object_get(value, "buildsUp"), *jitter = json_object_get(value, "jitter");
    if (json_is_boolean(builds_up)) texture->builds_up = json_is_true(builds_up);
    texture->place_jitter = (float)member_within(jitter, "position", (double)texture->place_jitter, 0, 1);
    texture->angle_jitter = (float)member_within(jitter, "angle", (double)texture->angle_jitter, 0, 1);
    texture->size_jitter = (float)member_within(jitter, "size", (double)texture->size_jitter, 0, 1);
    texture->opacity_jitter = (float)member_within(jitter, "opacity", (double)texture->opacity_jitter, 0, 1);
    uint32_t way = number_of(turn, strlen(turn), turns, 3);
    if (way < 3) texture->turn = way;
    else if (*turn) document->facts |= OFFSTAGE_INK_HAS_BAD_TEXTURE;
    if (number != OFFSTAGE_INK_OWN_SHAPE) return;
    texture->image = identity(image);
    bool is_known = false;
    for (size_t i = 0; i < document->mask_count && !is_known; i++) is_known = document->masks[i].image == texture->image;
    if (!is_known) read_file(document, texture->image, image);
}

void read_texture_value(
    struct document *document, const struct json_t *value, const struct json_t *textures, struct offstage_ink_texture *texture) {
    if (!value || json_is_null(value)) return;
    if (json_is_object(value)) return read_object(document, value, texture);
    const char *name = json_is_string(value) ? json_string_value(value) : "";
    const json_t *entry = json_object_get(textures, name);
    if (json_is_object(entry)) return read_object(document, entry, texture);
    uint32_t number = number_of(name, strlen(name), shapes, OFFSTAGE_INK_OWN_SHAPE);
    if (number == 0 || number >= OFFSTAGE_INK_OWN_SHAPE) return note(document, texture);
    *texture = offstage_ink_usual_texture((enum offstage_ink_shape_kind)number);
}
