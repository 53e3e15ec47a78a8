"""Functions for scripts: one `Offstage` for all, started with the first picture and ended with the interpreter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterable, Iterator, List, Literal, Optional, Union, overload

from .client import Item, Offstage
from .errors import OffstageError
from .options import EachOptions, Options, Path
from .picture import Picture

if TYPE_CHECKING:
    from typing_extensions import Unpack

_offstage = Offstage()


def shared() -> Offstage:
    """The `Offstage` behind the functions of this module."""
    return _offstage


def render(html: str, *, id: Optional[str] = None, **options: Unpack[Options]) -> Picture:
    """As `Offstage.render`."""
    return _offstage.render(html, id=id, **options)


def render_file(path: Path, *, id: Optional[str] = None, **options: Unpack[Options]) -> Picture:
    """As `Offstage.render_file`."""
    return _offstage.render_file(path, id=id, **options)


def render_each(html: str, *, selector: str, id: Optional[str] = None, **options: Unpack[EachOptions]) -> List[Picture]:
    """As `Offstage.render_each`."""
    return _offstage.render_each(html, selector=selector, id=id, **options)


def pages(path: Path, *, id: Optional[str] = None, **options: Unpack[Options]) -> Iterator[Picture]:
    """As `Offstage.pages`."""
    return _offstage.pages(path, id=id, **options)


@overload
def render_many(
    items: Iterable[Item], *, ordered: bool = ..., errors: Literal["raise"] = ..., **options: Unpack[Options]
) -> Iterator[Picture]: ...


@overload
def render_many(
    items: Iterable[Item], *, ordered: bool = ..., errors: Literal["return"], **options: Unpack[Options]
) -> Iterator[Union[Picture, OffstageError]]: ...


def render_many(
    items: Iterable[Item],
    *,
    ordered: bool = True,
    errors: Literal["raise", "return"] = "raise",
    **options: Unpack[Options],
) -> Iterator[Union[Picture, OffstageError]]:
    """As `Offstage.render_many`."""
    if errors == "return":
        return _offstage.render_many(items, ordered=ordered, errors="return", **options)
    return _offstage.render_many(items, ordered=ordered, errors=errors, **options)
