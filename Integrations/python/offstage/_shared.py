"""Functions for scripts. They share one `Offstage`, which starts with the first picture and ends with the interpreter.

For pictures from other machines, there is one for each database.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, Iterable, Iterator, List, Literal, Optional, Union, overload

from .client import Item, Offstage
from .document import Annotations, Document, Removal
from .errors import OffstageError
from .options import EachOptions, Options, Path
from .picture import Picture

if TYPE_CHECKING:
    from typing_extensions import Unpack

_offstage = Offstage()
#: The objects for other machines, by the database that these share.
_elsewhere: Dict[str, Offstage] = {}


def shared(via: Optional[str] = None) -> Offstage:
    """The `Offstage` behind the functions of this module.

    Args:
        via: the database of the machines that draw. Default: this machine draws.
    """
    if via is None:
        return _offstage
    # No lock, because a forked process could inherit it while it is held. A surplus object has started no process.
    return _elsewhere.get(via) or _elsewhere.setdefault(via, Offstage(via=via))


def render(html: str, *, id: Optional[str] = None, **options: Unpack[Options]) -> Picture:
    """See `Offstage.render`."""
    return _offstage.render(html, id=id, **options)


def render_file(path: Path, *, id: Optional[str] = None, **options: Unpack[Options]) -> Picture:
    """See `Offstage.render_file`."""
    return _offstage.render_file(path, id=id, **options)


def render_each(html: str, *, selector: str, id: Optional[str] = None, **options: Unpack[EachOptions]) -> List[Picture]:
    """See `Offstage.render_each`."""
    return _offstage.render_each(html, selector=selector, id=id, **options)


def pages(path: Path, *, id: Optional[str] = None, **options: Unpack[Options]) -> Iterator[Picture]:
    """See `Offstage.pages`."""
    return _offstage.pages(path, id=id, **options)


def annotate(
    document: Path,
    annotations: Optional[Annotations] = None,
    output: Optional[Path] = None,
    *,
    remove: Optional[Removal] = None,
    force: bool = False,
    password_file: Optional[Path] = None,
) -> Document:
    """See `Offstage.annotate`."""
    return _offstage.annotate(
        document, annotations, output, remove=remove, force=force, password_file=password_file
    )


@overload
def render_many(
    items: Iterable[Item],
    *,
    ordered: bool = ...,
    errors: Literal["raise"] = ...,
    via: Optional[str] = ...,
    **options: Unpack[Options],
) -> Iterator[Picture]: ...


@overload
def render_many(
    items: Iterable[Item],
    *,
    ordered: bool = ...,
    errors: Literal["return"],
    via: Optional[str] = ...,
    **options: Unpack[Options],
) -> Iterator[Union[Picture, OffstageError]]: ...


def render_many(
    items: Iterable[Item],
    *,
    ordered: bool = True,
    errors: Literal["raise", "return"] = "raise",
    via: Optional[str] = None,
    **options: Unpack[Options],
) -> Iterator[Union[Picture, OffstageError]]:
    """See `Offstage.render_many`.

    Args:
        via: the PostgreSQL database of the machines that draw. Default: this machine draws.
    """
    offstage = shared(via)
    if errors == "return":
        return offstage.render_many(items, ordered=ordered, errors="return", **options)
    return offstage.render_many(items, ordered=ordered, errors=errors, **options)
