#include "parts.h"

// The widget.

typedef struct {
    GtkFixed parent;
    GtkAdjustment *horizontal, *vertical;
    GtkScrollablePolicy horizontal_policy, vertical_policy;
    /// Elements are AtkObjects.
    GPtrArray *parts;
    gboolean is_watched;
} OffstageCanvas;

typedef GtkFixedClass OffstageCanvasClass;

enum { HORIZONTAL = 1, VERTICAL, HORIZONTAL_POLICY, VERTICAL_POLICY };

static guint part_activated;

GType offstage_canvas_get_type(void);
static GType offstage_canvas_accessible_get_type(void);
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
    g_ptr_array_set_size(canvas->parts, 0);
    g_clear_object(&canvas->horizontal);
    g_clear_object(&canvas->vertical);
    G_OBJECT_CLASS(offstage_canvas_parent_class)->dispose(object);
}

static void finalize(GObject *object) {
    g_ptr_array_unref(((OffstageCanvas *)object)->parts);
    G_OBJECT_CLASS(offstage_canvas_parent_class)->finalize(object);
}

/// The widget needs no size; its container decides it.
static void get_preferred_size(GtkWidget *widget, gint *minimum, gint *natural) {
    (void)widget;
    *minimum = 1;
    *natural = 1;
}

/// Does not move the children: their owner decides their positions.
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
    part_activated = g_signal_new(
        "part-activated", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_INT,
        G_TYPE_INT);
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);
    widget->get_preferred_width = get_preferred_size;
    widget->get_preferred_height = get_preferred_size;
    widget->size_allocate = size_allocate;
    widget->get_accessible = get_accessible;
    gtk_widget_class_set_css_name(widget, "list");
    gtk_widget_class_set_accessible_type(widget, offstage_canvas_accessible_get_type());
}

static void offstage_canvas_init(OffstageCanvas *canvas) {
    canvas->parts = g_ptr_array_new_with_free_func(g_object_unref);
    GtkWidget *widget = GTK_WIDGET(canvas);
    gtk_widget_set_has_window(widget, TRUE);
    gtk_widget_set_can_focus(widget, TRUE);
    gtk_widget_add_events(
        widget, GDK_BUTTON_PRESS_MASK | GDK_BUTTON_RELEASE_MASK | GDK_POINTER_MOTION_MASK | GDK_LEAVE_NOTIFY_MASK |
                    GDK_SCROLL_MASK | GDK_SMOOTH_SCROLL_MASK);
}

GtkWidget *offstage_canvas_new(void) { return g_object_new(offstage_canvas_get_type(), NULL); }

gboolean offstage_canvas_is_watched(GtkWidget *canvas) { return ((OffstageCanvas *)canvas)->is_watched; }

void offstage_canvas_activate(GtkWidget *canvas, int row, int link) {
    g_signal_emit(canvas, part_activated, 0, row, link);
}

// The widget's accessible object, a list.

typedef GtkContainerAccessible OffstageCanvasAccessible;
typedef GtkContainerAccessibleClass OffstageCanvasAccessibleClass;

G_DEFINE_TYPE(OffstageCanvasAccessible, offstage_canvas_accessible, GTK_TYPE_CONTAINER_ACCESSIBLE)

static OffstageCanvas *canvas_of(AtkObject *accessible) {
    return (OffstageCanvas *)gtk_accessible_get_widget(GTK_ACCESSIBLE(accessible));
}

static void initialize(AtkObject *accessible, gpointer data) {
    ATK_OBJECT_CLASS(offstage_canvas_accessible_parent_class)->initialize(accessible, data);
    accessible->role = ATK_ROLE_LIST;
}

static gint get_n_children(AtkObject *accessible) {
    OffstageCanvas *canvas = canvas_of(accessible);
    if (!canvas) return 0;
    return canvas->parts->len + ATK_OBJECT_CLASS(offstage_canvas_accessible_parent_class)->get_n_children(accessible);
}

static AtkObject *ref_child(AtkObject *accessible, gint index) {
    OffstageCanvas *canvas = canvas_of(accessible);
    if (!canvas || index < 0) return NULL;
    if ((guint)index < canvas->parts->len) return g_object_ref(canvas->parts->pdata[index]);
    return ATK_OBJECT_CLASS(offstage_canvas_accessible_parent_class)->ref_child(accessible, index - canvas->parts->len);
}

static void offstage_canvas_accessible_class_init(OffstageCanvasAccessibleClass *class) {
    AtkObjectClass *object = ATK_OBJECT_CLASS(class);
    object->initialize = initialize;
    object->get_n_children = get_n_children;
    object->ref_child = ref_child;
}

static void offstage_canvas_accessible_init(OffstageCanvasAccessible *accessible) { (void)accessible; }

void offstage_canvas_set_parts(GtkWidget *widget, AtkObject **parts, int count) {
    OffstageCanvas *canvas = (OffstageCanvas *)widget;
    AtkObject *parent = gtk_widget_get_accessible(widget);
    if (offstage_parts_replace(canvas->parts, parent, parts, count)) offstage_parts_tell(canvas->parts, parent);
}
