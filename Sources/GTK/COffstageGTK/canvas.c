#include "parts.h"

// The widget. Its accessible object is in list.c.

enum { HORIZONTAL = 1, VERTICAL, HORIZONTAL_POLICY, VERTICAL_POLICY };

G_DEFINE_TYPE_WITH_CODE(
    OffstageCanvas, offstage_canvas, GTK_TYPE_FIXED, G_IMPLEMENT_INTERFACE(GTK_TYPE_SCROLLABLE, NULL))

static void set_adjustment(GtkAdjustment **place, GtkAdjustment *adjustment) {
    if (!adjustment) adjustment = gtk_adjustment_new(0, 0, 0, 0, 0, 0);
    g_object_ref_sink(adjustment);
    if (*place) g_object_unref(*place);
    *place = adjustment;
}

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
    OffstageCanvas *canvas = (OffstageCanvas *)object;
    switch (id) {
    case HORIZONTAL: set_adjustment(&canvas->horizontal, g_value_get_object(value)); break;
    case VERTICAL: set_adjustment(&canvas->vertical, g_value_get_object(value)); break;
    case HORIZONTAL_POLICY: canvas->horizontal_policy = g_value_get_enum(value); break;
    case VERTICAL_POLICY: canvas->vertical_policy = g_value_get_enum(value); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
    }
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec) {
    OffstageCanvas *canvas = (OffstageCanvas *)object;
    switch (id) {
    case HORIZONTAL: g_value_set_object(value, canvas->horizontal); break;
    case VERTICAL: g_value_set_object(value, canvas->vertical); break;
    case HORIZONTAL_POLICY: g_value_set_enum(value, canvas->horizontal_policy); break;
    case VERTICAL_POLICY: g_value_set_enum(value, canvas->vertical_policy); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
    }
}

static void dispose(GObject *object) {
    OffstageCanvas *canvas = (OffstageCanvas *)object;
    offstage_canvas_set_rows((GtkWidget *)canvas, NULL, NULL, NULL);
    g_clear_object(&canvas->horizontal);
    g_clear_object(&canvas->vertical);
    G_OBJECT_CLASS(offstage_canvas_parent_class)->dispose(object);
}

static void finalize(GObject *object) {
    g_free(((OffstageCanvas *)object)->name);
    G_OBJECT_CLASS(offstage_canvas_parent_class)->finalize(object);
}

/// The widget requests no particular size: its container sets the size.
static void get_preferred_size(GtkWidget *widget, gint *minimum, gint *natural) {
    (void)widget;
    *minimum = 1;
    *natural = 1;
}

/// Does not move the children: their owner sets their positions.
static void size_allocate(GtkWidget *widget, GtkAllocation *allocation) {
    gtk_widget_set_allocation(widget, allocation);
    if (gtk_widget_get_realized(widget))
        gdk_window_move_resize(
            gtk_widget_get_window(widget), allocation->x, allocation->y, allocation->width, allocation->height);
}

static AtkObject *get_accessible(GtkWidget *widget) {
    ((OffstageCanvas *)widget)->is_watched = TRUE;
    return GTK_WIDGET_CLASS(offstage_canvas_parent_class)->get_accessible(widget);
}

static void offstage_canvas_class_init(OffstageCanvasClass *class) {
    GObjectClass *object = G_OBJECT_CLASS(class);
    object->set_property = set_property;
    object->get_property = get_property;
    object->dispose = dispose;
    object->finalize = finalize;
    g_object_class_override_property(object, HORIZONTAL, "hadjustment");
    g_object_class_override_property(object, VERTICAL, "vadjustment");
    g_object_class_override_property(object, HORIZONTAL_POLICY, "hscroll-policy");
    g_object_class_override_property(object, VERTICAL_POLICY, "vscroll-policy");
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);
    widget->get_preferred_width = get_preferred_size;
    widget->get_preferred_height = get_preferred_size;
    widget->size_allocate = size_allocate;
    widget->get_accessible = get_accessible;
    gtk_widget_class_set_css_name(widget, "list");
    gtk_widget_class_set_accessible_type(widget, offstage_list_get_type());
}

static void offstage_canvas_init(OffstageCanvas *canvas) {
    GtkWidget *widget = GTK_WIDGET(canvas);
    gtk_widget_set_has_window(widget, TRUE);
    gtk_widget_set_can_focus(widget, TRUE);
    gtk_widget_add_events(
        widget, GDK_BUTTON_PRESS_MASK | GDK_BUTTON_RELEASE_MASK | GDK_POINTER_MOTION_MASK | GDK_LEAVE_NOTIFY_MASK |
                    GDK_SCROLL_MASK | GDK_SMOOTH_SCROLL_MASK);
}

GtkWidget *offstage_canvas_new(void) { return g_object_new(offstage_canvas_get_type(), NULL); }

gboolean offstage_canvas_is_watched(GtkWidget *canvas) { return ((OffstageCanvas *)canvas)->is_watched; }

void offstage_canvas_set_rows(GtkWidget *widget, const OffstageRows *rows, gpointer data, GDestroyNotify release) {
    OffstageCanvas *canvas = (OffstageCanvas *)widget;
    GDestroyNotify old_release = canvas->release;
    gpointer old_data = canvas->data;
    canvas->rows = rows;
    canvas->data = data;
    canvas->release = release;
    if (old_release) old_release(old_data);
}
