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
