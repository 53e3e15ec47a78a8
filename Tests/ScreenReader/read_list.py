"""Reads the list of `offstage browse` as a screen reader does: `read_list.py PROGRAM`, in an empty folder."""

import os
import sys

import reader
from gi.repository import Atspi
from reader import DOWN, END, HOME, check, eventually, press, states, text
from session import Session

ROWS = 2000
DOCUMENTS = 12
SHAPE = "<svg width=9 height=9><rect width=9 height=9 /></svg>"


def words(row):
    return f"Row {row % DOCUMENTS}, with a sentence. Read story {row % DOCUMENTS} or Close it Map"


def write_documents(folder):
    os.mkdir(folder)
    for number in range(DOCUMENTS):
        with open(f"{folder}/row{number:02}.html", "w", encoding="utf-8") as file:
            file.write(
                "<!doctype html><meta charset=utf-8><style>body { font: 16px sans-serif; padding: 9px; margin: 0 }</style>"
                f"<p>Row {number}, with a sentence.<p>Read <a href=story/{number}>story {number}</a> or"
                " <a href=close aria-label='Close it'>×</a> <a href=map><img alt=Map width=20 height=20></a>"
                f" <a href=titled title='Only a title'>{SHAPE}</a> <a href=bare>{SHAPE}</a>"
            )


def find_list(program):
    app = eventually("the program", lambda: reader.application(program))
    return eventually("the list", lambda: reader.find(app, Atspi.Role.LIST)), app


def check_at_rest(rows):
    """Checks the list before the first pointer movement and the first key press."""
    check(rows.get_name(), "Documents", "name")
    check(rows.get_child_count(), ROWS, "children")
    check(
        states(rows, "focusable", "manages_descendants", "showing"), {"focusable", "manages_descendants", "showing"}, "list"
    )
    for index in range(5):
        row = rows.get_child_at_index(index)
        eventually(f"the text of row {index}", lambda: text(row) == words(index))
        check(row.get_name(), words(index), f"name of row {index}")
        check(row.get_role(), Atspi.Role.LIST_ITEM, f"role of row {index}")
        check(row.get_index_in_parent(), index, f"index of row {index}")
        check(row.get_parent() == rows, True, f"parent of row {index}")
        wanted = {"focusable", "selectable", "visible", "showing", "enabled", "transient"}
        check(states(row, *wanted, "selected", "focused"), wanted, f"states of row {index}")
    last = rows.get_child_at_index(ROWS - 1)
    check(states(last, "focusable", "selectable", "visible", "showing"), {"focusable", "selectable"}, "last row")
    # A row far from the screen is drawn because a client has asked for it.
    eventually("the text of the last row", lambda: text(last) == words(ROWS - 1))
    check(last.get_name(), words(ROWS - 1), "name of the last row")
    check([link.get_name() for link in reader.children(last)][:2], [f"story {(ROWS - 1) % DOCUMENTS}", "Close it"], "its links")
    for index in (-1, ROWS, 2**31 - 1, -(2**31)):
        check(rows.get_child_at_index(index), None, f"child {index}")


def check_text(row):
    check(Atspi.Text.get_character_count(row), len(words(3)), "characters")
    check(Atspi.Text.get_text(row, 0, 5), "Row 3", "part of the text")
    for offset, unit, content in [
        (0, "CHAR", "R"), (5, "WORD", "3, "), (14, "WORD", "sentence. "), (2, "LINE", words(3)),
        (24, "SENTENCE", "Read story 3 or Close it Map"), (-5, "WORD", ""), (99999, "WORD", ""),
    ]:
        found = Atspi.Text.get_string_at_offset(row, offset, getattr(Atspi.TextGranularity, unit))
        check(found.content, content, f"{unit} at {offset}")


def check_links(row, app):
    """Links are named after their text, are where they are painted, and can be followed."""
    links = reader.children(row)
    check([link.get_name() for link in links], ["story 3", "Close it", "Map", "Only a title", "bare"], "links")
    check([link.get_role() for link in links], [Atspi.Role.LINK] * 5, "roles of links")
    check([link.get_index_in_parent() for link in links], list(range(5)), "indexes of links")
    check(all(link.get_parent() == row for link in links), True, "parents of links")
    check(Atspi.Hypertext.get_n_links(row), 3, "links in the text")
    first = Atspi.Hypertext.get_link(row, 0)
    start = words(3).index("story 3")
    check((first.get_start_index(), first.get_end_index()), (start, start + 7), "place in the text")
    check(first.get_uri(0), "story/3", "target")
    box = links[0].get_extents(Atspi.CoordType.SCREEN)
    letter = Atspi.Text.get_character_extents(row, start, Atspi.CoordType.SCREEN)
    check((letter.x, letter.y, letter.width), (box.x, box.y, box.width), "box of a letter")
    whole = row.get_extents(Atspi.CoordType.SCREEN)
    check(whole.x < box.x and whole.y < box.y and box.y + box.height < whole.y + whole.height, True, "box of a link")
    check(Atspi.Action.do_action(links[0], 0), True, "jump")
    # The program's status line names the row and the link's target.
    eventually("the jump", lambda: reader.find(app, Atspi.Role.LABEL, lambda one: one.get_name() == "row03: story/3"))


def check_keyboard(rows):
    events = reader.Events(
        "object:active-descendant-changed", "object:selection-changed", "object:state-changed:focused",
        "object:state-changed:selected",
    )
    eventually("the focus", lambda: states(rows, "focused"))
    for key, index in [(DOWN, 0), (DOWN, 1), (DOWN, 2), (END, ROWS - 1), (HOME, 0)]:
        events.seen.clear()
        press(key)
        eventually(f"row {index} to be active", lambda: any(
            event[:3] == ("object:active-descendant-changed", "list", index) for event in events.seen
        ))
        row = rows.get_child_at_index(index)
        check(states(row, "selected", "focused"), {"selected", "focused"}, f"row {index}")
        check(Atspi.Selection.get_n_selected_children(rows), 1, "selected children")
        check(Atspi.Selection.get_selected_child(rows, 0) == row, True, "selected child")
        check([bool(Atspi.Selection.is_child_selected(rows, one)) for one in (index, 7)], [True, False], "is selected")
        eventually(f"row {index} on the screen", lambda: states(row, "showing"))
        kinds = [(event[0].rpartition(":")[2], event[2]) for event in events.seen if event[1] != "label"]
        for wanted in [("selected", 1), ("focused", 1), ("selection-changed", 0)]:
            check(wanted in kinds, True, f"{wanted} in {kinds}")
    check(states(rows.get_child_at_index(ROWS - 1), "selected", "focused"), set(), "the row before")


def check_operation(rows):
    """Actions of a client without the keyboard."""
    check(Atspi.Selection.select_child(rows, 4), True, "select")
    check(states(rows.get_child_at_index(4), "selected", "focused"), {"selected", "focused"}, "row 4")
    check(Atspi.Selection.select_child(rows, ROWS), False, "select a row that does not exist")
    Atspi.Selection.clear_selection(rows)
    check(Atspi.Selection.get_n_selected_children(rows), 0, "selected children")
    far = rows.get_child_at_index(700)
    check(Atspi.Component.grab_focus(far), True, "focus")
    check(states(far, "selected", "focused"), {"selected", "focused"}, "row 700")
    eventually("row 700 on the screen with its text", lambda: states(far, "showing") and text(far) == words(700))
    # Return turns the row into a live view, which becomes its last child.
    check(Atspi.Action.get_n_actions(far), 1, "actions")
    check(Atspi.Action.do_action(far, 0), True, "activate")
    eventually("the live view", lambda: far.get_child_count() == 6)


def main(program):
    write_documents("in")
    with Session(os.getcwd(), [program, "browse", "in", "--rows", str(ROWS), "--no-cache"]) as session:
        reader.has_ended = lambda: session.program.poll() is not None
        Atspi.init()
        rows, app = find_list("offstage browse")
        check_at_rest(rows)
        check_text(rows.get_child_at_index(3))
        check_links(rows.get_child_at_index(3), app)
        from order import check_order  # loads Orca, which needs the buses

        check_order(app, rows)
        check_keyboard(rows)
        check_operation(rows)
    check(session.code, 128 + 15, "exit code")
    # GTK and ATK warn about invalid calls.
    with open(session.errors, encoding="utf-8") as errors:
        check([line for line in errors if "CRITICAL" in line or "WARNING" in line], [], "complaints")
    print("read")


main(sys.argv[1])
