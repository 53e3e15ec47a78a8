// Real events of a pointer and a keyboard, by the XTest extension, on GDK's default display.
#ifndef TEST_EVENTS_H
#define TEST_EVENTS_H

/// Moves the pointer, px of the screen.
void test_pointer_move(int x, int y);
/// Buttons from 1; 4 and 5 are the wheel's.
void test_button(int button, int is_down);
/// A key by its X symbol.
void test_key(unsigned long symbol, int is_down);

#include "../../../Sources/Libraries/CGTK/shim.h"

/// A touchpad's movement over a widget, for which GDK has no X event without such a device: the event that GTK gets. The last one
/// is the stop, at which kinetic scrolling begins.
void test_touchpad(GtkWidget *widget, double dy, unsigned time, int is_stop);
/// A sample of a pen, px of the widget. A pressure below 0 means a device without axes.
struct test_ink_sample {
    double x, y, pressure, tilt;
    unsigned time;
    GdkInputSource source;
};
/// Events with axes, which no extension of X makes without hardware: as GTK gets them.
void test_ink_button(GtkWidget *widget, int is_down, int button, struct test_ink_sample sample);
void test_ink_motion(GtkWidget *widget, struct test_ink_sample sample);
void test_ink_touch(GtkWidget *widget, int type, int finger, struct test_ink_sample sample);

/// The key bindings of a scrolled window, with its animation: a page down.
void test_scroll_page(GtkWidget *scrolled);

#endif
