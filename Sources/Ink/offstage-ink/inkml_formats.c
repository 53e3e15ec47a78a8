// InkML's channels: their order, units and resolutions.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "inkml.h"
#include "numbers.h"
#include "xml.h"

const struct format inkml_plain_format = {{"X", "Y"}, {CHANNEL_X, CHANNEL_Y}, {0, 0}, 0, 2};

double inkml_unit(const char *name) {
    static const struct {
        const char *name;
        double points;
    } units[] = {{"mm", 72 / 25.4}, {"cm", 72 / 2.54}, {"m", 7200 / 2.54}, {"in", 72}, {"pt", 1}, {"pc", 12}, {"px", 0.75},
                 {"himetric", 72 / 2540.0}};
    for (size_t i = 0; name && i < sizeof units / sizeof *units; i++)
        if (strcmp(name, units[i].name) == 0) return units[i].points;
    return 0;
}

double inkml_number(const char *text, double otherwise) {
    double value;
    if (!text || !next_number(&text, text + strlen(text), &value) || !isfinite(value)) return otherwise;
    return value;
}

bool formats_add(struct formats *formats) {
    if (formats->count == formats->room) {
        size_t room = formats->room ? 2 * formats->room : 8;
        struct format *larger = realloc(formats->list, room * sizeof *larger);
        if (!larger) return false;
        formats->list = larger;
        formats->room = room;
    }
    memset(&formats->list[formats->count++], 0, sizeof *formats->list);
    return true;
}

void formats_free(struct formats *formats) {
    free(formats->list);
    names_free(&formats->names);
}

void format_add_channel(struct formats *formats, const char **attributes) {
    const char *name = xml_attribute(attributes, "name"), *units = xml_attribute(attributes, "units");
    if (formats->count == 0 || !name) return;
    struct format *format = &formats->list[formats->count - 1];
    if (format->count == CHANNELS) return;
    enum channel channel = CHANNEL_OTHER;
    double factor = 1;
    if (strcmp(name, "X") == 0 || strcmp(name, "Y") == 0) {
        channel = *name == 'X' ? CHANNEL_X : CHANNEL_Y;
        factor = inkml_unit(units);
    } else if (strcmp(name, "F") == 0) {
        channel = CHANNEL_FORCE;
        format->most_force = inkml_number(xml_attribute(attributes, "max"), 0);
    } else if (strcmp(name, "T") == 0) {
        channel = CHANNEL_TIME;
        factor = units && strcmp(units, "s") == 0 ? 1 : 0.001;
    } else if (strcmp(name, "OE") == 0 || strcmp(name, "OA") == 0) {
        channel = name[1] == 'E' ? CHANNEL_TILT : CHANNEL_AZIMUTH;
        factor = units && strcmp(units, "rad") == 0 ? 1 : 3.14159265358979 / 180;
    }
    size_t length = strnlen(name, sizeof format->names[0] - 1);
    memcpy(format->names[format->count], name, length);
    format->channels[format->count] = channel;
    format->factors[format->count++] = factor;
}

void format_add_property(struct formats *formats, const char **attributes) {
    const char *channel = xml_attribute(attributes, "channel"), *name = xml_attribute(attributes, "name");
    const char *units = xml_attribute(attributes, "units");
    double value = inkml_number(xml_attribute(attributes, "value"), 0);
    if (formats->count == 0 || !channel || !name || strcmp(name, "resolution") != 0 || !(value > 0)) return;
    struct format *format = &formats->list[formats->count - 1];
    for (int i = 0; i < format->count; i++) {
        bool is_place = format->channels[i] == CHANNEL_X || format->channels[i] == CHANNEL_Y;
        if (strcmp(format->names[i], channel) != 0 || !is_place) continue;
        // A reciprocal unit, such as 1/cm: the number of values per unit.
        double unit = units && strncmp(units, "1/", 2) == 0 ? inkml_unit(units + 2) : 0;
        double factor = (unit > 0 ? unit : format->factors[i]) / value;
        if (factor > 1e-9 && factor < 1e9) format->factors[i] = factor;
    }
}
