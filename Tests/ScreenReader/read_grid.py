"""Reads the grid of `offstage browse` as a screen reader does: `read_grid.py PROGRAM`, in an empty folder."""

import os
import sys

import reader
from gi.repository import Atspi
from reader import DOWN, END, HOME, check, eventually, press, states
from session import Session

CELLS = 500
DOCUMENTS = 10
CONTROL, SHIFT = 0xFFE3, 0xFFE1
# The key codes of an X server without a keyboard, which are evdev's.
KEYCODES = {CONTROL: 37, SHIFT: 50}


def write_documents(folder):
    os.mkdir(folder)
    for number in range(DOCUMENTS):
        with open(f"{folder}/cell{number:02}.html", "w", encoding="utf-8") as file:
            file.write(f"<!doctype html><meta charset=utf-8><p>Cell {number}")


def label(index):
    """The name of a file; repeated inputs are numbered."""
    name = f"cell{index % DOCUMENTS:02}"
    return f"{name}.html" if index < DOCUMENTS else f"{name}#{index // DOCUMENTS + 1}"


def hold(key, other):
    """Presses a key while another key is held."""
    Atspi.generate_keyboard_event(KEYCODES[key], None, Atspi.KeySynthType.PRESS)
    press(other)
    Atspi.generate_keyboard_event(KEYCODES[key], None, Atspi.KeySynthType.RELEASE)


def selection(grid):
    return [
        Atspi.Selection.get_selected_child(grid, number).get_index_in_parent()
        for number in range(Atspi.Selection.get_n_selected_children(grid))
    ]


def find_view(app):
    return eventually("the view", lambda: reader.find(app, Atspi.Role.LIST))


def check_at_rest(grid):
    check(grid.get_child_count(), CELLS, "children")
    wanted = {"focusable", "manages_descendants", "multiselectable", "showing"}
    check(states(grid, *wanted), wanted, "grid")
    for index in (0, 1, 4, CELLS - 1):
        cell = grid.get_child_at_index(index)
        check(cell.get_name(), label(index), f"name of cell {index}")
        check(cell.get_role(), Atspi.Role.LIST_ITEM, f"role of cell {index}")
        places = {"posinset": str(index + 1), "setsize": str(CELLS)}
        check(cell.get_attributes(), places, f"attributes of cell {index}")
        check("showing" in states(cell, "showing"), index < 5, f"cell {index} on the screen")
    first, second = (grid.get_child_at_index(index).get_extents(Atspi.CoordType.SCREEN) for index in (0, 1))
    check((first.y, first.width), (second.y, second.width), "cells of a line")
    check(second.x >= first.x + first.width, True, "cells side by side")


def check_keyboard(grid):
    events = reader.Events("object:active-descendant-changed")
    eventually("the focus", lambda: states(grid, "focused"))
    for key, index in [(DOWN, 0), (DOWN, 4), (END, CELLS - 1), (HOME, 0)]:
        events.seen.clear()
        press(key)
        eventually(f"cell {index} to be active", lambda: any(event[2] == index for event in events.seen))
        cell = grid.get_child_at_index(index)
        check(states(cell, "selected", "focused"), {"selected", "focused"}, f"cell {index}")
        eventually(f"cell {index} on the screen", lambda: states(cell, "showing"))
    events.close()
    hold(SHIFT, DOWN)
    eventually("a range to be selected", lambda: selection(grid) == [0, 1, 2, 3, 4])


def check_operation(grid):
    """Actions of a client without the keyboard."""
    Atspi.Selection.clear_selection(grid)
    check(selection(grid), [], "selected cells")
    for index in (3, 7):
        check(Atspi.Selection.select_child(grid, index), True, f"select {index}")
    check(selection(grid), [3, 7], "selected cells")
    check(Atspi.Selection.deselect_child(grid, 3), True, "deselect 3")
    check(selection(grid), [7], "selected cells")
    check(Atspi.Selection.select_all(grid), True, "select all")
    check(Atspi.Selection.get_n_selected_children(grid), CELLS, "selected cells")
    far = grid.get_child_at_index(450)
    check(Atspi.Component.grab_focus(far), True, "focus")
    eventually("cell 450 on the screen", lambda: states(far, "showing"))
    check(selection(grid), [450], "selected cells")


def main(program):
    write_documents("in")
    command = [program, "browse", "in", "--grid", "--rows", str(CELLS), "--no-cache"]
    with Session(os.getcwd(), command) as session:
        reader.has_ended = lambda: session.program.poll() is not None
        Atspi.init()
        app = eventually("the program", lambda: reader.application("offstage browse"))
        grid = find_view(app)
        check_at_rest(grid)
        check_keyboard(grid)
        check_operation(grid)
        # The list has the same rows and the selection of the grid.
        hold(CONTROL, ord("1"))
        eventually("the list", lambda: "multiselectable" not in states(find_view(app), "multiselectable"))
        rows = find_view(app)
        check(rows.get_child_count(), CELLS, "rows")
        check(selection(rows), [450], "selected rows")
    check(session.code, 128 + 15, "exit code")
    print("read")


main(sys.argv[1])
