// The W3C's InkML: traces of a pen, whose channels a format names.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numbers.h"
#include "xml.h"

#define CHANNELS 16
#define CONTEXTS 64
#define NAME 64

enum channel { CHANNEL_OTHER, CHANNEL_X, CHANNEL_Y, CHANNEL_FORCE, CHANNEL_TIME, CHANNEL_TILT, CHANNEL_AZIMUTH };

struct format {
    char name[NAME];
    enum channel channels[CHANNELS];
    /// The factor to points, degrees to radians, milliseconds to seconds; 0 for X and Y without a unit.
    double factors[CHANNELS];
    /// The largest pressure; 0 if it is not known.
    double most_force;
    int count;
};

struct brush {
    char name[NAME];
    struct offstage_ink_style style;
    bool has_units;
};

struct reading {
    struct document *document;
    struct xml_reader *reader;
    struct format formats[CONTEXTS], *format, *trace_format;
    struct brush brushes[CONTEXTS], *brush;
    int format_count, brush_count;
    struct offstage_ink_style style;
    bool has_page, is_annotation;
    /// 1: all coordinates so far had a unit.
    bool has_units;
};

static double unit(const char *name) {
    static const struct {
        const char *name;
        double points;
    } units[] = {{"mm", 72 / 25.4}, {"cm", 72 / 2.54}, {"m", 7200 / 2.54}, {"in", 72}, {"pt", 1}, {"pc", 12}, {"px", 0.75},
                 {"himetric", 72 / 2540.0}};
    for (size_t i = 0; name && i < sizeof units / sizeof *units; i++)
        if (strcmp(name, units[i].name) == 0) return units[i].points;
    return 0;
}

static void copy(char to[NAME], const char *from) {
    size_t length = from ? strlen(from) : 0;
    if (length >= NAME) length = NAME - 1;
    if (length) memcpy(to, from, length);
    to[length] = 0;
}

static double number(const char *text, double otherwise) {
    double value;
    if (!text || !next_number(&text, text + strlen(text), &value) || !isfinite(value)) return otherwise;
    return value;
}

static const struct format plain = {"", {CHANNEL_X, CHANNEL_Y}, {0, 0}, 0, 2};
static const struct offstage_ink_style pen = {
    .tool = OFFSTAGE_INK_PEN, .cap = OFFSTAGE_INK_ROUND, .color = {0, 0, 0, 255}, .width = 1.5f, .smoothing = 0.5f};

static void start_channel(struct reading *reading, const char **attributes) {
    struct format *format = reading->format;
    const char *name = xml_attribute(attributes, "name"), *units = xml_attribute(attributes, "units");
    if (!format || !name || format->count == CHANNELS) return;
    enum channel channel = CHANNEL_OTHER;
    double factor = 1;
    if (strcmp(name, "X") == 0 || strcmp(name, "Y") == 0) {
        channel = *name == 'X' ? CHANNEL_X : CHANNEL_Y;
        factor = unit(units);
    } else if (strcmp(name, "F") == 0) {
        channel = CHANNEL_FORCE;
        format->most_force = number(xml_attribute(attributes, "max"), 0);
    } else if (strcmp(name, "T") == 0) {
        channel = CHANNEL_TIME;
        factor = units && strcmp(units, "s") == 0 ? 1 : 0.001;
    } else if (strcmp(name, "OE") == 0 || strcmp(name, "OA") == 0) {
        channel = name[1] == 'E' ? CHANNEL_TILT : CHANNEL_AZIMUTH;
        factor = units && strcmp(units, "rad") == 0 ? 1 : 3.14159265358979 / 180;
    }
    format->channels[format->count] = channel;
    format->factors[format->count++] = factor;
}

static void start_property(struct reading *reading, const char **attributes) {
    const char *name = xml_attribute(attributes, "name"), *value = xml_attribute(attributes, "value");
    if (!reading->brush || !name || !value) return;
    struct offstage_ink_style *style = &reading->brush->style;
    if (strcmp(name, "width") == 0 || strcmp(name, "height") == 0) {
        double factor = unit(xml_attribute(attributes, "units"));
        double width = number(value, 1.5) * (factor > 0 ? factor : 1);
        if (strcmp(name, "width") == 0 && width > 0 && width < 1e5) style->width = (float)width;
        reading->brush->has_units = factor > 0;
    } else if (strcmp(name, "color") == 0) {
        uint8_t alpha = style->color[3];
        if (read_color(value, style->color) && strlen(value) < 9) style->color[3] = alpha;
    } else if (strcmp(name, "transparency") == 0) {
        double share = number(value, 0);
        style->color[3] = (uint8_t)(255 - (share < 0 ? 0 : share > 255 ? 255 : share));
    } else if (strcmp(name, "rasterOp") == 0 && strcmp(value, "maskPen") == 0) {
        style->tool = OFFSTAGE_INK_HIGHLIGHTER;
        if (style->color[3] == 255) style->color[3] = 120;
    } else if (strcmp(name, "tool") == 0) {
        if (strcmp(value, "marker") == 0) style->tool = OFFSTAGE_INK_MARKER;
        if (strcmp(value, "pencil") == 0) style->tool = OFFSTAGE_INK_PENCIL;
        if (strcmp(value, "highlighter") == 0) style->tool = OFFSTAGE_INK_HIGHLIGHTER;
        if (strcmp(value, "whiteout") == 0) style->tool = OFFSTAGE_INK_WHITEOUT;
    } else if (strcmp(name, "tip") == 0 && strcmp(value, "rectangle") == 0) style->cap = OFFSTAGE_INK_SQUARE;
    else if (strcmp(name, "ignorePressure") == 0) style->width_pressure = strcmp(value, "true") == 0 ? 0 : 1;
    else if (strcmp(name, "smoothing") == 0) style->smoothing = (float)fmin(fmax(number(value, 0.5), 0), 1);
    else if (strcmp(name, "fill") == 0) style->fill = (uint32_t)fmin(fmax(number(value, 0), 0), 255);
}

static const struct format *find_format(const struct reading *reading, const char *reference) {
    if (reference && *reference == '#') reference++;
    for (int i = 0; reference && i < reading->format_count; i++)
        if (strcmp(reading->formats[i].name, reference) == 0) return &reading->formats[i];
    return reading->format_count > 0 ? &reading->formats[reading->format_count - 1] : &plain;
}

static void start_trace(struct reading *reading, const char **attributes) {
    const char *brush = xml_attribute(attributes, "brushRef"), *context = xml_attribute(attributes, "contextRef");
    reading->style = reading->brush_count > 0 ? reading->brushes[reading->brush_count - 1].style : pen;
    if (brush && *brush == '#') brush++;
    for (int i = 0; brush && i < reading->brush_count; i++)
        if (strcmp(reading->brushes[i].name, brush) == 0) reading->style = reading->brushes[i].style;
    reading->trace_format = (struct format *)find_format(reading, context);
    reading->reader->wants_text = true;
}

static void start(void *context, const char *name, const char **attributes) {
    struct reading *reading = context;
    reading->reader->wants_text = false;
    const char *identifier = xml_attribute(attributes, "id");
    if (strcmp(name, "context") == 0) {
        // A format inside of it is known by its name.
        if (reading->format_count < CONTEXTS) copy(reading->formats[reading->format_count].name, identifier);
    } else if (strcmp(name, "traceFormat") == 0 && reading->format_count < CONTEXTS) {
        struct format *format = &reading->formats[reading->format_count++];
        format->count = 0;
        format->most_force = 0;
        if (identifier && !format->name[0]) copy(format->name, identifier);
        reading->format = format;
    } else if (strcmp(name, "channel") == 0) start_channel(reading, attributes);
    else if (strcmp(name, "brush") == 0 && reading->brush_count < CONTEXTS) {
        reading->brush = &reading->brushes[reading->brush_count++];
        reading->brush->style = pen;
        copy(reading->brush->name, identifier);
    } else if (strcmp(name, "brushProperty") == 0) start_property(reading, attributes);
    else if (strcmp(name, "trace") == 0) start_trace(reading, attributes);
    else if (strcmp(name, "annotation") == 0) {
        const char *type = xml_attribute(attributes, "type");
        reading->is_annotation = type && strcmp(type, "page") == 0;
        reading->reader->wants_text = reading->is_annotation;
    }
}

/// The order of a channel's values: as they are, their differences, or the differences of those.
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
    next_number(&from, stop, &number);
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
    struct item *item = document_add_item(document, ITEM_STROKE);
    if (!item || reading->reader->text_count == 0) return;
    item->style = reading->style;
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
    else if (strcmp(name, "brush") == 0) reading->brush = NULL;
    else if (strcmp(name, "traceFormat") == 0) reading->format = NULL;
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
    reader.context = reading;
    document->format = OFFSTAGE_INK_INKML;
    if (!xml_read(document, &reader, bytes, count)) document->facts |= OFFSTAGE_INK_IS_CUT;
    if (!reading->has_page && document->page_count == 1) {
        // The units of a tablet: as large as a page is wide. Brushes' widths are of the page.
        float size = extent(document), factor = reading->has_units ? 1 : 0.75f;
        if (!reading->has_units && size * factor > 900) factor = 500 / size;
        document_fit_page(document, 0, factor, 12);
    }
    free(reading);
}
