#include "parts.h"

// A widget that shows the waveform of a sound, and its accessible object: a slider for the position in the sound.

typedef struct {
    GtkDrawingArea parent;
    OffstageSlider slider;
    gpointer data;
    GDestroyNotify release;
    /// The name of the accessible object, or NULL.
    char *name;
} OffstageWaveform;

typedef GtkDrawingAreaClass OffstageWaveformClass;
typedef GtkWidgetAccessible OffstageWaveformAccessible;
typedef GtkWidgetAccessibleClass OffstageWaveformAccessibleClass;

static void value(AtkValueIface *interface);

G_DEFINE_TYPE(OffstageWaveform, offstage_waveform, GTK_TYPE_DRAWING_AREA)
G_DEFINE_TYPE_WITH_CODE(
    OffstageWaveformAccessible, offstage_waveform_accessible, GTK_TYPE_WIDGET_ACCESSIBLE,
    G_IMPLEMENT_INTERFACE(ATK_TYPE_VALUE, value))

static OffstageWaveform *waveform_of(gpointer accessible) {
    return (OffstageWaveform *)gtk_accessible_get_widget(GTK_ACCESSIBLE(accessible));
}

static void initialize(AtkObject *accessible, gpointer data) {
    ATK_OBJECT_CLASS(offstage_waveform_accessible_parent_class)->initialize(accessible, data);
    accessible->role = ATK_ROLE_SLIDER;
}

static const gchar *get_name(AtkObject *accessible) {
    const gchar *name = ATK_OBJECT_CLASS(offstage_waveform_accessible_parent_class)->get_name(accessible);
    OffstageWaveform *waveform = waveform_of(accessible);
    return name || !waveform ? name : waveform->name;
}

static void offstage_waveform_accessible_class_init(OffstageWaveformAccessibleClass *class) {
    AtkObjectClass *object = ATK_OBJECT_CLASS(class);
    object->initialize = initialize;
    object->get_name = get_name;
}

static void offstage_waveform_accessible_init(OffstageWaveformAccessible *accessible) { (void)accessible; }

// The value. Clients may keep the object after the widget or its owner is gone.

static void get_value_and_text(AtkValue *accessible, gdouble *value, gchar **text) {
    OffstageWaveform *waveform = waveform_of(accessible);
    *value = 0;
    if (text) *text = NULL;
    if (waveform && waveform->data) *value = waveform->slider.position(waveform->data, text);
}

static AtkRange *get_range(AtkValue *accessible) {
    OffstageWaveform *waveform = waveform_of(accessible);
    return atk_range_new(0, waveform && waveform->data ? waveform->slider.duration(waveform->data) : 0, NULL);
}

/// One second: the arrow keys' step would be too long for a client that steps through the values.
static gdouble get_increment(AtkValue *accessible) {
    (void)accessible;
    return 1;
}

static void set_value(AtkValue *accessible, const gdouble value) {
    OffstageWaveform *waveform = waveform_of(accessible);
    if (waveform && waveform->data) waveform->slider.seek(waveform->data, value);
}

static void value(AtkValueIface *interface) {
    interface->get_value_and_text = get_value_and_text;
    interface->get_range = get_range;
    interface->get_increment = get_increment;
    interface->set_value = set_value;
}

// The widget.

static void finalize(GObject *object) {
    OffstageWaveform *waveform = (OffstageWaveform *)object;
    offstage_waveform_set_slider((GtkWidget *)object, NULL, NULL, NULL);
    g_free(waveform->name);
    G_OBJECT_CLASS(offstage_waveform_parent_class)->finalize(object);
}

static void offstage_waveform_class_init(OffstageWaveformClass *class) {
    G_OBJECT_CLASS(class)->finalize = finalize;
    gtk_widget_class_set_accessible_type(GTK_WIDGET_CLASS(class), offstage_waveform_accessible_get_type());
}

static void offstage_waveform_init(OffstageWaveform *waveform) {
    GtkWidget *widget = GTK_WIDGET(waveform);
    gtk_widget_set_can_focus(widget, TRUE);
    gtk_widget_set_has_tooltip(widget, TRUE);
    gtk_widget_add_events(
        widget, GDK_BUTTON_PRESS_MASK | GDK_BUTTON_RELEASE_MASK | GDK_BUTTON1_MOTION_MASK | GDK_POINTER_MOTION_MASK
                    | GDK_SCROLL_MASK | GDK_SMOOTH_SCROLL_MASK | GDK_KEY_PRESS_MASK | GDK_VISIBILITY_NOTIFY_MASK);
}

GtkWidget *offstage_waveform_new(void) { return g_object_new(offstage_waveform_get_type(), NULL); }

void offstage_waveform_set_slider(
    GtkWidget *widget, const OffstageSlider *slider, gpointer data, GDestroyNotify release) {
    OffstageWaveform *waveform = (OffstageWaveform *)widget;
    GDestroyNotify old_release = waveform->release;
    gpointer old_data = waveform->data;
    if (slider) waveform->slider = *slider;
    waveform->data = data;
    waveform->release = release;
    if (old_release) old_release(old_data);
}

void offstage_waveform_set_name(GtkWidget *widget, const char *name) {
    OffstageWaveform *waveform = (OffstageWaveform *)widget;
    g_free(waveform->name);
    waveform->name = g_strdup(name);
}

void offstage_waveform_value_changed(GtkWidget *widget, double position) {
    // Don't create an object that no client has requested.
    AtkObject *accessible = gtk_widget_get_accessible(widget);
    g_signal_emit_by_name(accessible, "value-changed", position, NULL);
    g_object_notify(G_OBJECT(accessible), "accessible-value");
}
