// Real events of a pointer and a keyboard, by the XTest extension, on GDK's default display.
#ifndef TEST_EVENTS_H
#define TEST_EVENTS_H

/// Moves the pointer, px of the screen.
void test_pointer_move(int x, int y);
/// Buttons from 1; 4 and 5 are the wheel's.
void test_button(int button, int is_down);
/// A key by its X symbol.
void test_key(unsigned long symbol, int is_down);

#endif
