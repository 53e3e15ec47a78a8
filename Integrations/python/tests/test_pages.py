"""The pages of PDF documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from offstage import NotDrawn, Offstage, OffstageError


def document(pages: int) -> bytes:
    """A PDF document whose page n is 100 + n points wide."""
    numbers = " ".join(f"{3 + n} 0 R" for n in range(pages))
    objects = ["<< /Type /Catalog /Pages 2 0 R /PageLabels << /Nums [0 << /S /r >>] >> >>"]
    objects += [f"<< /Type /Pages /Kids [{numbers}] /Count {pages} >>"]
    objects += [f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {101 + n} 50] >>" for n in range(pages)]
    text = "%PDF-1.7\n" + "".join(f"{n} 0 obj\n{one}\nendobj\n" for n, one in enumerate(objects, 1))
    return (text + f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\n%%EOF\n").encode()


def test_pages_come_in_order(tmp_path: Path) -> None:
    (tmp_path / "score.pdf").write_bytes(document(9))
    offstage = Offstage(cache=False)
    try:
        pages = list(offstage.pages(tmp_path / "score.pdf", id="score"))
        assert [page.id for page in pages] == [f"score/{n}" for n in range(1, 10)]
        assert [page.facts["page"] for page in pages] == list(range(1, 10))
        assert [page.facts["pageWidth"] for page in pages] == list(range(101, 110))
        assert pages[3].facts["label"] == "iv" and pages[3].facts["pages"] == 9
    finally:
        offstage.close()


def test_a_document_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "score.pdf").write_bytes(b"%PDF-1.7")
    offstage = Offstage(cache=False)
    try:
        with pytest.raises(NotDrawn):
            next(offstage.pages(tmp_path / "score.pdf"))
        with pytest.raises(TypeError):
            next(offstage.pages(tmp_path / "score.pdf", page=3))
    finally:
        offstage.close()


def test_annotations_are_a_file_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "score.pdf").write_bytes(document(1))
    # The file beside the document applies, unless the request names another file, or "none".
    (tmp_path / "score.pdf.annotations.json").write_text("not annotations")
    monkeypatch.chdir(tmp_path)
    offstage = Offstage(cache=False)
    try:
        with pytest.raises(OffstageError, match="score.pdf.annotations.json"):
            offstage.render_file(Path("score.pdf"))
        assert offstage.render_file(Path("score.pdf"), annotations="none").width > 0
        with pytest.raises(OffstageError, match=str(tmp_path / "missing.json")):
            offstage.render_file(Path("score.pdf"), annotations=Path("missing.json"))
    finally:
        offstage.close()
