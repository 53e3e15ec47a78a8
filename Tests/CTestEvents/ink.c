#include "include/test_events.h"

/// A device without hardware. It lives as long as the program, like GDK's devices.
static GdkDevice *device_of(GtkWidget *widget, GdkInputSource source) {
    static GdkDevice *devices[16];
    if (devices[source]) return devices[source];
    GdkDevice *pointer = gdk_seat_get_pointer(gdk_display_get_default_seat(gtk_widget_get_display(widget)));
    devices[source] = g_object_new(
        G_OBJECT_TYPE(pointer), "display", gtk_widget_get_display(widget), "device-manager", NULL, "name", "test", "type",
        GDK_DEVICE_TYPE_SLAVE, "input-source", source, "input-mode", GDK_MODE_SCREEN, "has-cursor", FALSE, "device-id",
        200 + source, NULL);
    return devices[source];
}

static void send(GtkWidget *widget, GdkEvent *event, struct test_ink_sample sample, gdouble **axes) {
    GdkDevice *pointer = gdk_seat_get_pointer(gdk_display_get_default_seat(gtk_widget_get_display(widget)));
    event->any.window = g_object_ref(gtk_widget_get_window(widget));
    gdk_event_set_device(event, pointer);
    gdk_event_set_source_device(event, device_of(widget, sample.source));
    // The display server's pointer has only positions. For this event, its axes have other meanings.
    GdkAxisUse uses[2] = {gdk_device_get_axis_use(pointer, 0), gdk_device_get_axis_use(pointer, 1)};
    if (axes && sample.pressure >= 0) {
        *axes = g_new0(gdouble, GDK_MAX_TIMECOORD_AXES);
        (*axes)[0] = sample.pressure;
        (*axes)[1] = sample.tilt;
        gdk_device_set_axis_use(pointer, 0, GDK_AXIS_PRESSURE);
        gdk_device_set_axis_use(pointer, 1, GDK_AXIS_XTILT);
    }
    gtk_main_do_event(event);
    gdk_device_set_axis_use(pointer, 0, uses[0]);
    gdk_device_set_axis_use(pointer, 1, uses[1]);
    gdk_event_free(event);
}

void test_ink_button(GtkWidget *widget, int is_down, int button, struct test_ink_sample sample) {
    GdkEvent *event = gdk_event_new(is_down ? GDK_BUTTON_PRESS : GDK_BUTTON_RELEASE);
    event->button.x = sample.x;
    event->button.y = sample.y;
    event->button.time = sample.time;
    event->button.button = (guint)button;
    send(widget, event, sample, &event->button.axes);
}

void test_ink_motion(GtkWidget *widget, struct test_ink_sample sample) {
    GdkEvent *event = gdk_event_new(GDK_MOTION_NOTIFY);
    event->motion.x = sample.x;
    event->motion.y = sample.y;
    event->motion.time = sample.time;
    send(widget, event, sample, &event->motion.axes);
}

void test_ink_touch(GtkWidget *widget, int type, int finger, struct test_ink_sample sample) {
    GdkEvent *event = gdk_event_new((GdkEventType)type);
    event->touch.x = sample.x;
    event->touch.y = sample.y;
    event->touch.time = sample.time;
    event->touch.sequence = GINT_TO_POINTER(finger);
    send(widget, event, sample, NULL);
}
