"""Pictures in notebooks and in Sphinx manuals."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from conftest import png_size


def test_a_cell_of_a_notebook() -> None:
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    try:
        shell.run_line_magic("load_ext", "offstage.jupyter")
        picture = shell.run_cell_magic("offstage", "--width 150 --areas --color-scheme=dark", "<h1>Cell</h1>")
        assert (picture.width, picture.scale, picture.text) == (300, 2, "Cell")
        shown, details = shell.display_formatter.format(picture)
        assert shown["image/png"] == picture.data and details["image/png"]["width"] == 150
    finally:
        InteractiveShell.clear_instance()


PAGE = """
Manual
======

.. offstage::
   :width: 150
   :alt: A greeting

   <h1>Hello</h1>

.. offstage:: parts/card.html
   :trim:

.. offstage::
   :width: none

   <p>
"""


def test_a_manual(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "card.html").write_text("<body style='margin: 5px'><div style='background: red; width: 40px'>Card")
    (tmp_path / "conf.py").write_text("extensions = ['offstage.sphinx']\noffstage_options = {'scale': 3}\n")
    (tmp_path / "index.rst").write_text(PAGE)
    run = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-b", "html", str(tmp_path), str(tmp_path / "out")],
        capture_output=True,
        text=True,
        env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)),
    )
    assert run.returncode == 0, run.stderr
    assert re.search(r"index.rst:\d+: ERROR: .*width", run.stderr) and run.stderr.count("ERROR") == 1
    page = (tmp_path / "out" / "index.html").read_text()
    images = re.findall(r"<img[^>]*>", page)
    (greeting,) = [image for image in images if 'alt="A greeting"' in image]
    (card,) = [image for image in images if 'alt="Card"' in image]
    for image, css_width in ((greeting, 150), (card, 40)):
        assert f"width: {css_width}px" in image or f'width="{css_width}"' in image
        source = re.search(r'src="([^"]*)"', image)
        assert source is not None
        assert png_size((tmp_path / "out" / source[1]).read_bytes())[0] == css_width * 3
