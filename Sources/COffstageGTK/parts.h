#include "offstage_gtk.h"

/// Puts new parts in the place of old ones, and says whether they are others.
gboolean offstage_parts_replace(GPtrArray *old, AtkObject *parent, AtkObject **parts, int count);

/// Tells who listens to the parent that it has these children now.
void offstage_parts_tell(GPtrArray *parts, AtkObject *parent);

void offstage_canvas_activate(GtkWidget *canvas, int row, int link);
