#include <math.h>

#include "offstage_pages.h"

/// Far above every limit, but small enough for arithmetic.
#define MOST 1e12

static int64_t side(double length) {
    if (!(length > 1)) return 1;
    return length < MOST ? llround(length) : (int64_t)MOST;
}

static int64_t place(double value) { return (int64_t)(value > -MOST ? value < MOST ? value : MOST : -MOST); }

bool offstage_pages_geometry(
    const struct offstage_pages_options *options, double width, double height, struct offstage_pages_geometry *geometry) {
    if (options->rotation & 1) {
        double other = width;
        width = height;
        height = other;
    }
    // 72 points to the inch, 96 CSS px to the inch.
    double zoom = 96.0 / 72;
    if (options->fit_width > 0 && options->fit_height > 0) zoom = fmin(options->fit_width / width, options->fit_height / height);
    double scale = options->scale;
    if (options->thumbnail_width > 0 && options->thumbnail_height > 0) {
        bool is_part = options->flags & OFFSTAGE_PAGES_CLIP;
        double across = is_part ? options->clip[2] : width * zoom, down = is_part ? options->clip[3] : height * zoom;
        scale *= fmin(1, fmin(options->thumbnail_width / across, options->thumbnail_height / down));
    }
    zoom *= scale;
    geometry->page_width = side(width * zoom);
    geometry->page_height = side(height * zoom);
    geometry->left = geometry->top = 0;
    geometry->width = geometry->page_width;
    geometry->height = geometry->page_height;
    if (!(options->flags & OFFSTAGE_PAGES_CLIP)) return true;
    const double *clip = options->clip;
    int64_t left = place(floor(clip[0] * scale)), top = place(floor(clip[1] * scale));
    int64_t right = place(ceil((clip[0] + clip[2]) * scale)), bottom = place(ceil((clip[1] + clip[3]) * scale));
    if (left < 0) left = 0;
    if (top < 0) top = 0;
    if (right > geometry->page_width) right = geometry->page_width;
    if (bottom > geometry->page_height) bottom = geometry->page_height;
    if (left >= right || top >= bottom) return false;
    geometry->left = left;
    geometry->top = top;
    geometry->width = right - left;
    geometry->height = bottom - top;
    return true;
}
