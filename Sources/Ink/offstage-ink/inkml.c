// The W3C's InkML: pen traces whose channels are defined by a format.
#include "inkml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numbers.h"
#include "xml.h"

/// The maximum depth of groups. Deeper ones use the brush of the group around them.
#define DEEPEST 64
#define NONE SIZE_MAX

/// The brush and the format of a group's traces, or NONE.
struct scope {
    size_t brush, format;
};

struct reading {
    struct document *document;
    struct xml_reader *reader;
    struct formats formats;
    struct brushes brushes;
    /// The brushes of contexts, by the contexts' names.
    struct names context_brushes;
    char *context, *source;
    struct scope scopes[DEEPEST];
    int depth, definitions;
    struct brush brush;
    const struct format *trace_format;
    bool has_page, is_annotation, is_in_format, is_in_brush, is_skipped;
    /// True if all coordinates so far had a unit.
    bool has_units;
};

static const struct scope *scope_of(const struct reading *reading) {
    return &reading->scopes[reading->depth < DEEPEST ? reading->depth : DEEPEST - 1];
}

/// The brush and the format that an element refers to, or those of the group around it.
static struct scope find_scope(const struct reading *reading, const char **attributes) {
    struct scope scope = *scope_of(reading);
    const char *context = xml_attribute(attributes, "contextRef");
    names_find(&reading->formats.names, context, &scope.format);
    names_find(&reading->context_brushes, context, &scope.brush);
    names_find(&reading->brushes.names, xml_attribute(attributes, "brushRef"), &scope.brush);
    return scope;
}

static void start_trace(struct reading *reading, const char **attributes) {
    const char *type = xml_attribute(attributes, "type");
    struct scope scope = find_scope(reading, attributes);
    // Skips traces above the paper, and traces that are only defined for references.
    bool is_above = type && strcmp(type, "penUp") == 0;
    if (is_above) reading->document->facts |= OFFSTAGE_INK_HAS_HIDDEN;
    reading->is_skipped = is_above || reading->definitions > 0;
    const struct brushes *brushes = &reading->brushes;
    if (scope.brush >= brushes->count && brushes->count > 0) scope.brush = brushes->count - 1;
    reading->brush = scope.brush < brushes->count ? brushes->list[scope.brush] : inkml_pen;
    const struct formats *formats = &reading->formats;
    if (scope.format >= formats->count && formats->count > 0) scope.format = formats->count - 1;
    reading->trace_format = scope.format < formats->count ? &formats->list[scope.format] : &inkml_plain_format;
    reading->reader->wants_text = !reading->is_skipped;
}

static void remember(char **name, const char *text) {
    free(*name);
    *name = text ? strdup(text) : NULL;
}

static void start_context(struct reading *reading, const char **attributes) {
    const char *const references[] = {"contextRef", "inkSourceRef", "traceFormatRef"};
    const char *identifier = xml_attribute(attributes, "id");
    size_t number;
    remember(&reading->context, identifier);
    for (size_t i = 0; i < sizeof references / sizeof *references; i++)
        if (names_find(&reading->formats.names, xml_attribute(attributes, references[i]), &number))
            names_set(&reading->formats.names, identifier, number);
    if (names_find(&reading->context_brushes, xml_attribute(attributes, "contextRef"), &number)
        || names_find(&reading->brushes.names, xml_attribute(attributes, "brushRef"), &number))
        names_set(&reading->context_brushes, identifier, number);
}

static void start_format(struct reading *reading, const char *identifier) {
    if (!formats_add(&reading->formats)) return document_stop(reading->document, OFFSTAGE_WIRE_NO_MEMORY, 0, 0);
    size_t number = reading->formats.count - 1;
    names_set(&reading->formats.names, identifier, number);
    // A format inside a context or a source is also known by their names.
    names_set(&reading->formats.names, reading->source, number);
    names_set(&reading->formats.names, reading->context, number);
    reading->is_in_format = true;
}

static void start_brush(struct reading *reading, const char *identifier) {
    if (!brushes_add(&reading->brushes, identifier)) return document_stop(reading->document, OFFSTAGE_WIRE_NO_MEMORY, 0, 0);
    names_set(&reading->context_brushes, reading->context, reading->brushes.count - 1);
    reading->is_in_brush = true;
}

static void start_group(struct reading *reading, const char **attributes) {
    struct scope scope = find_scope(reading, attributes);
    reading->depth++;
    if (reading->depth < DEEPEST) reading->scopes[reading->depth] = scope;
}

static void start(void *context, const char *name, const char **attributes) {
    struct reading *reading = context;
    reading->reader->wants_text = false;
    const char *identifier = xml_attribute(attributes, "id");
    if (strcmp(name, "definitions") == 0) reading->definitions++;
    else if (strcmp(name, "context") == 0) start_context(reading, attributes);
    else if (strcmp(name, "inkSource") == 0) remember(&reading->source, identifier);
    else if (strcmp(name, "traceFormat") == 0) start_format(reading, identifier);
    else if (strcmp(name, "channel") == 0 && reading->is_in_format) format_add_channel(&reading->formats, attributes);
    else if (strcmp(name, "channelProperty") == 0) format_add_property(&reading->formats, attributes);
    else if (strcmp(name, "brush") == 0) start_brush(reading, identifier);
    else if (strcmp(name, "brushProperty") == 0 && reading->is_in_brush) brush_set(&reading->brushes, reading->document, attributes);
    else if (strcmp(name, "traceGroup") == 0) start_group(reading, attributes);
    else if (strcmp(name, "trace") == 0) start_trace(reading, attributes);
    else if (strcmp(name, "traceView") == 0) reading->document->facts |= OFFSTAGE_INK_HAS_OTHER;
    else if (strcmp(name, "annotation") == 0) {
        const char *type = xml_attribute(attributes, "type");
        reading->is_annotation = type && strcmp(type, "page") == 0;
        reading->reader->wants_text = reading->is_annotation;
    }
}

/// The order of differences of a channel's values: values, differences, or differences of differences.
struct value {
    int order;
    double last, speed;
};

static double next_value(struct value *value, double number) {
    if (value->order == 2) {
        value->speed += number;
        value->last += value->speed;
    } else if (value->order == 1) {
        value->speed = number;
        value->last += number;
    } else {
        value->speed = number - value->last;
        value->last = number;
    }
    return value->last;
}

/// Reads digits after a `#`.
static double hexadecimal(const char *at, const char *end, const char **stop) {
    double number = at < end ? 0 : NAN;
    const char *first = at;
    for (; at < end && ((*at >= '0' && *at <= '9') || (*at >= 'A' && *at <= 'F') || (*at >= 'a' && *at <= 'f')); at++)
        number = number * 16 + (*at <= '9' ? *at - '0' : (*at | 32) - 'a' + 10);
    *stop = at;
    return at == first ? NAN : number;
}

/// Reads a value. Returns false at the end of the point.
static bool read_value(const char **text, const char *end, struct value *value) {
    const char *at = *text;
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')) at++;
    if (at < end && (*at == '!' || *at == '\'' || *at == '"')) {
        value->order = *at == '!' ? 0 : *at == '\'' ? 1 : 2;
        at++;
    }
    *text = at;
    if (at == end || *at == ',') return false;
    if (*at == '*' || *at == '?' || *at == 'T' || *at == 'F') {
        *text = at + 1;
        return true;
    }
    const char *stop = at + 1;
    // A sign begins the next value, except in an exponent.
    while (stop < end
           && ((*stop >= '0' && *stop <= '9') || *stop == '.' || *stop == 'e' || *stop == 'E'
               || ((*stop == '-' || *stop == '+') && (stop[-1] == 'e' || stop[-1] == 'E'))))
        stop++;
    double number = NAN;
    const char *from = at;
    if (*at == '#') number = hexadecimal(at + 1, end, &stop);
    else next_number(&from, stop, &number);
    next_value(value, number);
    *text = stop;
    return true;
}

static struct offstage_ink_point point_of(
    struct reading *reading, const struct format *format, const struct value *values, double start_time) {
    struct offstage_ink_point point = {.pressure = 1};
    for (int i = 0; i < format->count; i++) {
        double value = values[i].last, factor = format->factors[i];
        switch (format->channels[i]) {
        case CHANNEL_X:
        case CHANNEL_Y:
            if (!(factor > 0)) reading->has_units = false;
            *(format->channels[i] == CHANNEL_X ? &point.x : &point.y) = (float)(value * (factor > 0 ? factor : 1));
            break;
        case CHANNEL_FORCE:
            // The middle of the range is the brush's own width.
            point.pressure = (float)(format->most_force > 1 ? 2 * value / format->most_force : value);
            break;
        case CHANNEL_TIME: point.time = (float)((value - start_time) * factor); break;
        case CHANNEL_TILT: point.tilt = (float)(1.5707963 - value * factor); break;
        case CHANNEL_AZIMUTH: point.azimuth = (float)(value * factor); break;
        case CHANNEL_OTHER: break;
        }
    }
    return point;
}

static void end_trace(struct reading *reading) {
    struct document *document = reading->document;
    struct item *item = reading->is_skipped ? NULL : document_add_item(document, ITEM_STROKE);
    if (!item || reading->reader->text_count == 0) return;
    item->style = reading->brush.style;
    document_add_texture(document, &reading->brush.texture);
    const struct format *format = reading->trace_format;
    struct value values[CHANNELS] = {0};
    const char *at = reading->reader->text, *end = at + reading->reader->text_count;
    double start_time = 0;
    bool is_first = true;
    while (at < end && !document->failure) {
        int channel = 0;
        while (channel < format->count && read_value(&at, end, &values[channel])) channel++;
        for (int i = 0; is_first && i < channel; i++)
            if (format->channels[i] == CHANNEL_TIME) start_time = values[i].last;
        is_first = false;
        if (channel >= 2) document_add_point(document, point_of(reading, format, values, start_time));
        while (at < end && *at != ',') at++;
        if (at < end) at++;
    }
}

static void end_annotation(struct reading *reading) {
    const char *at = reading->reader->text;
    const char *end = at + reading->reader->text_count;
    double width, height;
    reading->is_annotation = false;
    if (!at || !next_number(&at, end, &width) || !next_number(&at, end, &height)) return;
    if (!(width >= 1 && width <= 1e5 && height >= 1 && height <= 1e5)) return;
    document_add_page(reading->document, (float)width, (float)height);
    document_add_layer(reading->document, NULL);
    reading->has_page = true;
}

static void end(void *context, const char *name) {
    struct reading *reading = context;
    if (strcmp(name, "trace") == 0) end_trace(reading);
    else if (strcmp(name, "brush") == 0) reading->is_in_brush = false;
    else if (strcmp(name, "traceFormat") == 0) reading->is_in_format = false;
    else if (strcmp(name, "context") == 0) remember(&reading->context, NULL);
    else if (strcmp(name, "inkSource") == 0) remember(&reading->source, NULL);
    else if (strcmp(name, "definitions") == 0) reading->definitions--;
    else if (strcmp(name, "traceGroup") == 0 && reading->depth > 0) reading->depth--;
    else if (strcmp(name, "annotation") == 0 && reading->is_annotation) end_annotation(reading);
    reading->reader->wants_text = false;
}

/// The largest extent of a page in points.
static float extent(struct document *document) {
    float most = 0;
    for (size_t i = 0; i < document->point_count; i++) {
        most = fmaxf(most, fabsf(document->points[i].x - document->points[0].x));
        most = fmaxf(most, fabsf(document->points[i].y - document->points[0].y));
    }
    return most;
}

void read_inkml(struct document *document, const uint8_t *bytes, size_t count) {
    struct xml_reader reader = {.start = start, .end = end};
    struct reading *reading = calloc(1, sizeof *reading);
    if (!reading) return document_stop(document, OFFSTAGE_WIRE_NO_MEMORY, 0, 0);
    reading->document = document;
    reading->reader = &reader;
    reading->has_units = true;
    reading->scopes[0] = (struct scope){NONE, NONE};
    reader.context = reading;
    document->format = OFFSTAGE_INK_INKML;
    if (!xml_read(document, &reader, bytes, count)) document->facts |= OFFSTAGE_INK_IS_CUT;
    if (!reading->has_page && document->page_count == 1) {
        // Tablet units: scaled to the page's width. Brush widths are in page units.
        float size = extent(document), factor = reading->has_units ? 1 : 0.75f;
        if (!reading->has_units && size * factor > 900) factor = 500 / size;
        document_fit_page(document, 0, factor, 12);
    }
    formats_free(&reading->formats);
    brushes_free(&reading->brushes);
    names_free(&reading->context_brushes);
    free(reading->context);
    free(reading->source);
    free(reading);
}
