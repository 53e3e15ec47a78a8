"""A directive for Sphinx that renders HTML to a picture, which every builder can show.

In ``conf.py``: ``extensions = ["offstage.sphinx"]``. In a page::

    .. offstage::
       :width: 320
       :alt: A greeting

       <h1>Hello</h1>

or ``.. offstage:: card.html`` for a file beside the page. The directive takes the options of `offstage.render`, with hyphens,
and ``alt``. The configuration value ``offstage_options`` sets defaults for all pictures; without it, the scale is 2.
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any, Dict, List

from docutils import nodes
from docutils.parsers.rst import Directive, directives

from ._shared import render, render_file
from .errors import OffstageError
from .options import EachOptions, Options

_names = sorted({*Options.__annotations__, *EachOptions.__annotations__})


class OffstageDirective(Directive):  # type: ignore[misc]  # Directive has no type hints.
    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec = {"alt": directives.unchanged, **{name.replace("_", "-"): directives.unchanged for name in _names}}

    def run(self) -> List[nodes.Node]:
        environment = self.state.document.settings.env
        given = dict(self.options)
        alt = given.pop("alt", None)
        options: Dict[str, Any] = {"scale": 2, "areas": True, **environment.config.offstage_options}
        options.update({name.replace("-", "_"): _value(value) for name, value in given.items()})
        if bool(self.arguments) == bool(self.content):
            raise self.error("offstage takes either a file or a document")
        try:
            if self.arguments:
                name, path = environment.relfn2path(self.arguments[0])
                environment.note_dependency(name)
                picture = render_file(path, **options)
            else:
                options.setdefault("base", os.path.dirname(environment.doc2path(environment.docname)))
                picture = render("\n".join(self.content), **options)
        except OffstageError as error:
            raise self.error(str(error)) from error
        folder = os.path.join(environment.app.outdir, "_offstage")
        os.makedirs(folder, exist_ok=True)
        # Named by its content, so that builders use one file for equal pictures.
        file = os.path.join(folder, f"{hashlib.sha256(picture.data).hexdigest()[:20]}.{picture.format}")
        picture.save(file)
        width, _ = picture.css_size
        source = os.path.relpath(file, os.path.dirname(environment.doc2path(environment.docname)))
        for warning in picture.warnings:
            self.state.document.reporter.warning(str(warning), line=self.lineno)
        return [nodes.image(uri=source.replace(os.sep, "/"), alt=alt or picture.text or "", width=f"{width:g}px")]


def _value(text: str) -> Any:
    """A number, true or false, or a text. An option without a value is true."""
    if not text:
        return True
    try:
        return json.loads(text)
    except ValueError:
        return text


def setup(app: Any) -> Dict[str, Any]:
    app.add_config_value("offstage_options", {}, "env")
    app.add_directive("offstage", OffstageDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
