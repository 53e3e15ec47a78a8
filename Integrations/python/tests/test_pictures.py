from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from conftest import assert_is_png, png_size
from offstage import NotDrawn, Offstage, Request

RED_DOT = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10" fill="red"/></svg>'


def test_a_picture_has_its_size(shared_offstage: Offstage) -> None:
    picture = shared_offstage.render('<body style="margin: 0"><div style="height: 50px">', width=120, scale=2)
    assert_is_png(picture)
    assert (picture.width, picture.height, picture.scale) == (240, 100, 2)
    assert picture.css_size == (120, 50)
    assert picture.inches == (1.25, 50 / 96)
    assert picture.points == (90, 37.5)
    assert bytes(picture) == picture.data == picture.open().read()
    assert not picture.incomplete and picture.warnings == ()


def test_what_was_drawn_is_kept(shared_offstage: Offstage) -> None:
    first = shared_offstage.render("<p>kept", id="kept")
    second = shared_offstage.render("<p>kept", id="kept")
    changed = shared_offstage.render("<p>changed", id="kept")
    assert (first.kept, second.kept, changed.kept) == (False, True, False)
    assert first.data == second.data != changed.data
    assert changed.id == "kept"


def test_options_of_all_hold_until_a_request_says_otherwise(shared_offstage: Offstage) -> None:
    assert shared_offstage.render("<p>w").width == 200
    assert shared_offstage.render("<p>w", width=300).width == 300
    assert shared_offstage.render("<p>w", width=None).width == 400, "None is the program's default"


def test_the_type_and_the_charset(shared_offstage: Offstage, tmp_path: Path) -> None:
    picture = shared_offstage.render(RED_DOT, type="svg", width=10)
    assert (picture.width, picture.height) == (10, 10)
    (tmp_path / "page.html").write_bytes("<p>Größe".encode("iso-8859-15"))
    named = shared_offstage.render_file(tmp_path / "page.html", charset="iso-8859-15")
    assert named.data == shared_offstage.render("<p>Größe").data and named.warnings == ()


def test_a_file_has_its_folder(shared_offstage: Offstage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "dot.svg").write_text(RED_DOT)
    (tmp_path / "page.html").write_text('<body style="margin: 0"><img src="dot.svg">')
    monkeypatch.chdir(tmp_path)  # The program has another working folder.
    from_file = shared_offstage.render_file("page.html", id="file")
    assert from_file.warnings == () and from_file.id == "file"
    from_text = shared_offstage.render((tmp_path / "page.html").read_text(), base=tmp_path)
    assert from_text.data == from_file.data
    without = shared_offstage.render((tmp_path / "page.html").read_text())
    assert without.incomplete and without.data != from_file.data


def test_warnings_say_what_is_missing(shared_offstage: Offstage, tmp_path: Path) -> None:
    picture = shared_offstage.render('<img src="nowhere.png">', base=tmp_path)
    assert picture.incomplete
    (warning,) = picture.warnings
    assert warning.code == "resource-missing"
    assert "nowhere.png" in warning.subject and "nowhere.png" in str(warning)
    with pytest.raises(NotDrawn) as caught:
        shared_offstage.render('<img src="nowhere.png">', id="strict", base=tmp_path, strict=True)
    assert caught.value.id == "strict" and caught.value.warnings == (warning,)


def test_ink_over_a_snippet(shared_offstage: Offstage, tmp_path: Path) -> None:
    stroke = '<stroke tool="pen" color="#ff0000ff" width="20">10 18 62 18</stroke>'
    notes = tmp_path / "notes.xopp"
    notes.write_text(f'<xournal><page width="72" height="36"><layer>{stroke}</layer></page></xournal>')
    body = '<body style="margin: 0; height: 48px; background: white">'
    plain = shared_offstage.render(body, width=96, format="raw")
    picture = shared_offstage.render(body, width=96, format="raw", ink=notes)
    red = bytes((255, 0, 0, 255))
    assert (picture.width, picture.height) == (96, 48)
    assert red in picture.data and red not in plain.data
    assert not picture.warnings


def test_areas_and_text(shared_offstage: Offstage) -> None:
    picture = shared_offstage.render('<a href="https://host.example/">Größe 日本 🎉</a><p id="end">.', areas=True)
    assert picture.areas is not None and picture.text is not None
    assert [(area.target, area.identifier) for area in picture.areas] == [("https://host.example/", None), (None, "end")]
    assert 0 < picture.areas[0].width < 200
    assert picture.text.startswith("Größe 日本 🎉")
    assert shared_offstage.render("<p>none").areas is None


def test_further_files(shared_offstage: Offstage) -> None:
    picture = shared_offstage.render("<p>also", scale=2, also=["webp", "thumb:20x20"])
    webp, thumbnail = picture.also
    assert (webp.format, webp.width) == ("webp", picture.width) and webp.data[8:12] == b"WEBP"
    assert thumbnail.width == 20 and png_size(thumbnail.data) == (thumbnail.width, thumbnail.height)


def test_each_element(shared_offstage: Offstage) -> None:
    spans = "".join(f'<div style="width: {width}px">{width}</div>' for width in (30, 50, 70))
    pictures = shared_offstage.render_each(spans, selector="div", id="labels")
    assert [picture.width for picture in pictures] == [30, 50, 70]
    assert [picture.id for picture in pictures] == ["labels-1", "labels-2", "labels-3"]


@pytest.mark.parametrize(
    ("format", "name", "magic"),
    [("jpeg:quality=80", "jpeg", b"\xff\xd8\xff"), ("webp", "webp", b"RIFF"), ("raw", "raw", b"OFFSTAGE")],
)
def test_formats(shared_offstage: Offstage, format: str, name: str, magic: bytes) -> None:
    picture = shared_offstage.render("<p>format", format=format)
    assert picture.format == name and picture.data.startswith(magic)


def tool(*command: object) -> str:
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def test_vector_formats(shared_offstage: Offstage, tmp_path: Path) -> None:
    body = '<body style="margin: 0"><div style="height: 50px"><a href="https://host.example/">Größe</a>'
    for format, mime_type in (("pdf", "application/pdf"), ("svg", "image/svg+xml")):
        picture = shared_offstage.render(body, width=120, scale=3, format=format, areas=True)
        assert (picture.format, picture.mime_type) == (format, mime_type)
        # These formats have no device px: sizes are in CSS px, whatever the scale.
        assert (picture.width, picture.height, picture.scale) == (120, 50, 1)
        assert picture.css_size == (120, 50) and picture.points == (90, 37.5)
        assert picture.text == "Größe" and picture.areas is not None and picture.areas[0].target == "https://host.example/"
        picture.save(tmp_path / f"picture.{format}")
        with pytest.raises(ValueError, match=f"format='{format}'"):
            shared_offstage.render("<p>").save(tmp_path / f"other.{format}")
    assert re.search(r"Page size: +90 x 37.5 pts", tool("pdfinfo", tmp_path / "picture.pdf"))
    assert "Größe" in tool("pdftotext", tmp_path / "picture.pdf", "-")
    root = ElementTree.parse(tmp_path / "picture.svg").getroot()
    assert (root.get("width"), root.get("height")) == ("120px", "50px")
    pages = shared_offstage.render("<p>page", format="pdf:page=a5", also=["png", "svg"], scale=2)
    assert pages.format == "pdf" and pages.points == pytest.approx((420, 595.5), abs=1)
    further = shared_offstage.render(body, width=120, scale=2, also=["pdf", "svg"])
    assert [(file.format, file.css_size) for file in further.also] == [("pdf", (120, 50)), ("svg", (120, 50))]
    parts = shared_offstage.render_each("<p>one<p>two", selector="p", format="pdf", id="parts")
    assert [part.data[:5] for part in parts] == [b"%PDF-"] * 2 and parts[0].id == "parts-1"


def test_what_a_vector_picture_loses(shared_offstage: Offstage) -> None:
    columns = "<div style='column-count: 2'><p>left<p>right</div>"
    picture = shared_offstage.render(columns, format="svg")
    assert picture.incomplete and [warning.code for warning in picture.warnings] == ["columns-merged"]
    assert not shared_offstage.render(columns).incomplete


def test_style_sheets(shared_offstage: Offstage, tmp_path: Path) -> None:
    (tmp_path / "high.css").write_text("body { height: 333px; margin: 0 }")
    assert shared_offstage.render("<p>", css=tmp_path / "high.css").height == 333
    assert shared_offstage.render("<p>", css=[str(tmp_path / "high.css")]).height == 333


def test_any_character(shared_offstage: Offstage) -> None:
    picture = shared_offstage.render("<p title='\"\\\n\u2028'>Zoë\tвторой 三 🦔 \x7f", id="Größe/三 🦔")
    assert picture.id == "Größe/三 🦔"
    assert picture.data == shared_offstage.render("<p>Zoë второй 三 🦔 \x7f").data


def test_a_large_document(shared_offstage: Offstage) -> None:
    filler = "<!-- " + "ä" * 5_000_000 + " -->"
    assert len(filler.encode()) > 10_000_000
    picture = shared_offstage.render(f"{filler}<body style='margin: 0'><div style='height: 77px'>", id="large")
    assert picture.height == 77


def test_saving(shared_offstage: Offstage, tmp_path: Path) -> None:
    picture = shared_offstage.render("<p>save")
    place = tmp_path / "picture.png"
    assert picture.save(place)
    assert place.read_bytes() == picture.data
    assert place.stat().st_mode & 0o777 == 0o666 & ~_umask()
    os.utime(place, (1, 1))
    assert not picture.save(str(place)), "the same bytes are there"
    assert place.stat().st_mtime == 1
    assert shared_offstage.render("<p>another").save(place)
    assert os.listdir(tmp_path) == ["picture.png"]
    with pytest.raises(ValueError, match="format='jpeg'"):
        picture.save(tmp_path / "picture.jpg")
    with pytest.raises(FileNotFoundError):
        picture.save(tmp_path / "nowhere" / "picture.png")


def test_in_a_page(shared_offstage: Offstage) -> None:
    picture = shared_offstage.render("<p>&lt;3", width=100, scale=2, areas=True)
    height = picture.height / 2
    assert picture.img(src="a&b.png", alt='"') == f'<img src="a&amp;b.png" alt="&quot;" width="100" height="{height:g}">'
    assert 'alt="&lt;3"' in picture.img() and picture.data_uri in picture.img()
    assert picture.data_uri.startswith("data:image/png;base64,iVBOR")


def test_in_a_notebook(shared_offstage: Offstage) -> None:
    picture = shared_offstage.render("<p>notebook", width=100, scale=2)
    assert picture._repr_png_() == (picture.data, {"width": 100, "height": picture.height // 2})
    assert picture._repr_jpeg_() is None and picture._repr_html_() is None
    jpeg = shared_offstage.render("<p>notebook", width=100, format="jpeg")
    assert jpeg._repr_jpeg_() == (jpeg.data, {"width": 100, "height": jpeg.height}) and jpeg._repr_png_() is None
    svg = shared_offstage.render("<p>notebook", width=100, format="svg")
    assert (svg._repr_svg_() or "").encode() == svg.data and "data:image/svg+xml;base64," in (svg._repr_html_() or "")
    assert svg._repr_png_() is None and svg._repr_pdf_() is None and picture._repr_svg_() is None
    pdf = shared_offstage.render("<p>notebook", width=100, format="pdf")
    assert pdf._repr_pdf_() == pdf.data and pdf._repr_html_() is None and picture._repr_pdf_() is None
    with pytest.raises(ValueError, match="format='svg'"):
        pdf.img()
    assert "data:image/webp" in (shared_offstage.render("<p>", format="webp")._repr_html_() or "")


def test_a_picture_shows_no_bytes(shared_offstage: Offstage) -> None:
    picture = shared_offstage.render("<p>secret")
    assert "PNG" not in repr(picture) and "secret" not in repr(picture)
    assert "secret" not in repr(Request("<p>secret", id="a"))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
