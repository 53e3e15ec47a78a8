// Xournal's and Xournal++'s files.
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base64.h"
#include "container.h"
#include "numbers.h"
#include "texture.h"
#include "xml.h"

/// Xournal++'s opacity for highlighters whose colour does not specify it.
#define HIGHLIGHT 120

struct reading {
    struct document *document;
    struct xml_reader *reader;
    /// The widths of the stroke's segments.
    double *widths;
    size_t width_count, width_room;
    double width;
    struct offstage_ink_style style;
    struct offstage_ink_texture texture;
    struct offstage_ink_text_head text;
    char *font, *source;
    struct offstage_ink_image_head image;
};

static double number(const char **attributes, const char *name, double otherwise) {
    const char *text = xml_attribute(attributes, name);
    double value;
    if (!text || !next_number(&text, text + strlen(text), &value) || !isfinite(value)) return otherwise;
    return value;
}

static float limited(double value, double least, double most) {
    return (float)(value >= least ? value <= most ? value : most : least);
}

static const struct {
    const char *name;
    enum offstage_ink_ruling ruling;
} rulings[] = {
    {"lined", OFFSTAGE_INK_LINED},
    {"ruled", OFFSTAGE_INK_RULED},
    {"graph", OFFSTAGE_INK_GRAPH},
    {"dotted", OFFSTAGE_INK_DOTTED},
    {"isometric graph", OFFSTAGE_INK_ISOMETRIC_GRAPH},
    {"isodotted", OFFSTAGE_INK_ISOMETRIC_DOTTED},
    {"isograph", OFFSTAGE_INK_ISOMETRIC_GRAPH},
    {"isometric dotted", OFFSTAGE_INK_ISOMETRIC_DOTTED},
    {"staves", OFFSTAGE_INK_STAVES},
};

/// The value of a key, after its `=`; NULL if there is none.
static const char *config_value(const char *config, const char *key) {
    size_t length = strlen(key);
    for (const char *at = config; at && *at; at = strchr(at, ','), at = at ? at + 1 : NULL)
        if (strncmp(at, key, length) == 0 && at[length] == '=') return at + length + 1;
    return NULL;
}

static void configure_number(const char *config, const char *key, double least, float *value) {
    const char *text = config_value(config, key);
    double number;
    if (text && next_number(&text, text + strcspn(text, ","), &number)) *value = limited(number, least, 1e5);
}

/// Reads a colour such as `FF0000`, of any length.
static void configure_color(const char *config, const char *key, uint8_t color[4]) {
    const char *text = config_value(config, key);
    if (!text || !isxdigit((unsigned char)*text)) return;
    unsigned long value = strtoul(text, NULL, 16);
    for (int i = 0; i < 3; i++) color[i] = (uint8_t)(value >> (16 - 8 * i) & 255);
    color[3] = 255;
}

/// Applies options such as `m1=40,rm=1`.
static void configure(struct offstage_ink_page *page, const char *config) {
    configure_number(config, "m1", 0, &page->margin);
    configure_number(config, "r1", 1, &page->spacing);
    configure_number(config, "lw", 0, &page->line_width);
    configure_color(config, "f1", page->line_color);
    configure_color(config, "af1", page->dark_line_color);
    configure_color(config, "f2", page->accent_color);
    configure_color(config, "af2", page->dark_accent_color);
}

/// Reads a paper colour, whose name means a paler colour than the same name for a pen.
static bool read_paper_color(const char *text, uint8_t color[4]) {
    static const char *const pale[][2] = {
        {"blue", "#a0e8ff"}, {"green", "#80ffc0"}, {"pink", "#ffc0d4"}, {"orange", "#ffc080"}, {"yellow", "#ffff80"}};
    for (size_t i = 0; i < sizeof pale / sizeof *pale; i++)
        if (strcmp(text, pale[i][0]) == 0) return read_color(pale[i][1], color);
    return read_color(text, color);
}

static void start_background(struct reading *reading, const char **attributes) {
    struct document *document = reading->document;
    if (document->page_count == 0) return;
    document_change_page(document, document->page_count - 1);
    const char *type = xml_attribute(attributes, "type"), *style = xml_attribute(attributes, "style");
    const char *color = xml_attribute(attributes, "color"), *file = xml_attribute(attributes, "filename");
    const char *domain = xml_attribute(attributes, "domain"), *config = xml_attribute(attributes, "config");
    size_t count = file ? strlen(file) : 0, place = count ? document_add_bytes(document, file, count) : 0;
    struct page *page = &document->pages[document->page_count - 1];
    struct offstage_ink_page *head = &page->head;
    if (type && strcmp(type, "pdf") == 0) head->background = OFFSTAGE_INK_PDF;
    else if (type && strcmp(type, "pixmap") == 0) head->background = OFFSTAGE_INK_PIXMAP;
    for (size_t i = 0; style && i < sizeof rulings / sizeof *rulings; i++)
        if (strcmp(style, rulings[i].name) == 0) head->ruling = rulings[i].ruling;
    if (config) configure(head, config);
    uint8_t parsed[4];
    if (color && read_paper_color(color, parsed)) memcpy(head->color, parsed, 3);
    head->background_page = (uint32_t)limited(number(attributes, "pageno", 1), 1, 1e6);
    head->domain = domain && strcmp(domain, "attach") == 0 ? OFFSTAGE_INK_ATTACHED : OFFSTAGE_INK_ABSOLUTE;
    page->name = place;
    page->name_count = count;
    // The first page of a PDF document specifies the file for all pages. A clone refers to an earlier page.
    bool is_clone = domain && strcmp(domain, "clone") == 0;
    size_t original = is_clone && file ? (size_t)limited(atof(file), 0, 1e6) : 0;
    for (size_t i = document->page_count - 1; (is_clone || (count == 0 && head->background == OFFSTAGE_INK_PDF)) && i-- > 0;) {
        struct page *earlier = &document->pages[i];
        if (earlier->head.background != head->background || earlier->name_count == 0 || (is_clone && i != original)) continue;
        page->name = earlier->name;
        page->name_count = earlier->name_count;
        head->domain = earlier->head.domain;
        break;
    }
}

static void set_dashes(struct offstage_ink_style *style, const char *text) {
    static const struct {
        const char *name;
        uint32_t count;
        float lengths[4];
    } known[] = {{"dash", 2, {6, 3}}, {"dashdot", 4, {6, 3, 0.5f, 3}}, {"dot", 2, {0.5f, 3}}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(text, known[i].name) != 0) continue;
        style->dash_count = known[i].count;
        memcpy(style->dashes, known[i].lengths, sizeof known[i].lengths);
    }
    if (strncmp(text, "cust:", 5) != 0) return;
    const char *at = text + 5, *end = text + strlen(text);
    double value;
    while (style->dash_count < OFFSTAGE_INK_DASHES && next_number(&at, end, &value))
        style->dashes[style->dash_count++] = limited(value, 0, 1e5);
}

static void start_stroke(struct reading *reading, const char **attributes) {
    struct offstage_ink_style style = {.tool = OFFSTAGE_INK_PEN, .cap = OFFSTAGE_INK_ROUND, .color = {0, 0, 0, 255}};
    const char *tool = xml_attribute(attributes, "tool"), *color = xml_attribute(attributes, "color");
    const char *width = xml_attribute(attributes, "width"), *cap = xml_attribute(attributes, "capStyle");
    const char *dashes = xml_attribute(attributes, "style"), *fill = xml_attribute(attributes, "fill");
    if (color) read_color(color, style.color);
    if (tool && strcmp(tool, "highlighter") == 0) {
        style.tool = OFFSTAGE_INK_HIGHLIGHTER;
        style.color[3] = HIGHLIGHT;
    } else if (tool && strcmp(tool, "eraser") == 0) style.tool = OFFSTAGE_INK_WHITEOUT;
    if (cap && strcmp(cap, "butt") == 0) style.cap = OFFSTAGE_INK_BUTT;
    else if (cap && strcmp(cap, "square") == 0) style.cap = OFFSTAGE_INK_SQUARE;
    if (dashes) set_dashes(&style, dashes);
    if (fill) style.fill = (uint32_t)limited(number(attributes, "fill", 0), 0, 255);
    // The same opacity as in Xournal++.
    if (style.tool == OFFSTAGE_INK_HIGHLIGHTER && style.fill > 0) style.color[3] = (uint8_t)style.fill;
    reading->width_count = 0;
    reading->width = 1;
    if (width) {
        const char *end = width + strlen(width);
        double value;
        if (next_number(&width, end, &value)) reading->width = limited(value, 0, 1e5);
        while (next_number(&width, end, &value)) {
            if (reading->width_count == reading->width_room) {
                size_t room = reading->width_room ? 2 * reading->width_room : 256;
                double *larger = realloc(reading->widths, room * sizeof *larger);
                if (!larger) return document_stop(reading->document, OFFSTAGE_WIRE_NO_MEMORY, 0, 0);
                reading->widths = larger;
                reading->width_room = room;
            }
            reading->widths[reading->width_count++] = limited(value, 0, 1e5);
        }
    }
    // Old files have a width for each segment, and none for the stroke.
    if (reading->width_count > 0 && !(reading->width > 0)) reading->width = 1;
    style.width = (float)reading->width;
    if (reading->width_count > 0) style.width_pressure = 1;
    reading->style = style;
    reading->texture = (struct offstage_ink_texture){.shape = OFFSTAGE_INK_NO_SHAPE};
    // Offstage's own attribute; Xournal++ draws a solid line.
    const char *texture = xml_attribute(attributes, "texture"), *image = xml_attribute(attributes, "textureImage");
    if (texture) read_texture(reading->document, texture, image, &reading->texture);
    reading->reader->wants_text = true;
}

static void end_stroke(struct reading *reading) {
    struct document *document = reading->document;
    struct item *item = document_add_item(document, ITEM_STROKE);
    if (!item) return;
    item->style = reading->style;
    document_add_texture(document, &reading->texture);
    const char *at = reading->reader->text, *end = at + reading->reader->text_count;
    double x, y;
    size_t count = 0, widths = reading->width_count;
    while (!document->failure && reading->reader->text_count > 0 && next_number(&at, end, &x) && next_number(&at, end, &y)) {
        float pressure = 1;
        // The widths are those of the segments, one fewer than the points.
        if (widths > 0) pressure = (float)(reading->widths[count < widths ? count : widths - 1] / reading->width);
        document_add_point(document, (struct offstage_ink_point){.x = (float)x, .y = (float)y, .pressure = pressure});
        count++;
    }
}

static void start_text(struct reading *reading, const char **attributes) {
    struct offstage_ink_text_head head = {.color = {0, 0, 0, 255}};
    head.x = limited(number(attributes, "x", 0), -OFFSTAGE_INK_FAR, OFFSTAGE_INK_FAR);
    head.y = limited(number(attributes, "y", 0), -OFFSTAGE_INK_FAR, OFFSTAGE_INK_FAR);
    head.size = limited(number(attributes, "size", 12), 0, 1e4);
    const char *color = xml_attribute(attributes, "color"), *font = xml_attribute(attributes, "font");
    if (color) read_color(color, head.color);
    reading->text = head;
    free(reading->font);
    reading->font = strdup(font ? font : "Sans");
    reading->reader->wants_text = true;
}

static void end_text(struct reading *reading) {
    if (!reading->font || reading->reader->text_count == 0) return;
    document_add_text(reading->document, &reading->text, reading->font, reading->reader->text, reading->reader->text_count);
}

static void start_image(struct reading *reading, const char **attributes, bool is_formula) {
    const char *source = is_formula ? xml_attribute(attributes, "text") : NULL;
    free(reading->source);
    reading->source = source && *source ? strdup(source) : NULL;
    const float far = OFFSTAGE_INK_FAR;
    reading->image = (struct offstage_ink_image_head){
        limited(number(attributes, "left", 0), -far, far), limited(number(attributes, "top", 0), -far, far),
        limited(number(attributes, "right", 0), -far, far), limited(number(attributes, "bottom", 0), -far, far)};
    reading->reader->wants_text = true;
}

static void end_image(struct reading *reading) {
    // A formula without an image still has its source.
    if (reading->reader->text_count == 0 && !reading->source) return;
    size_t count = reading->reader->text_count ? decode_base64(reading->reader->text, reading->reader->text_count) : 0;
    const char *source = reading->source;
    document_add_image(reading->document, &reading->image, source, source ? strlen(source) : 0, reading->reader->text, count);
}

/// Records that there is content other than ink, for which `document` has no field.
static void note_sources(struct document *document, const char **attributes) {
    const char *recording = xml_attribute(attributes, "fn");
    if (recording && *recording) document->facts |= OFFSTAGE_INK_HAS_SOURCES;
}

static bool is_of_the_file(const char *name) {
    return strcmp(name, "xournal") == 0 || strcmp(name, "title") == 0 || strcmp(name, "preview") == 0;
}

static void start(void *context, const char *name, const char **attributes) {
    struct reading *reading = context;
    reading->reader->wants_text = false;
    note_sources(reading->document, attributes);
    if (strcmp(name, "page") == 0) {
        float width = limited(number(attributes, "width", 595.27559), 1, 1e5);
        document_add_page(reading->document, width, limited(number(attributes, "height", 841.88976), 1, 1e5));
    } else if (strcmp(name, "layer") == 0) document_add_layer(reading->document, xml_attribute(attributes, "name"));
    else if (strcmp(name, "background") == 0) start_background(reading, attributes);
    else if (strcmp(name, "stroke") == 0) start_stroke(reading, attributes);
    else if (strcmp(name, "text") == 0) start_text(reading, attributes);
    else if (strcmp(name, "image") == 0) start_image(reading, attributes, false);
    else if (strcmp(name, "teximage") == 0) start_image(reading, attributes, true);
    else if (!is_of_the_file(name)) reading->document->facts |= OFFSTAGE_INK_HAS_OTHER;
}

static void end(void *context, const char *name) {
    struct reading *reading = context;
    if (strcmp(name, "stroke") == 0) end_stroke(reading);
    else if (strcmp(name, "text") == 0) end_text(reading);
    else if (strcmp(name, "image") == 0 || strcmp(name, "teximage") == 0) end_image(reading);
    reading->reader->wants_text = false;
    document_progress(reading->document);
}

void read_xournal(struct document *document, const uint8_t *bytes, size_t count) {
    struct xml_reader reader = {.start = start, .end = end};
    struct reading reading = {.document = document, .reader = &reader};
    reader.context = &reading;
    document->format = OFFSTAGE_INK_XOURNAL;
    if (!xml_read(document, &reader, bytes, count)) document->facts |= OFFSTAGE_INK_IS_CUT;
    free(reading.widths);
    free(reading.font);
    free(reading.source);
}
