"""Orca's reading order: the lines that its flat review finds in a window. For Orca 43 (Debian 12) and 48 (Debian 13)."""

import os

from gi.repository import Atspi
from reader import check, states

try:
    from orca import orca_state
except ImportError:
    orca_state = None
    # Imported first and completely, because modules of Orca 48 import each other.
    import orca.orca  # noqa: F401
    from orca import focus_manager, settings
    from orca.ax_component import AXComponent
    from orca.ax_utilities import AXUtilities
from orca import flat_review, settings_manager
from orca.scripts.toolkits.gtk import script as toolkit


def begin(app, window, rows):
    """Orca's script for the program, whose list has the focus."""
    if orca_state:
        settings_manager.getManager().activate(os.environ["HOME"] + "/orca")
        script = toolkit.Script(app)
        orca_state.activeScript = script
        orca_state.activeWindow = window
        orca_state.locusOfFocus = rows
        return script
    settings.enableSpeech = False
    settings_manager.get_manager().activate(os.environ["HOME"] + "/orca")
    focus_manager.get_manager().set_active_window(window)
    focus_manager.get_manager().set_locus_of_focus(None, rows, notify_script=False)
    return toolkit.Script(app)


def row_at(script, window, row):
    """The object that Orca finds at the row's upper left corner."""
    if orca_state:
        box = row.get_extents(Atspi.CoordType.SCREEN)
        return script.utilities.descendantAtPoint(window, box.x + 5, box.y + 5)
    box = row.get_extents(Atspi.CoordType.WINDOW)
    return AXComponent.get_descendant_at_point(window, box.x + 5, box.y + 5)


def position(script, row):
    if orca_state:
        return script.utilities.getPositionAndSetSize(row)
    return AXUtilities.get_position_in_set(row), AXUtilities.get_set_size(row)


def list_items(context, shown):
    """The zones of the list's rows, for each line of the flat review."""
    if orca_state:
        return [[zone for zone in line.zones if zone.accessible.get_role() == Atspi.Role.LIST_ITEM] for line in context.lines]
    # In an object with the table interface, Orca 48 looks for rows with the role "table cell", and finds none in a
    # list. It reads the rows that it reaches in another way.
    zones = [zone for row in reversed(shown) for zone in context.getZonesFromAccessible(row, context.bounds)]
    return [line.zones for line in context.clusterZonesByLine(zones)]


def check_order(app, rows):
    """The rows on the screen, each once and from top to bottom, and the row below the pointer."""
    window = app.get_child_at_index(0)
    script = begin(app, window, rows)
    context = flat_review.Context(script)
    shown = [row for row in (rows.get_child_at_index(index) for index in range(50)) if states(row, "showing")]
    check(len(shown) > 3, True, "rows on the screen")
    found = [zone.string for line in list_items(context, shown) for zone in line]
    check(found, [row.get_name() for row in shown], "Orca's order")
    check(row_at(script, window, shown[2]) == shown[2], True, "the row below the pointer")
    check(position(script, shown[2]), (2, rows.get_child_count()), "position")
