// A scrollable widget and its accessible objects. They are GObject classes, which only C can declare.
#ifndef OFFSTAGE_GTK_H
#define OFFSTAGE_GTK_H

#include "../../../Libraries/CGTK/shim.h"

#include <gtk/gtk-a11y.h>

/// Makes a widget that has its own window, implements GtkScrollable and draws a list's background. Its owner sets the
/// positions of its children. Returns a floating reference.
GtkWidget *offstage_canvas_new(void);

/// TRUE once the widget's accessible object has been requested: from then on, clients are notified of changes.
gboolean offstage_canvas_is_watched(GtkWidget *canvas);

/// Sets the default name of the widget's accessible object. A name set on the object itself takes precedence.
void offstage_canvas_set_name(GtkWidget *canvas, const char *name);

/// The rows of a canvas, for its accessible object. The numbers come from other programs and may be invalid.
typedef struct {
    /// The number of rows.
    int (*count)(gpointer data);
    /// The accessible object of a row, made on demand. The caller owns the reference. NULL if the row does not exist.
    AtkObject *(*ref_row)(gpointer data, int row);
    /// Returns the number of rows on the screen, and stores the number of the first one in `first`.
    int (*on_screen)(gpointer data, int *first);
    /// The row at a point, px of the canvas's window; -1 for none.
    int (*row_at)(gpointer data, int x, int y);
    /// The link of a row at a point, px of the canvas's window; -1 for none.
    int (*link_at)(gpointer data, int row, int x, int y);
    /// Stores the box of a row, or of a link in it, in px of the canvas's window. FALSE if it has none.
    gboolean (*get_box)(gpointer data, int row, int link, GdkRectangle *box);
    /// 0 if users cannot select rows, 1 if they can select one, 2 if they can select several.
    int (*selectable)(gpointer data);
    /// The row that has the keyboard's focus within the canvas; -1 for none.
    int (*focused)(gpointer data);
    /// TRUE if a row is selected.
    gboolean (*is_selected)(gpointer data, int row);
    /// The number of selected rows.
    int (*selected_count)(gpointer data);
    /// The row at index `number` among the selected rows; -1 if it does not exist.
    int (*selected_at)(gpointer data, int number);
    /// Selects a row. If users can select only one, the others are deselected.
    gboolean (*select)(gpointer data, int row);
    /// Deselects a row.
    gboolean (*deselect)(gpointer data, int row);
    /// Selects all rows, or none.
    gboolean (*select_all)(gpointer data, gboolean all);
    /// Gives the canvas the keyboard's focus, selects the row and scrolls to it.
    gboolean (*focus)(gpointer data, int row);
    /// Scrolls to a row.
    gboolean (*scroll)(gpointer data, int row, AtkScrollType type);
    /// Activates a row, or follows a link in it.
    gboolean (*activate)(gpointer data, int row, int link);
} OffstageRows;

/// Sets the rows. The struct must never be freed. `release` frees the data once the canvas no longer calls the functions. NULL for
/// a canvas without rows.
void offstage_canvas_set_rows(GtkWidget *canvas, const OffstageRows *rows, gpointer data, GDestroyNotify release);

/// Notifies clients that rows were inserted. The numbers of the rows must be up to date by then.
void offstage_canvas_rows_inserted(GtkWidget *canvas, int row, int count);

/// Notifies clients that rows were removed. The numbers of the rows must be up to date by then.
void offstage_canvas_rows_removed(GtkWidget *canvas, int row, int count);

/// Notifies clients that the selection has changed, or is now empty.
void offstage_canvas_selection_changed(GtkWidget *canvas);

/// Notifies clients that a row has the keyboard's focus within the canvas.
void offstage_canvas_focus_moved(GtkWidget *canvas, AtkObject *row);

/// The accessible object of a row drawn on a canvas. The caller owns it.
AtkObject *offstage_row_new(GtkWidget *canvas, int row, const char *text);

void offstage_row_set_number(AtkObject *row, int number);

/// Sets the row's text, which is also its accessible name.
void offstage_row_set_text(AtkObject *row, const char *text);

/// Removes the links. Clients may keep the objects, which no longer do anything.
void offstage_row_clear_links(AtkObject *row);

/// Adds a link. `start` and `end` are the position of its words in the row's text, in characters; -1 if they are not in it.
void offstage_row_add_link(AtkObject *row, const char *text, const char *target, int start, int end);

/// Notifies clients of the row's new links.
void offstage_row_links_changed(AtkObject *row);

/// Makes a widget the last child of the row, as long as the widget exists. NULL for none.
void offstage_row_set_view(AtkObject *row, GtkWidget *view);

/// Notifies clients that a state of a row has changed.
void offstage_row_notify(AtkObject *row, AtkStateType state, gboolean value);

/// Ends a row that is no longer in the list. Clients may still hold the object.
void offstage_row_end(AtkObject *row);

/// Functions that a waveform's accessible object, a slider, calls on its owner. The numbers come from other programs and may be
/// invalid.
typedef struct {
    /// The position in seconds. Stores a new string that describes it, unless `text` is NULL.
    double (*position)(gpointer data, gchar **text);
    /// The length of the sound, in seconds.
    double (*duration)(gpointer data);
    void (*seek)(gpointer data, double seconds);
} OffstageSlider;

/// Makes a widget on which a waveform is painted. Returns a floating reference.
GtkWidget *offstage_waveform_new(void);

/// Sets the owner's functions. `release` frees the data once the widget no longer calls them. NULL for none.
void offstage_waveform_set_slider(
    GtkWidget *waveform, const OffstageSlider *slider, gpointer data, GDestroyNotify release);

/// Sets the default name of the accessible object. A name set on the object itself takes precedence.
void offstage_waveform_set_name(GtkWidget *waveform, const char *name);

/// Notifies clients of a jump in position that playback alone does not explain.
void offstage_waveform_value_changed(GtkWidget *waveform, double position);

#endif
