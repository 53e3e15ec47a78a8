#ifndef OFFSTAGE_INK_SHAPES_H
#define OFFSTAGE_INK_SHAPES_H

#include "document.h"

/// An affine map: `x' = a·x + c·y + x`, `y' = b·x + d·y + y`.
struct affine {
    double a, b, c, d, x, y;
};

/// The map that applies `inner` first, then `outer`.
struct affine affine_product(struct affine outer, struct affine inner);
struct affine affine_moved(double x, double y);
/// A clockwise rotation around a point, in radians.
struct affine affine_turned(double angle, double x, double y);
/// The average scale factor for lengths.
double affine_scale(const struct affine *map);
/// True for a map that rotates, mirrors or shears.
bool affine_turns(const struct affine *map);
void affine_apply(const struct affine *map, double *x, double *y);

/// Turns shapes into strokes. Begin with a map, a style and a fill; each `shape_end` adds the lines that were drawn since the last
/// one.
struct shaper {
    struct document *document;
    /// From the shape's own coordinates to page units.
    struct affine map;
    /// The outline's style, in page units. A width of 0 draws no outline.
    struct offstage_ink_style style;
    /// The fill colour. An opacity of 0 draws no fill.
    uint8_t fill[4];
    /// In page units.
    struct offstage_ink_point *points;
    size_t count, room;
    /// The current point of the path, in the shape's own coordinates.
    double x, y, pressure;
};

void shape_free(struct shaper *shaper);
/// Begins a path. `pressure` is 1 for the style's own width.
void shape_move(struct shaper *shaper, double x, double y, double pressure);
void shape_line(struct shaper *shaper, double x, double y, double pressure);
void shape_quad(struct shaper *shaper, const double control[2], double x, double y, double pressure);
void shape_cubic(struct shaper *shaper, const double first[2], const double second[2], double x, double y, double pressure);
/// Adds an ellipse around a point, as a complete path.
void shape_ellipse(struct shaper *shaper, double x, double y, double across, double down);
/// Adds a rectangle with round corners, as a complete path.
void shape_rectangle(struct shaper *shaper, double left, double top, double right, double bottom, double radius);
/// Finishes the path: fills it and draws its outline.
void shape_end(struct shaper *shaper);

#endif
