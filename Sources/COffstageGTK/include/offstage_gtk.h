// A widget that scrolls what it shows, and what it tells assistive technology: GObject classes, which only C can declare.
#ifndef OFFSTAGE_GTK_H
#define OFFSTAGE_GTK_H

#include "../../CWebKitGTK/shim.h"

#include <gtk/gtk-a11y.h>

/// A widget of its own window that leaves it to its owner where things are: it is GTK's scrollable, draws a list's background and
/// gives its children no place. Floating.
///
/// Signal "part-activated" (int row, int link): assistive technology activates a part; the link is -1 for the row itself.
GtkWidget *offstage_canvas_new(void);

/// Whether someone has asked for the widget's accessible object: else there is no need to keep it up to date.
gboolean offstage_canvas_is_watched(GtkWidget *canvas);

/// The parts that the widget's accessible object has as children, before its child widgets. Keeps a reference to each.
void offstage_canvas_set_parts(GtkWidget *canvas, AtkObject **parts, int count);

/// The accessible object of something that is drawn on a canvas: a row, or a link in it. The caller owns it.
AtkObject *offstage_part_new(GtkWidget *canvas, AtkRole role, int row, int link);

/// Where it is, in px of the canvas's window.
void offstage_part_set_box(AtkObject *part, int x, int y, int width, int height);

void offstage_part_set_row(AtkObject *part, int row);

void offstage_part_set_selected(AtkObject *part, gboolean selected);

/// Keeps a reference to each.
void offstage_part_set_children(AtkObject *part, AtkObject **children, int count);

#endif
