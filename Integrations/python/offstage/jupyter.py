"""Renders HTML cells of a notebook: ``%load_ext offstage.jupyter``, then ``%%offstage --width 320`` above a document.

Without this extension, too, a notebook shows a `Picture` that is the last value of a cell.
"""

from __future__ import annotations

import json
import shlex
from typing import Any, Dict

from ._shared import render
from .picture import Picture


def load_ipython_extension(shell: Any) -> None:
    shell.register_magic_function(offstage_cell, "cell", "offstage")


def offstage_cell(line: str, cell: str) -> Picture:
    """Renders the cell. Takes the options of `render` as on a command line; the default scale is 2."""
    return render(cell, **{"scale": 2, **_options(line)})  # type: ignore[arg-type]


def _options(line: str) -> Dict[str, Any]:
    options: Dict[str, Any] = {}
    words = shlex.split(line)
    while words:
        name, equals, value = words.pop(0).partition("=")
        if not name.startswith("--"):
            raise ValueError(f"%%offstage takes options such as --width 320, not {name!r}")
        if not equals:
            value = words.pop(0) if words and not words[0].startswith("--") else "true"
        try:
            options[name[2:].replace("-", "_")] = json.loads(value)
        except ValueError:
            options[name[2:].replace("-", "_")] = value
    return options
