"""Finished pictures."""

from __future__ import annotations

import binascii
import html
import io
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, Mapping, Optional, Tuple, Union

from .warnings import DrawingWarning

# A CSS px is 1/96 of an inch, whatever the screen or the paper.
_CSS_PX_PER_INCH = 96.0
_extensions = {
    ".png": "png",
    ".jpg": "jpeg",
    ".jpeg": "jpeg",
    ".webp": "webp",
    ".raw": "raw",
    ".pdf": "pdf",
    ".svg": "svg",
    ".dat": "dat",
    ".json": "json",
}
_mime_types = {
    "raw": "application/octet-stream",
    "pdf": "application/pdf",
    "svg": "image/svg+xml",
    "dat": "application/x-audiowaveform",
    "json": "application/json",
}


@dataclass(frozen=True)
class Area:
    """A link or a named element, in CSS px of the picture. Its texts are untrusted: check a target before you open it."""

    x: float
    y: float
    width: float
    height: float
    target: Optional[str] = None
    identifier: Optional[str] = None
    label: Optional[str] = None


@dataclass(frozen=True)
class Picture:
    """A finished picture.

    Attributes:
        data: the file's bytes, in `format`.
        width, height: the size in device px; for ``pdf`` and ``svg`` in CSS px. For a PDF with several pages, that of the first.
        scale: device px per CSS px. Always 1 for ``pdf`` and ``svg``.
        format: ``png``, ``jpeg``, ``webp``, ``raw``, ``pdf`` or ``svg``; for a sound also ``dat`` or ``json``.
        id: the request's id, or None.
        kept: True if the picture is from the cache.
        incomplete: True if the picture lacks something; see `warnings`.
        milliseconds: the time of the drawing. None for the files of ``also``.
        areas, text: the links and named elements, and the text for a screen reader, with the option ``areas``; else None.
        facts: facts about the source, such as ``page``, ``pages`` and ``label`` of a PDF page. Often empty.
        also: the other files, with the option ``also``.
    """

    data: bytes = field(repr=False)
    width: int
    height: int
    scale: float
    format: str
    id: Optional[str] = None
    kept: bool = False
    incomplete: bool = False
    milliseconds: Optional[float] = None
    warnings: Tuple[DrawingWarning, ...] = ()
    areas: Optional[Tuple[Area, ...]] = field(default=None, repr=False)
    text: Optional[str] = field(default=None, repr=False)
    also: Tuple[Picture, ...] = field(default=(), repr=False)
    facts: Mapping[str, Union[str, float, bool]] = field(default_factory=dict, repr=False, hash=False)

    def __bytes__(self) -> bytes:
        return self.data

    # Sizes on paper

    @property
    def css_size(self) -> Tuple[float, float]:
        """Width and height in CSS px, which do not depend on the scale."""
        return self.width / self.scale, self.height / self.scale

    @property
    def inches(self) -> Tuple[float, float]:
        """Width and height in inches of 96 CSS px."""
        width, height = self.css_size
        return width / _CSS_PX_PER_INCH, height / _CSS_PX_PER_INCH

    @property
    def points(self) -> Tuple[float, float]:
        """Width and height in PDF's points, 72 to an inch."""
        width, height = self.inches
        return width * 72, height * 72

    # Output

    def open(self) -> io.BytesIO:
        """The bytes as a readable file, for libraries that expect one."""
        return io.BytesIO(self.data)

    def save(self, path: Union[str, os.PathLike[str]]) -> bool:
        """Writes the bytes to a file atomically. Does nothing if the file already has the same bytes.

        Returns:
            True if the file was written.

        Raises:
            ValueError: the name has the extension of another format.
            OSError: the file cannot be written.
        """
        place = Path(path)
        named = _extensions.get(place.suffix.lower())
        if named is not None and named != self.format:
            raise ValueError(f"{place} is a name for {named}, and the picture is {self.format}; ask for format={named!r}")
        return write_whole(self.data, place)

    @property
    def mime_type(self) -> str:
        return _mime_types.get(self.format, f"image/{self.format}")

    @property
    def data_uri(self) -> str:
        """A data URI for ``<img src>``, which embeds the picture in the document."""
        return f"data:{self.mime_type};base64,{binascii.b2a_base64(self.data, newline=False).decode('ascii')}"

    def img(self, alt: Optional[str] = None, src: Optional[str] = None) -> str:
        """An HTML ``<img>`` of the right size.

        Args:
            alt: the alternative text. Default: the picture's `text`, else empty.
            src: the address of the saved picture. Default: the bytes as a data URI.

        Raises:
            ValueError: the format is ``pdf``, which browsers do not show in an ``<img>``.
        """
        if self.format == "pdf":
            raise ValueError("an <img> does not show a PDF; ask for format='svg'")
        width, height = self.css_size
        words = alt if alt is not None else self.text or ""
        return (
            f'<img src="{html.escape(src if src is not None else self.data_uri)}" alt="{html.escape(words)}" '
            f'width="{width:g}" height="{height:g}">'
        )

    def __html__(self) -> str:
        """Lets Jinja2 insert a picture as `img`."""
        return self.img()

    # Notebooks

    def _repr_png_(self) -> Optional[Tuple[bytes, Dict[str, int]]]:
        return self._shown() if self.format == "png" else None

    def _repr_jpeg_(self) -> Optional[Tuple[bytes, Dict[str, int]]]:
        return self._shown() if self.format == "jpeg" else None

    def _repr_svg_(self) -> Optional[str]:
        return self.data.decode("utf-8") if self.format == "svg" else None

    def _repr_pdf_(self) -> Optional[bytes]:
        return self.data if self.format == "pdf" else None

    def _repr_html_(self) -> Optional[str]:
        # Two SVG files inlined in one page would share names; an <img> keeps them apart.
        return self.img() if self.format in ("webp", "svg") else None

    def _shown(self) -> Tuple[bytes, Dict[str, int]]:
        # Notebooks expect CSS px. Otherwise, a picture at scale 2 would be shown twice as large.
        width, height = self.css_size
        return self.data, {"width": round(width), "height": round(height)}

    # From the program

    @classmethod
    def of_result(cls, result: Mapping[str, Any], id: Optional[str], part: Optional[Mapping[str, Any]] = None) -> Picture:
        """The picture of a result, or of one of its parts. Raises KeyError for an invalid result."""
        own = result if part is None else part
        areas = own.get("areas")
        return cls(
            data=_bytes(own),
            width=own["width"],
            height=own["height"],
            scale=own["scale"],
            format=own["format"],
            id=id if part is None or id is None else f"{id}-{part['part']}",
            kept=result.get("kept", False),
            incomplete=result.get("status") == "incomplete",
            milliseconds=result.get("milliseconds"),
            warnings=tuple(DrawingWarning.of_result(warning) for warning in result.get("warnings", ())),
            areas=None if areas is None else tuple(_area(area) for area in areas),
            text=own.get("text"),
            facts=own.get("facts", {}),
            also=tuple(
                cls(_bytes(file), file["width"], file["height"], file["scale"], file["format"], id=id)
                for file in own.get("also", ())
            ),
        )


def _bytes(object: Mapping[str, Any]) -> bytes:
    return binascii.a2b_base64(object["data"])


def _area(object: Mapping[str, Any]) -> Area:
    return Area(
        x=object["x"],
        y=object["y"],
        width=object["width"],
        height=object["height"],
        target=object.get("target"),
        identifier=object.get("identifier"),
        label=object.get("label"),
    )


def write_whole(data: bytes, place: Path) -> bool:
    """Writes bytes to a file atomically. Returns False if the file already has the same bytes, and stays unchanged."""
    try:
        if place.stat().st_size == len(data) and place.read_bytes() == data:
            return False
    except FileNotFoundError:
        pass
    descriptor, temporary = tempfile.mkstemp(prefix=".offstage-", dir=place.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.chmod(temporary, 0o666 & ~_mask())
        os.replace(temporary, place)
    except BaseException:
        os.unlink(temporary)
        raise
    return True


def _mask() -> int:
    """The process's umask, from /proc, because the system call can read it only by changing it."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as status:
            for line in status:
                if line.startswith("Umask:"):
                    return int(line.split()[1], 8)
    except (OSError, ValueError):
        pass
    return 0o022
