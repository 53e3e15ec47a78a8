"""Acts as a screen reader: finds objects on the accessibility bus, listens to their events and presses keys."""

import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

DOWN, UP, HOME, END, TAB = 0xFF54, 0xFF52, 0xFF50, 0xFF57, 0xFF09


def check(value, expected, what):
    if value != expected:
        sys.exit(f"{what}: {value!r}, not {expected!r}")


has_ended = lambda: False  # noqa: E731 - set to what says that the program has ended


def eventually(what, condition):
    """Runs GLib's loop until a condition is true, and returns its value. The test itself has the time limit."""
    print(f"waiting: {what}", file=sys.stderr, flush=True)
    context = GLib.MainContext.default()
    # Wakes the loop, because some conditions become true without an event.
    source = GLib.timeout_add(20, lambda: True)
    try:
        while not (value := condition()):
            if has_ended():
                sys.exit("the program has ended")
            context.iteration(True)
        return value
    finally:
        GLib.source_remove(source)


def application(name):
    desktop = Atspi.get_desktop(0)
    found = [one for one in children(desktop) if one and one.get_name() == name and one.get_child_count() > 0]
    if not found:
        return None
    # Each query goes to the program.
    found[0].set_cache_mask(Atspi.Cache.NONE)
    return found[0]


def children(parent):
    return [parent.get_child_at_index(index) for index in range(parent.get_child_count())]


def find(root, role, accepts=lambda one: True):
    """The first object with a role, or None."""
    if root is None or root.get_role() == role and accepts(root):
        return root
    if root.get_state_set().contains(Atspi.StateType.MANAGES_DESCENDANTS):
        return None
    return next((found for child in children(root) if (found := find(child, role, accepts))), None)


def states(one, *names):
    """Returns those of the given states that the object has."""
    found = one.get_state_set()
    return {name for name in names if found.contains(getattr(Atspi.StateType, name.upper()))}


def text(one):
    return Atspi.Text.get_text(one, 0, -1)


def press(key):
    Atspi.generate_keyboard_event(key, None, Atspi.KeySynthType.SYM)


class Events:
    """Events of the given types since the start: type, role of the source, number, and name of the object."""

    def __init__(self, *types):
        self.seen = []
        # The listener lives as long as this object.
        self.listener = Atspi.EventListener.new(self._note)
        for one in types:
            self.listener.register(one)
        self.types = types

    def close(self):
        for one in self.types:
            self.listener.deregister(one)

    def _note(self, event):
        other = event.any_data.get_name() if isinstance(event.any_data, Atspi.Accessible) else None
        self.seen.append((event.type, event.source.get_role_name(), event.detail1, other or event.source.get_name()))
