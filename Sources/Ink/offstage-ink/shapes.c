// Draws shapes as strokes: their curves become short lines.
#include "shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct affine affine_product(struct affine outer, struct affine inner) {
    return (struct affine){
        outer.a * inner.a + outer.c * inner.b, outer.b * inner.a + outer.d * inner.b, outer.a * inner.c + outer.c * inner.d,
        outer.b * inner.c + outer.d * inner.d, outer.a * inner.x + outer.c * inner.y + outer.x,
        outer.b * inner.x + outer.d * inner.y + outer.y};
}

struct affine affine_moved(double x, double y) { return (struct affine){1, 0, 0, 1, x, y}; }

struct affine affine_turned(double angle, double x, double y) {
    double sine = sin(angle), cosine = cos(angle);
    return (struct affine){cosine, sine, -sine, cosine, x - cosine * x + sine * y, y - sine * x - cosine * y};
}

double affine_scale(const struct affine *map) { return sqrt(fabs(map->a * map->d - map->b * map->c)); }

bool affine_turns(const struct affine *map) {
    double size = fabs(map->a) + fabs(map->d);
    return !(map->a > 0 && map->d > 0 && fabs(map->b) + fabs(map->c) <= size * 1e-3);
}

void affine_apply(const struct affine *map, double *x, double *y) {
    double old = *x;
    *x = map->a * old + map->c * *y + map->x;
    *y = map->b * old + map->d * *y + map->y;
}

void shape_free(struct shaper *shaper) {
    free(shaper->points);
    shaper->points = NULL;
    shaper->count = shaper->room = 0;
}

static void add(struct shaper *shaper, double x, double y, double pressure) {
    if (shaper->document->failure) return;
    if (shaper->count == shaper->room) {
        size_t room = shaper->room ? 2 * shaper->room : 64;
        struct offstage_ink_point *larger =
            room <= shaper->document->most_points + 64 ? realloc(shaper->points, room * sizeof *larger) : NULL;
        if (!larger) return document_stop(shaper->document, OFFSTAGE_INK_OVER_LIMIT, 0, shaper->document->most_points);
        shaper->points = larger;
        shaper->room = room;
    }
    affine_apply(&shaper->map, &x, &y);
    shaper->points[shaper->count++] = (struct offstage_ink_point){.x = (float)x, .y = (float)y, .pressure = (float)pressure};
}

void shape_move(struct shaper *shaper, double x, double y, double pressure) {
    shaper->count = 0;
    shaper->x = x, shaper->y = y, shaper->pressure = pressure;
    add(shaper, x, y, pressure);
}

void shape_line(struct shaper *shaper, double x, double y, double pressure) {
    add(shaper, x, y, pressure);
    shaper->x = x, shaper->y = y, shaper->pressure = pressure;
}

void shape_cubic(struct shaper *shaper, const double first[2], const double second[2], double x, double y, double pressure) {
    double length = hypot(first[0] - shaper->x, first[1] - shaper->y) + hypot(second[0] - first[0], second[1] - first[1])
        + hypot(x - second[0], y - second[1]);
    double wanted = ceil(2 * sqrt(length * affine_scale(&shaper->map)));
    int count = wanted >= 2 ? wanted <= 64 ? (int)wanted : 64 : 2;
    for (int i = 1; i <= count; i++) {
        double t = (double)i / count, s = 1 - t, a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
        add(shaper, a * shaper->x + b * first[0] + c * second[0] + d * x, a * shaper->y + b * first[1] + c * second[1] + d * y,
            shaper->pressure + (pressure - shaper->pressure) * t);
    }
    shaper->x = x, shaper->y = y, shaper->pressure = pressure;
}

void shape_quad(struct shaper *shaper, const double control[2], double x, double y, double pressure) {
    const double first[2] = {(shaper->x + 2 * control[0]) / 3, (shaper->y + 2 * control[1]) / 3};
    const double second[2] = {(x + 2 * control[0]) / 3, (y + 2 * control[1]) / 3};
    shape_cubic(shaper, first, second, x, y, pressure);
}

/// The control point distance for a quarter circle.
#define ROUND 0.5522847498

void shape_ellipse(struct shaper *shaper, double x, double y, double across, double down) {
    const double kx = ROUND * across, ky = ROUND * down;
    shape_move(shaper, x + across, y, 1);
    shape_cubic(shaper, (double[]){x + across, y + ky}, (double[]){x + kx, y + down}, x, y + down, 1);
    shape_cubic(shaper, (double[]){x - kx, y + down}, (double[]){x - across, y + ky}, x - across, y, 1);
    shape_cubic(shaper, (double[]){x - across, y - ky}, (double[]){x - kx, y - down}, x, y - down, 1);
    shape_cubic(shaper, (double[]){x + kx, y - down}, (double[]){x + across, y - ky}, x + across, y, 1);
}

void shape_rectangle(struct shaper *shaper, double left, double top, double right, double bottom, double radius) {
    double r = fmin(fmax(radius, 0), fmin(fabs(right - left), fabs(bottom - top)) / 2);
    shape_move(shaper, left + r, top, 1);
    shape_line(shaper, right - r, top, 1);
    if (r > 0) shape_quad(shaper, (double[]){right, top}, right, top + r, 1);
    shape_line(shaper, right, bottom - r, 1);
    if (r > 0) shape_quad(shaper, (double[]){right, bottom}, right - r, bottom, 1);
    shape_line(shaper, left + r, bottom, 1);
    if (r > 0) shape_quad(shaper, (double[]){left, bottom}, left, bottom - r, 1);
    shape_line(shaper, left, top + r, 1);
    if (r > 0) shape_quad(shaper, (double[]){left, top}, left + r, top, 1);
}

static void add_stroke(struct shaper *shaper, const struct offstage_ink_style *style) {
    struct item *item = document_add_item(shaper->document, ITEM_STROKE);
    if (!item) return;
    item->style = *style;
    for (size_t i = 0; i < shaper->count && !shaper->document->failure; i++) document_add_point(shaper->document, shaper->points[i]);
}

void shape_end(struct shaper *shaper) {
    if (shaper->document->failure || shaper->count == 0) return;
    if (shaper->fill[3] > 0 && shaper->count > 2) {
        struct offstage_ink_style inside = {.tool = OFFSTAGE_INK_PEN, .fill = shaper->fill[3]};
        memcpy(inside.color, shaper->fill, 3);
        inside.color[3] = 255;
        add_stroke(shaper, &inside);
    }
    if (shaper->style.width > 0) add_stroke(shaper, &shaper->style);
    shaper->count = 0;
}
