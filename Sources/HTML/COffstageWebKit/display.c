#define _GNU_SOURCE
#include "offstage_webkit.h"

#include <gdk/gdkx.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

// Xlib and GDK both end a program that loses a display. The loss of the private display must not do that.

static XIOErrorHandler other_handler;
static bool is_set;
// Addresses of connections. An address is unique while its connection is open.
static GHashTable *survivors;

static int on_loss(Display *display) {
    return g_hash_table_contains(survivors, display) ? 0 : other_handler(display);
}

static void go_on(Display *display, void *data) {
    (void)display;
    (void)data;
}

void offstage_display_survive(GdkDisplay *display) {
    Display *connection = gdk_x11_display_get_xdisplay(display);
    if (!survivors) survivors = g_hash_table_new(NULL, NULL);
    g_hash_table_add(survivors, connection);
    // GDK has set its own handler by now.
    if (!is_set) other_handler = XSetIOErrorHandler(on_loss);
    is_set = true;
    XSetIOErrorExitHandler(connection, go_on, NULL);
}

void offstage_display_leave_lost(GdkDisplay *display) {
    // A closed connection is always readable, and the main loop would spin. This descriptor in its place never becomes
    // readable.
    int quiet = eventfd(0, EFD_CLOEXEC);
    if (quiet < 0) return;
    dup3(quiet, ConnectionNumber(gdk_x11_display_get_xdisplay(display)), O_CLOEXEC);
    close(quiet);
}

void offstage_display_close(GdkDisplay *display) {
    Display *connection = gdk_x11_display_get_xdisplay(display);
    offstage_stage_forget(display);
    gdk_display_close(display);
    if (survivors) g_hash_table_remove(survivors, connection);
}
