#ifndef OFFSTAGE_INK_SHAPES_H
#define OFFSTAGE_INK_SHAPES_H

#include "document.h"

/// A linear map: `x' = a·x + c·y + x`, `y' = b·x + d·y + y`.
struct affine {
    double a, b, c, d, x, y;
};

/// First `inner`, then `outer`.
struct affine affine_product(struct affine outer, struct affine inner);
struct affine affine_moved(double x, double y);
/// A clockwise turn, radians, around a place.
struct affine affine_turned(double angle, double x, double y);
/// The factor by which lengths grow, on average.
double affine_scale(const struct affine *map);
/// True for a map that turns, mirrors or shears.
bool affine_turns(const struct affine *map);
void affine_apply(const struct affine *map, double *x, double *y);

/// Makes strokes of shapes. Begin with a map, a style and a fill; each `shape_end` adds what was drawn since the last one.
struct shaper {
    struct document *document;
    /// From the shape's own coordinates to page units.
    struct affine map;
    /// Of the outline, in page units. A width of 0 draws none.
    struct offstage_ink_style style;
    /// The colour of the inside; an opacity of 0 draws none.
    uint8_t fill[4];
    /// In page units.
    struct offstage_ink_point *points;
    size_t count, room;
    /// Where the path is, in the shape's own coordinates.
    double x, y, pressure;
};

void shape_free(struct shaper *shaper);
/// Begins a path. `pressure` is 1 for the style's own width.
void shape_move(struct shaper *shaper, double x, double y, double pressure);
void shape_line(struct shaper *shaper, double x, double y, double pressure);
void shape_quad(struct shaper *shaper, const double control[2], double x, double y, double pressure);
void shape_cubic(struct shaper *shaper, const double first[2], const double second[2], double x, double y, double pressure);
/// A whole path: an ellipse around a place.
void shape_ellipse(struct shaper *shaper, double x, double y, double across, double down);
/// A whole path: a rectangle with round corners.
void shape_rectangle(struct shaper *shaper, double left, double top, double right, double bottom, double radius);
/// Adds the path, filled and with its outline.
void shape_end(struct shaper *shaper);

#endif
