#include "test_events.h"

#include <X11/extensions/XTest.h>
#include <gdk/gdkx.h>

static Display *display(void) { return gdk_x11_display_get_xdisplay(gdk_display_get_default()); }

void test_pointer_move(int x, int y) {
    XTestFakeMotionEvent(display(), -1, x, y, CurrentTime);
    XFlush(display());
}

void test_button(int button, int is_down) {
    XTestFakeButtonEvent(display(), button, is_down, CurrentTime);
    XFlush(display());
}

void test_key(unsigned long symbol, int is_down) {
    XTestFakeKeyEvent(display(), XKeysymToKeycode(display(), symbol), is_down, CurrentTime);
    XFlush(display());
}

void test_touchpad(GtkWidget *widget, double dy, unsigned time, int is_stop) {
    GdkEvent *event = gdk_event_new(GDK_SCROLL);
    GdkDevice *device = gdk_seat_get_pointer(gdk_display_get_default_seat(gtk_widget_get_display(widget)));
    event->scroll.window = g_object_ref(gtk_widget_get_window(widget));
    event->scroll.direction = GDK_SCROLL_SMOOTH;
    event->scroll.delta_y = dy;
    event->scroll.time = time;
    event->scroll.x = event->scroll.y = 50;
    event->scroll.is_stop = is_stop;
    gdk_event_set_device(event, device);
    gdk_event_set_source_device(event, device);
    gtk_main_do_event(event);
    gdk_event_free(event);
}

void test_scroll_page(GtkWidget *scrolled) {
    gboolean is_done = FALSE;
    g_signal_emit_by_name(scrolled, "scroll-child", GTK_SCROLL_PAGE_DOWN, FALSE, &is_done);
}
