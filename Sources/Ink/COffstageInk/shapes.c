// The images of textures: the document's, and the built-in ones.
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "shape.h"

#define SIDE OFFSTAGE_INK_MOST_SIDE

/// Halves the size: averages four pixels. If a side is odd, its last row or column is dropped.
static void halve(struct ink_level *to, const struct ink_level *from) {
    for (uint32_t y = 0; y < to->side; y++)
        for (uint32_t x = 0; x < to->side; x++) {
            const uint8_t *above = ink_level_row(from, 2 * y) + 2 * x, *below = ink_level_row(from, 2 * y + 1) + 2 * x;
            ((uint8_t *)ink_level_row(to, y))[x] = (uint8_t)((above[0] + above[1] + below[0] + below[1] + 2) / 4);
        }
}

static void find_content(struct ink_level *level) {
    level->left = level->top = level->side;
    for (uint32_t y = 0; y < level->side; y++)
        for (uint32_t x = 0; x < level->side; x++) {
            if (ink_level_row(level, y)[x] == 0) continue;
            if (x < level->left) level->left = x;
            if (x >= level->right) level->right = x + 1;
            if (y < level->top) level->top = y;
            level->bottom = y + 1;
        }
}

struct offstage_ink_shape *offstage_ink_shape_new(const uint8_t *bytes, uint32_t side) {
    if (side < OFFSTAGE_INK_LEAST_SIDE || side > OFFSTAGE_INK_MOST_SIDE) return NULL;
    size_t size = 0;
    for (uint32_t s = side; s > 0; s /= 2) size += (size_t)(s + 2) * (s + 2);
    // A border of zeros around each size, so that no code needs to check for the edge.
    struct offstage_ink_shape *shape = calloc(1, sizeof *shape + size);
    if (!shape) return NULL;
    uint8_t *memory = shape->memory;
    for (uint32_t s = side; s > 0; s /= 2) {
        struct ink_level *level = &shape->levels[shape->count++];
        *level = (struct ink_level){.side = s, .bytes = memory};
        memory += (size_t)(s + 2) * (s + 2);
        if (s == side)
            for (uint32_t y = 0; y < side; y++) memcpy((uint8_t *)ink_level_row(level, y), bytes + (size_t)y * side, side);
        else halve(level, level - 1);
        find_content(level);
    }
    return shape;
}

void offstage_ink_shape_free(struct offstage_ink_shape *shape) { free(shape); }

static float limited(float value) { return value < 0 ? 0 : value > 1 ? 1 : value; }

/// Noise with cells of a given size, px.
static float soft_noise(float x, float y, float width, float height, int32_t place) {
    float left = floorf(x / width), top = floorf(y / height), u = x / width - left, v = y / height - top;
    int32_t i = (int32_t)left + place, j = (int32_t)top + place;
    u = u * u * (3 - 2 * u), v = v * v * (3 - 2 * v);
    float above = ink_noise(i, j) + (ink_noise(i + 1, j) - ink_noise(i, j)) * u;
    float below = ink_noise(i, j + 1) + (ink_noise(i + 1, j + 1) - ink_noise(i, j + 1)) * u;
    return above + (below - above) * v;
}

/// The inside of a rectangle with round corners around the middle, with a soft edge of the given width; px.
static float bar(float x, float y, float half_width, float half_height, float corner, float edge) {
    float dx = fabsf(x) - half_width + corner, dy = fabsf(y) - half_height + corner;
    float outside = sqrtf(fmaxf(dx, 0) * fmaxf(dx, 0) + fmaxf(dy, 0) * fmaxf(dy, 0)) + fminf(fmaxf(dx, dy), 0) - corner;
    return limited(0.5f - outside / edge);
}

/// The opacity of a pixel; x and y are from the middle.
static float opacity(enum offstage_ink_shape_kind kind, float x, float y) {
    float radius = sqrtf(x * x + y * y) / (SIDE / 2), coarse, fine;
    switch (kind) {
    case OFFSTAGE_INK_CHALK:
        // Crumbs, with fewer at the edge.
        fine = soft_noise(x, y, 4, 4, 100), coarse = soft_noise(x, y, 18, 18, 300);
        return limited((0.62f * fine + 0.38f * coarse - 0.36f - 0.3f * radius * radius * radius) * 6) * limited((0.98f - radius) * 12);
    case OFFSTAGE_INK_CHARCOAL:
        // The long side of a stick, with fibres along it.
        fine = soft_noise(x, y, 9, 2.5f, 500), coarse = soft_noise(x, y, 30, 14, 700);
        return limited((0.55f * fine + 0.45f * coarse - 0.34f) * 4) * bar(x, y, 60, 34, 22, 20);
    case OFFSTAGE_INK_CHISEL: return bar(x, y, 20, 62, 8, 3);
    case OFFSTAGE_INK_NIB: return bar(x, y, 10, 62, 8, 2);
    case OFFSTAGE_INK_DOTS: {
        float most = 0;
        for (int32_t i = 0; i < 44; i++) {
            // Denser in the middle.
            float far = ink_noise(i, 900), across = 2 * ink_noise(i, 901) - 1, down = 2 * ink_noise(i, 902) - 1;
            float length = sqrtf(across * across + down * down) + 0.01f, size = 1.6f + 3.2f * ink_noise(i, 903);
            float dx = x - across / length * far * 56, dy = y - down / length * far * 56;
            most = fmaxf(most, limited(size + 0.5f - sqrtf(dx * dx + dy * dy)));
        }
        return most;
    }
    case OFFSTAGE_INK_NO_SHAPE:
    case OFFSTAGE_INK_OWN_SHAPE: break;
    }
    return 0;
}

static struct offstage_ink_shape *shapes[OFFSTAGE_INK_OWN_SHAPE];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_shapes(void) {
    static uint8_t bytes[SIDE * SIDE];
    for (int kind = OFFSTAGE_INK_NO_SHAPE + 1; kind < OFFSTAGE_INK_OWN_SHAPE; kind++) {
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) {
                float value = opacity((enum offstage_ink_shape_kind)kind, (float)x + 0.5f - SIDE / 2, (float)y + 0.5f - SIDE / 2);
                bytes[y * SIDE + x] = (uint8_t)(value * 255 + 0.5f);
            }
        shapes[kind] = offstage_ink_shape_new(bytes, SIDE);
    }
}

const struct offstage_ink_shape *ink_shape(const struct offstage_ink_texture *texture, const struct offstage_ink_shape *own) {
    if (!texture || texture->shape == OFFSTAGE_INK_NO_SHAPE || texture->shape > OFFSTAGE_INK_OWN_SHAPE) return NULL;
    if (texture->shape == OFFSTAGE_INK_OWN_SHAPE) return own;
    pthread_once(&once, make_shapes);
    return shapes[texture->shape];
}

struct offstage_ink_texture offstage_ink_usual_texture(enum offstage_ink_shape_kind shape) {
    struct offstage_ink_texture texture = {.shape = shape, .spacing = 0.15f, .opacity = 1};
    switch (shape) {
    case OFFSTAGE_INK_CHALK:
        texture.spacing = 0.2f, texture.opacity = 0.45f, texture.builds_up = 1;
        texture.angle_jitter = 1, texture.place_jitter = 0.06f, texture.size_jitter = 0.15f;
        break;
    case OFFSTAGE_INK_CHARCOAL:
        // The stick lies across the curve.
        texture.turn = OFFSTAGE_INK_WITH_PEN, texture.angle = 1.5707963f;
        texture.spacing = 0.18f, texture.opacity = 0.4f, texture.builds_up = 1;
        texture.angle_jitter = 0.08f, texture.place_jitter = 0.2f, texture.size_jitter = 0.2f, texture.opacity_jitter = 0.5f;
        break;
    case OFFSTAGE_INK_CHISEL: texture.turn = OFFSTAGE_INK_WITH_CURVE, texture.spacing = 0.12f; break;
    case OFFSTAGE_INK_NIB: texture.angle = 0.7853982f, texture.spacing = 0.07f; break;
    case OFFSTAGE_INK_DOTS:
        texture.spacing = 0.45f, texture.builds_up = 1;
        texture.angle_jitter = 1, texture.place_jitter = 0.3f, texture.size_jitter = 0.4f;
        break;
    case OFFSTAGE_INK_NO_SHAPE:
    case OFFSTAGE_INK_OWN_SHAPE: break;
    }
    return texture;
}
