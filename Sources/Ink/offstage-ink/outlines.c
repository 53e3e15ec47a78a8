// Glyphs as outlines of straight lines.
#include "outlines.h"

#include <math.h>
#include <stdlib.h>

// HarfBuzz 7 renamed the function.
#if !HB_VERSION_ATLEAST(7, 0, 0)
#define hb_font_draw_glyph hb_font_get_glyph_shape
#endif

struct outline {
    const struct glyph_place *place;
    /// Device px for each of the font's units.
    double pixels;
    struct outlines *all;
    bool has_no_memory;
};

static void add(struct outline *outline, double x, double y, bool begins) {
    struct outlines *all = outline->all;
    if (all->count == all->room) {
        size_t room = all->room ? 2 * all->room : 256;
        struct offstage_ink_corner *larger = realloc(all->corners, room * sizeof *larger);
        if (!larger) {
            outline->has_no_memory = true;
            return;
        }
        all->corners = larger;
        all->room = room;
    }
    const struct glyph_place *place = outline->place;
    all->corners[all->count++] = (struct offstage_ink_corner){
        (float)(place->x + (x + place->slant * y) * place->scale), (float)(place->y - y * place->scale), begins};
}

/// The number of line segments for a curve whose control polygon has this length.
static int pieces(const struct outline *outline, double length) {
    double count = ceil(2 * sqrt(length * outline->pixels));
    return count < 2 ? 2 : count > 64 ? 64 : (int)count;
}

static void move(hb_draw_funcs_t *functions, void *data, hb_draw_state_t *state, float x, float y, void *user) {
    (void)functions, (void)state, (void)user;
    add(data, x, y, true);
}

static void line(hb_draw_funcs_t *functions, void *data, hb_draw_state_t *state, float x, float y, void *user) {
    (void)functions, (void)state, (void)user;
    add(data, x, y, false);
}

static void curve(
    hb_draw_funcs_t *functions, void *data, hb_draw_state_t *state, float x1, float y1, float x2, float y2, float x3, float y3,
    void *user) {
    (void)functions, (void)user;
    double x0 = state->current_x, y0 = state->current_y;
    int count = pieces(
        data, hypot(x1 - x0, y1 - y0) + hypot((double)x2 - x1, (double)y2 - y1) + hypot((double)x3 - x2, (double)y3 - y2));
    for (int i = 1; i <= count; i++) {
        double t = (double)i / count, s = 1 - t, a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
        add(data, a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3, false);
    }
}

bool add_glyph(struct outlines *outlines, hb_font_t *font, hb_codepoint_t glyph, const struct glyph_place *place, double scale) {
    static hb_draw_funcs_t *functions;
    if (!functions) {
        functions = hb_draw_funcs_create();
        hb_draw_funcs_set_move_to_func(functions, move, NULL, NULL);
        hb_draw_funcs_set_line_to_func(functions, line, NULL, NULL);
        // HarfBuzz converts quadratic curves to cubic ones.
        hb_draw_funcs_set_cubic_to_func(functions, curve, NULL, NULL);
    }
    struct outline outline = {.place = place, .pixels = place->scale * scale, .all = outlines};
    hb_font_draw_glyph(font, glyph, functions, &outline);
    return !outline.has_no_memory;
}
