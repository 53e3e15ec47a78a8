#include "offstage_gtk.h"

/// Replaces the old parts with new ones. Returns FALSE if they are the same.
gboolean offstage_parts_replace(GPtrArray *old, AtkObject *parent, AtkObject **parts, int count);

/// Notifies listeners of the parent that it has these children now.
void offstage_parts_tell(GPtrArray *parts, AtkObject *parent);

void offstage_canvas_activate(GtkWidget *canvas, int row, int link);
