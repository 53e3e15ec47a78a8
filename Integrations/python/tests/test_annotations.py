"""Annotations in PDF documents."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Dict

import pytest

import offstage
from offstage import AsyncOffstage, InvalidRequest, Offstage, OffstageError

from test_pages import document

PART = {"x": 0.25, "y": 0.25, "width": 0.5, "height": 0.5}


def notes(page: int = 1) -> Dict[str, Any]:
    mark = {"kind": "square", "part": PART, "fill": {"red": 255, "green": 0, "blue": 0}}
    return {"version": 1, "pages": {str(page): [mark]}}


def test_annotations_are_saved(tmp_path: Path) -> None:
    score = tmp_path / "score.pdf"
    score.write_bytes(document(2))
    with Offstage(cache=False) as stage:
        saved = stage.annotate(score, notes(2), tmp_path / "annotated.pdf")
        assert saved.data.startswith(score.read_bytes()) and saved.left_out == ()
        assert (tmp_path / "annotated.pdf").read_bytes() == saved.data
        plain = stage.render_file(score, page=2, annotations="none")
        assert stage.render_file(tmp_path / "annotated.pdf", page=2, annotations="none").data != plain.data
        with pytest.raises(ValueError, match="is an input"):
            stage.annotate(score, notes(), score)
        with pytest.raises(InvalidRequest, match="there is no page 9"):
            stage.annotate(score, notes(9))
        with pytest.raises(OffstageError, match="score.pdf.annotations.json"):
            stage.annotate(score)
        assert list(tmp_path.glob("offstage-*")) == []


def test_xfdf_and_what_it_has_more(tmp_path: Path) -> None:
    (tmp_path / "score.pdf").write_bytes(document(1))
    elements = '<square page="0" rect="10,10,20,20"/><stamp page="0" rect="0,0,9,9"/>'
    (tmp_path / "notes.xfdf").write_text(f"<xfdf><annots>{elements}</annots></xfdf>")

    async def save() -> offstage.Document:
        async with AsyncOffstage(cache=False) as stage:
            return await stage.annotate(tmp_path / "score.pdf", tmp_path / "notes.xfdf")

    assert asyncio.run(save()).left_out == ("a stamp annotation, page 1",)
