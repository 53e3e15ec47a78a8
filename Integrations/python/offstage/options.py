"""Requests and their options."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Mapping, Optional, Sequence, TypedDict, Union

if TYPE_CHECKING:
    # In typing since Python 3.11. Type checkers know it even if it is not installed.
    from typing_extensions import Unpack

Path = Union[str, "os.PathLike[str]"]
Priority = Literal["very-low", "low", "normal", "high", "very-high"]

#: From the lowest priority to the highest.
PRIORITIES = ("very-low", "low", "normal", "high", "very-high")


# `from` is a keyword of Python: `render_file("song.mp3", **{"from": "1:30"})`.
_Beginning = TypedDict("_Beginning", {"from": Union[float, str, None]}, total=False)


class EachOptions(_Beginning, total=False):
    """The options of a picture. None means the program's default. ``offstage render --help`` describes each of them.

    Lengths are in CSS px. `css`, `base`, `annotations`, `password_file` and `ink` are paths, relative to the working folder.
    """

    fragment: Optional[bool]
    type: Optional[Literal["html", "xhtml", "svg"]]
    charset: Optional[str]
    width: Union[int, Literal["fit"], None]
    max_width: Optional[int]
    height: Optional[int]
    min_height: Optional[int]
    max_height: Optional[int]
    viewport_height: Optional[int]
    scale: Optional[float]
    outset: Optional[int]
    trim: Optional[bool]
    padding: Optional[int]
    areas: Optional[bool]
    background: Optional[str]
    color_scheme: Optional[Literal["light", "dark"]]
    media: Optional[Literal["screen", "print"]]
    motion: Optional[Literal["reduce", "no-preference"]]
    contrast: Optional[Literal["no-preference", "more"]]
    language: Optional[str]
    time_zone: Optional[str]
    font_family: Optional[str]
    font_size: Optional[int]
    min_font_size: Optional[int]
    css: Union[Path, Sequence[Path], None]
    javascript: Optional[bool]
    base: Optional[Path]
    timeout: Optional[float]
    strict: Optional[bool]
    strict_fonts: Optional[bool]
    # Image files; `rotate` also turns pages
    fit: Union[Literal["inside", "contain", "cover", "fill"], str, None]
    crop: Optional[str]
    gravity: Optional[
        Literal["center", "north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"]
    ]
    rotate: Optional[int]
    flip: Optional[Literal["horizontal", "vertical"]]
    no_autorotate: Optional[bool]
    frame: Optional[int]

    # Pages of PDF documents; `fit` is a box such as 1024x768
    page: Optional[int]
    box: Optional[Literal["crop", "media", "trim", "bleed", "art"]]
    variant: Optional[Literal["plain", "annotated", "thumbnail", "ink"]]
    annotations: Union[Path, Literal["none"], None]
    layers: Optional[str]
    clip: Optional[str]
    password_file: Optional[Path]
    # Ink over pictures of all kinds
    ink: Optional[Path]

    # Sounds; a time is seconds, or a text such as 1:30
    waveform: Optional[Literal["bars", "line", "filled"]]
    to: Union[float, str, None]
    played: Optional[float]
    bar_width: Optional[float]
    bar_gap: Optional[float]
    bar_radius: Optional[float]
    min_bar_height: Optional[float]
    line_width: Optional[float]
    align: Optional[Literal["center", "top", "bottom"]]
    no_mirror: Optional[bool]
    split_channels: Optional[bool]
    rms: Optional[bool]
    amplitude: Optional[Literal["linear", "decibels"]]
    normalize: Optional[bool]
    marker: Union[float, str, Sequence[Union[float, str]], None]
    region: Union[str, Sequence[str], None]
    show_clipping: Optional[bool]
    clipping_color: Optional[str]
    track: Optional[int]
    axis: Optional[bool]
    wave_color: Optional[str]
    played_color: Optional[str]
    samples_per_pixel: Optional[int]
    pixels_per_second: Optional[int]

    format: Optional[str]
    also: Union[str, Sequence[str], None]

    # The treatment of a request
    priority: Optional[Priority]
    immediate: Optional[bool]
    group: Optional[str]
    deadline: Optional[float]
    refresh: Optional[bool]
    store: Optional[bool]


class Options(EachOptions, total=False):
    """The options of `EachOptions`, and a selector: renders the first visible element that matches."""

    selector: Optional[str]


_treatment = frozenset(("priority", "immediate", "group", "deadline", "refresh", "store"))


class Request:
    """A request for `render_many`.

    Args:
        html: the document.
        file: the path of a document, instead of `html`.
        id: the cache key. New content replaces the picture.
        options: those of `Offstage.render`.
    """

    __slots__ = ("html", "file", "id", "options")

    def __init__(
        self, html: Optional[str] = None, *, file: Optional[Path] = None, id: Optional[str] = None, **options: Unpack[Options]
    ) -> None:
        if (html is None) == (file is None):
            raise TypeError("a request takes either html or a file")
        if html is not None and not isinstance(html, str):
            raise TypeError(f"html takes text, not {type(html).__name__}; decode it first")
        if id is not None and not isinstance(id, str):
            raise TypeError(f"id takes text, not {type(id).__name__}")
        self.html = html
        self.file = None if file is None else os.fspath(file)
        self.id = id
        self.options: Options = options

    def __repr__(self) -> str:
        source = "html=…" if self.file is None else f"file={self.file!r}"
        return f"Request({source}, id={self.id!r})"

    def object(self, defaults: Mapping[str, Any], **more: Any) -> Dict[str, Any]:
        """The request as the program expects it.

        Raises:
            TypeError: JSON has no equivalent for the type of an option.
        """
        object: Dict[str, Any] = {}
        for name, value in {**defaults, **self.options, **more}.items():
            if value is None and name in _treatment:
                continue
            object[name.replace("_", "-")] = _value(name, value)
        if self.html is not None:
            object["html"] = self.html
        else:
            object["file"] = os.path.abspath(str(self.file))
        if self.id is not None:
            object["identifier"] = self.id
        return object


def _value(name: str, value: Any) -> Any:
    """The value for JSON. Paths become absolute, because the program's working folder may be another one."""
    if name == "css" and value is not None:
        return [os.path.abspath(path) for path in _several(value)]
    if name == "annotations" and value == "none":
        return value
    if name in ("base", "password_file", "annotations", "ink") and value is not None:
        return os.path.abspath(value)
    if name == "also" and value is not None:
        return [str(spec) for spec in _several(value)]
    if name in ("marker", "region") and isinstance(value, (list, tuple)):
        return list(value)
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    raise TypeError(f"{name} cannot be {type(value).__name__}")


def _several(value: Any) -> List[Any]:
    return [value] if isinstance(value, (str, os.PathLike)) else list(value)
