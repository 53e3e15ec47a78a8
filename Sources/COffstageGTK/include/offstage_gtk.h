// A scrollable widget and its accessible objects. They are GObject classes, which only C can declare.
#ifndef OFFSTAGE_GTK_H
#define OFFSTAGE_GTK_H

#include "../../CWebKitGTK/shim.h"

#include <gtk/gtk-a11y.h>

/// A widget with a window of its own that implements GtkScrollable and draws a list's background. Its owner decides the
/// positions of its children. Returns a floating reference.
///
/// Signal "part-activated" (int row, int link): assistive technology activates a part. The link is -1 for the row itself.
GtkWidget *offstage_canvas_new(void);

/// Whether the widget's accessible object has been requested. Otherwise it need not be kept up to date.
gboolean offstage_canvas_is_watched(GtkWidget *canvas);

/// Sets the children of the widget's accessible object that precede its child widgets. Keeps a reference to each.
void offstage_canvas_set_parts(GtkWidget *canvas, AtkObject **parts, int count);

/// The accessible object of something drawn on a canvas: a row, or a link in it. The caller owns it.
AtkObject *offstage_part_new(GtkWidget *canvas, AtkRole role, int row, int link);

/// Sets the part's box, in px of the canvas's window.
void offstage_part_set_box(AtkObject *part, int x, int y, int width, int height);

void offstage_part_set_row(AtkObject *part, int row);

void offstage_part_set_selected(AtkObject *part, gboolean selected);

/// Sets the part's children. Keeps a reference to each.
void offstage_part_set_children(AtkObject *part, AtkObject **children, int count);

#endif
