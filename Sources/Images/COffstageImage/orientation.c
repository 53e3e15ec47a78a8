#include "image.h"

// Each of EXIF's eight orientations is an optional mirroring, followed by a clockwise rotation.

struct form {
    bool is_mirrored;
    /// Clockwise quarter turns.
    int turns;
};

static struct form form_of(int orientation) {
    switch (orientation) {
    case 2: return (struct form){true, 0};
    case 3: return (struct form){false, 2};
    case 4: return (struct form){true, 2};
    case 5: return (struct form){true, 3};
    case 6: return (struct form){false, 1};
    case 7: return (struct form){true, 1};
    case 8: return (struct form){false, 3};
    default: return (struct form){false, 0};
    }
}

/// Combines two orientations. Mirroring reverses the direction of earlier rotations.
static struct form then(struct form first, struct form second) {
    int turns = second.is_mirrored ? -first.turns : first.turns;
    return (struct form){first.is_mirrored != second.is_mirrored, (second.turns + turns) & 3};
}

int image_orientation(const struct offstage_image_options *options, int own) {
    struct form form = form_of(options->ignores_orientation ? 1 : own);
    form = then(form, (struct form){false, (int)(options->turns & 3)});
    if (options->flip & 1) form = then(form, form_of(2));
    if (options->flip & 2) form = then(form, form_of(4));
    static const int upright[4] = {1, 6, 3, 8}, mirrored[4] = {2, 7, 4, 5};
    return form.is_mirrored ? mirrored[form.turns] : upright[form.turns];
}
