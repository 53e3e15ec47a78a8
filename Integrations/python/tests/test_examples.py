"""Runs the examples as the README describes, and reads their files with other programs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any, Dict, List
from xml.etree import ElementTree

import pytest

from conftest import png_size
from machines import Cluster, worker

FOLDER = Path(__file__).parent.parent
ROWS: List[Dict[str, Any]] = json.loads((FOLDER / "examples" / "sales.json").read_text(encoding="utf-8"))
#: English Metric Units: 914,400 per inch, so 9,525 per CSS px.
EMU_PER_CSS_PX = 9525


class Example:
    def __init__(self, name: str, folder: Path) -> None:
        self.script = FOLDER / "examples" / name
        self.rows = folder / "sales.json"
        self.rows.write_text(json.dumps(ROWS))
        self.folder = folder

    def run(self, *arguments: str) -> str:
        run = subprocess.run(
            [sys.executable, str(self.script), "sales.json", *arguments],
            cwd=self.folder,
            capture_output=True,
            text=True,
            env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path), XDG_CACHE_HOME=str(self.folder / "cache")),
        )
        assert (run.returncode, run.stderr) == (0, ""), run.stderr
        return run.stdout

    def change_a_row(self) -> None:
        self.rows.write_text(json.dumps([dict(ROWS[0], name="Changed"), *ROWS[1:]]))


def tool(*command: object) -> str:
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize(
    ("name", "output"),
    [("weasyprint", "report.pdf"), ("reportlab", "report.pdf"), ("docx", "report.docx"), ("openpyxl", "report.xlsx")],
)
def test_only_what_changed_is_drawn(name: str, output: str, tmp_path: Path) -> None:
    example = Example(f"{name}_report.py", tmp_path)
    assert example.run(output) == "4 drawn, 0 kept\n"
    assert example.run(output) == "0 drawn, 4 kept\n"
    example.change_a_row()
    assert example.run(output) == "1 drawn, 3 kept\n"


@pytest.mark.parametrize("name", ["weasyprint", "reportlab"])
def test_pictures_of_a_pdf_are_sharp_and_of_the_right_size(name: str, tmp_path: Path) -> None:
    Example(f"{name}_report.py", tmp_path).run("report.pdf")
    lines = tool("pdfimages", "-list", tmp_path / "report.pdf").splitlines()[2:]
    images = [line.split() for line in lines if line.split()[2] == "image"]
    assert [int(image[3]) for image in images] == [640] * 4
    for image in images:
        # 640 px at 192 px per inch are 320 CSS px.
        assert [round(float(resolution)) for resolution in image[12:14]] == [192, 192]
    assert "A4" in tool("pdfinfo", tmp_path / "report.pdf")
    text = tool("pdftotext", tmp_path / "report.pdf", "-")
    assert "Sales" in text
    if name == "weasyprint":
        assert all(f"{sum(row['months'])} in a year" in text for row in ROWS)


def test_pictures_of_a_word_document(tmp_path: Path) -> None:
    Example("docx_report.py", tmp_path).run("report.docx")
    with zipfile.ZipFile(tmp_path / "report.docx") as archive:
        document = ElementTree.fromstring(archive.read("word/document.xml"))
        assert len([name for name in archive.namelist() if name.startswith("word/media/")]) == 4
    drawing = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
    extents = document.findall(f".//{drawing}extent")
    assert [int(extent.get("cx", 0)) for extent in extents] == [320 * EMU_PER_CSS_PX] * 4
    alternatives = [properties.get("descr") or "" for properties in document.findall(f".//{drawing}docPr")]
    for row, words in zip(ROWS, alternatives):
        assert re.fullmatch(rf"{row['name']}\s+{sum(row['months'])} sold", words.strip())


def test_pictures_of_a_workbook(tmp_path: Path) -> None:
    import openpyxl

    Example("openpyxl_report.py", tmp_path).run("report.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "report.xlsx")["Sales"]
    assert [row[0].value for row in sheet.iter_rows(min_row=2)] == [row["name"] for row in ROWS]
    with zipfile.ZipFile(tmp_path / "report.xlsx") as archive:
        drawing = ElementTree.fromstring(archive.read("xl/drawings/drawing1.xml"))
    space = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"
    anchors = drawing.findall(f"{space}oneCellAnchor")
    assert [anchor.findtext(f"{space}from/{space}row") for anchor in anchors] == ["1", "2", "3", "4"]
    for anchor, line in zip(anchors, range(2, 6)):
        extent = anchor.find(f"{space}ext")
        assert extent is not None and int(extent.get("cx", 0)) == 320 * EMU_PER_CSS_PX
        assert int(extent.get("cy", 0)) / 12_700 < sheet.row_dimensions[line].height, "it stays in its row"


def test_dask_draws_partitions_in_processes_of_its_own(tmp_path: Path) -> None:
    example = Example("dask_cards.py", tmp_path)
    assert example.run("out") == "4 drawn, 0 kept\n"
    assert sorted(path.stem for path in (tmp_path / "out" / "sales").iterdir()) == sorted(row["key"] for row in ROWS)
    for row in ROWS:
        assert png_size((tmp_path / "out" / "sales" / f"{row['key']}.png").read_bytes())[0] == 640
    example.change_a_row()
    assert example.run("out") == "1 drawn, 3 kept\n"


def test_dask_with_machines_of_a_database(tmp_path: Path) -> None:
    cluster = Cluster()
    try:
        url = cluster.database()
        with worker(url, tmp_path):
            assert Example("dask_cards.py", tmp_path).run("out", url) == "4 drawn, 0 kept\n"
        assert cluster.query(url, "SELECT count(*) FROM offstage.picture") == "4"
        assert len(list((tmp_path / "out" / "sales").iterdir())) == 4
    finally:
        cluster.stop()


def test_a_row_that_cannot_be_drawn_does_not_end_the_others(tmp_path: Path) -> None:
    """The other rows of its partition are drawn, too."""
    code = (
        "import dask_cards, sys\n"
        "dask_cards.html_of = lambda row: '' if row['key'] == 'north' else row['name']\n"
        "print([result.get('error') for result in dask_cards.draw(dask_cards.read('sales.json'), 'out', None)].count(None))"
    )
    Example("dask_cards.py", tmp_path)
    path = os.pathsep.join([str(FOLDER / "examples"), *sys.path])
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=dict(os.environ, PYTHONPATH=path, XDG_CACHE_HOME=str(tmp_path / "cache")),
    )
    assert (run.returncode, run.stdout) == (0, "3\n"), run.stderr
