// InkML's brushes. Offstage adds properties of its own, so that its files can be read back without loss.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "inkml.h"
#include "numbers.h"
#include "texture.h"
#include "xml.h"

const struct brush inkml_pen = {
    .style = {
        .tool = OFFSTAGE_INK_PEN, .cap = OFFSTAGE_INK_ROUND, .color = {0, 0, 0, 255}, .width = 1.5f, .smoothing = 0.5f}};

bool brushes_add(struct brushes *brushes, const char *name) {
    if (brushes->count == brushes->room) {
        size_t room = brushes->room ? 2 * brushes->room : 16;
        struct brush *larger = realloc(brushes->list, room * sizeof *larger);
        if (!larger) return false;
        brushes->list = larger;
        brushes->room = room;
    }
    names_set(&brushes->names, name, brushes->count);
    brushes->list[brushes->count++] = inkml_pen;
    brushes->has_opacity = false;
    return true;
}

void brushes_free(struct brushes *brushes) {
    free(brushes->list);
    names_free(&brushes->names);
}

static float within(const char *value, double otherwise, double most) {
    return (float)fmin(fmax(inkml_number(value, otherwise), 0), most);
}

static void set_tool(struct offstage_ink_style *style, const char *value) {
    if (strcmp(value, "marker") == 0) style->tool = OFFSTAGE_INK_MARKER;
    if (strcmp(value, "pencil") == 0) style->tool = OFFSTAGE_INK_PENCIL;
    if (strcmp(value, "highlighter") == 0) style->tool = OFFSTAGE_INK_HIGHLIGHTER;
    if (strcmp(value, "whiteout") == 0) style->tool = OFFSTAGE_INK_WHITEOUT;
}

static void set_dashes(struct offstage_ink_style *style, const char *value) {
    const char *end = value + strlen(value);
    double length;
    style->dash_count = 0;
    while (style->dash_count < OFFSTAGE_INK_DASHES && next_number(&value, end, &length))
        style->dashes[style->dash_count++] = (float)fmin(fmax(length, 0), 1e5);
}

/// Sets Offstage's own properties.
static void set_own(struct offstage_ink_style *style, const char *name, const char *value) {
    if (strcmp(name, "tool") == 0) set_tool(style, value);
    else if (strcmp(name, "cap") == 0)
        style->cap = strcmp(value, "butt") == 0 ? OFFSTAGE_INK_BUTT : strcmp(value, "square") == 0 ? OFFSTAGE_INK_SQUARE : OFFSTAGE_INK_ROUND;
    else if (strcmp(name, "smoothing") == 0) style->smoothing = within(value, 0.5, 1);
    else if (strcmp(name, "fill") == 0) style->fill = (uint32_t)within(value, 0, 255);
    else if (strcmp(name, "widthPressure") == 0) style->width_pressure = within(value, 0, 1);
    else if (strcmp(name, "widthSpeed") == 0) style->width_speed = within(value, 0, 1);
    else if (strcmp(name, "opacityPressure") == 0) style->opacity_pressure = within(value, 0, 1);
    else if (strcmp(name, "opacitySpeed") == 0) style->opacity_speed = within(value, 0, 1);
    else if (strcmp(name, "taperStart") == 0) style->taper_start = within(value, 0, 1e5);
    else if (strcmp(name, "taperEnd") == 0) style->taper_end = within(value, 0, 1e5);
    else if (strcmp(name, "dash") == 0) set_dashes(style, value);
}

void brush_set(struct brushes *brushes, struct document *document, const char **attributes) {
    const char *name = xml_attribute(attributes, "name"), *value = xml_attribute(attributes, "value");
    if (brushes->count == 0 || !name || !value) return;
    struct brush *brush = &brushes->list[brushes->count - 1];
    struct offstage_ink_style *style = &brush->style;
    if (strcmp(name, "texture") == 0) read_texture(document, value, NULL, &brush->texture);
    else if (strcmp(name, "textureImage") == 0) read_texture_image(document, brush->texture.image, value);
    else if (strcmp(name, "width") == 0) {
        double factor = inkml_unit(xml_attribute(attributes, "units"));
        double width = inkml_number(value, 1.5) * (factor > 0 ? factor : 1);
        if (width > 0 && width < 1e5) style->width = (float)width;
    } else if (strcmp(name, "color") == 0) {
        uint8_t alpha = style->color[3];
        if (read_color(value, style->color) && strlen(value) < 9) style->color[3] = alpha;
    } else if (strcmp(name, "transparency") == 0) {
        style->color[3] = (uint8_t)(255 - (int)within(value, 0, 255));
        brushes->has_opacity = true;
    } else if (strcmp(name, "rasterOp") == 0 && strcmp(value, "maskPen") == 0) {
        style->tool = OFFSTAGE_INK_HIGHLIGHTER;
        if (style->color[3] == 255 && !brushes->has_opacity) style->color[3] = 120;
    } else if (strcmp(name, "tip") == 0 && strcmp(value, "rectangle") == 0) style->cap = OFFSTAGE_INK_SQUARE;
    else if (strcmp(name, "ignorePressure") == 0) style->width_pressure = strcmp(value, "true") == 0 ? 0 : 1;
    else set_own(style, name, value);
}
