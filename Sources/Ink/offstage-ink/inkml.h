#ifndef OFFSTAGE_INK_INKML_H
#define OFFSTAGE_INK_INKML_H

#include "document.h"
#include "names.h"

#define CHANNELS 16

enum channel { CHANNEL_OTHER, CHANNEL_X, CHANNEL_Y, CHANNEL_FORCE, CHANNEL_TIME, CHANNEL_TILT, CHANNEL_AZIMUTH };

/// The channels of a device.
struct format {
    /// Channel names, truncated.
    char names[CHANNELS][8];
    enum channel channels[CHANNELS];
    /// The factor to points, degrees to radians, milliseconds to seconds; 0 for X and Y without a unit.
    double factors[CHANNELS];
    /// The maximum pressure; 0 if unknown.
    double most_force;
    int count;
};

struct formats {
    struct format *list;
    size_t count, room;
    /// The names of formats, and of the contexts and sources that contain them.
    struct names names;
};

/// A format for files that define none: X and Y without units.
extern const struct format inkml_plain_format;

/// Adds an empty format. Returns false if memory is short.
bool formats_add(struct formats *formats);
void formats_free(struct formats *formats);
/// Adds a channel to the last format.
void format_add_channel(struct formats *formats, const char **attributes);
/// Sets a property of a channel of the last format, such as its resolution.
void format_add_property(struct formats *formats, const char **attributes);

struct brush {
    struct offstage_ink_style style;
    struct offstage_ink_texture texture;
};

struct brushes {
    struct brush *list;
    size_t count, room;
    struct names names;
    /// True if the last brush specified its opacity.
    bool has_opacity;
};

extern const struct brush inkml_pen;

/// Adds a black pen. Returns false if memory is short.
bool brushes_add(struct brushes *brushes, const char *name);
void brushes_free(struct brushes *brushes);
/// Sets a property of the last brush. Texture images are added to the document.
void brush_set(struct brushes *brushes, struct document *document, const char **attributes);

/// The number of points in a unit of length; 0 for other units and for NULL.
double inkml_unit(const char *name);
/// The number in a text; `otherwise` if there is none.
double inkml_number(const char *text, double otherwise);

#endif
