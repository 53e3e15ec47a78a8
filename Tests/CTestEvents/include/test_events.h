// Real pointer and keyboard events, sent with the XTest extension on GDK's default display.
#ifndef TEST_EVENTS_H
#define TEST_EVENTS_H

/// Moves the pointer to a position in px of the screen.
void test_pointer_move(int x, int y);
/// Presses or releases a button, from 1; 4 and 5 are the wheel.
void test_button(int button, int is_down);
/// Presses or releases a key, given by its X symbol.
void test_key(unsigned long symbol, int is_down);

#include "../../../Sources/Libraries/CGTK/shim.h"

/// A touchpad movement over a widget. Without such a device, no X event exists for it, so this sends the event that
/// GTK would get. The last event is the stop, at which kinetic scrolling begins.
void test_touchpad(GtkWidget *widget, double dy, unsigned time, int is_stop);
/// A sample of a pen, in px of the widget. A pressure below 0 means a device without axes.
struct test_ink_sample {
    double x, y, pressure, tilt;
    unsigned time;
    GdkInputSource source;
};
/// Sends events with axes directly to GTK, because no X extension can make them without hardware.
void test_ink_button(GtkWidget *widget, int is_down, int button, struct test_ink_sample sample);
void test_ink_motion(GtkWidget *widget, struct test_ink_sample sample);
void test_ink_touch(GtkWidget *widget, int type, int finger, struct test_ink_sample sample);

/// Scrolls a scrolled window a page down with its key binding, including the animation.
void test_scroll_page(GtkWidget *scrolled);

#endif
