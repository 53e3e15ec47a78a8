"""Orca's reading order: what its flat review finds in a window, line by line."""

import os

import pyatspi
from orca import flat_review, orca_state, settings_manager
from orca.scripts.toolkits.gtk import script as toolkit
from reader import check, states


def check_order(app, rows):
    """The rows on the screen, each once and from top to bottom; and the row below the pointer."""
    settings_manager.getManager().activate(os.environ["HOME"] + "/orca")
    script = toolkit.Script(app)
    orca_state.activeScript = script
    orca_state.activeWindow = app.get_child_at_index(0)
    orca_state.locusOfFocus = rows
    context = flat_review.Context(script)
    lines = [[zone for zone in line.zones if zone.accessible.get_role() == pyatspi.ROLE_LIST_ITEM] for line in context.lines]
    found = [zone.string for line in lines for zone in line]
    shown = [row for row in (rows.get_child_at_index(index) for index in range(50)) if states(row, "showing")]
    check(len(shown) > 3, True, "rows on the screen")
    check(found, [row.get_name() for row in shown], "Orca's order")
    box = shown[2].get_extents(pyatspi.DESKTOP_COORDS)
    below = script.utilities.descendantAtPoint(orca_state.activeWindow, box.x + 5, box.y + 5)
    check(below == shown[2], True, "the row below the pointer")
    check(script.utilities.getPositionAndSetSize(shown[2]), (2, rows.get_child_count()), "position")
