"""Pictures for a program, one process behind them."""

from __future__ import annotations

import os
import weakref
from concurrent.futures import Future
from types import TracebackType
from typing import (
    TYPE_CHECKING,
    Any,
    Dict,
    Iterable,
    Iterator,
    List,
    Literal,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    Type,
    TypeVar,
    Union,
    overload,
)

from ._call import Call
from ._configuration import Configuration, configuration
from ._engine import Engine
from ._many import pictures_of
from .document import Annotations, Document, Removal, annotation_command, check_output
from .errors import OffstageError
from .options import PRIORITIES, EachOptions, Options, Path, Priority, Request
from .picture import Picture
from .statistics import Statistics
from .suspension import Suspension

if TYPE_CHECKING:
    from typing_extensions import Unpack

Answer = TypeVar("Answer")
#: What `render_many` takes: a document, or a request.
Item = Union[str, Request]


class Offstage:
    """Draws HTML snippets by one process of the program ``offstage``, which starts with the first request.

    Any number of threads may share one. When the process ends, the calls that it had fail with `Unavailable`, and the next
    one starts it again. After a fork the child has a process of its own.

    Args:
        program: the program; default what the variable OFFSTAGE names, else ``offstage`` in PATH.
        cache: True: pictures are kept between runs, in the user's cache folder; a path: in this folder; False: not at all.
        jobs: so many are drawn at once; default as many as there are processors.
        limit: requests with the program at most; the rest waits here, by priority. When the program ends, so many fail.
        fonts: a folder; text is drawn with its fonts and none of the machine's.
        sandbox: True: nothing is drawn without WebKit's sandbox; False: without it; default with it where it can be had.
        allow_hosts: hosts of the network that documents may load from.
        via: the PostgreSQL database, such as ``postgresql://HOST/DATABASE``, of machines that draw in place of this one.
        arguments: more of ``offstage pipe --help``, such as ``--max-side=5000``.
        options: hold for requests that do not say otherwise.
    """

    def __init__(
        self,
        *,
        program: Optional[Path] = None,
        cache: Union[Path, bool] = True,
        jobs: Optional[int] = None,
        limit: int = 100,
        fonts: Optional[Path] = None,
        sandbox: Optional[bool] = None,
        allow_hosts: Sequence[str] = (),
        via: Optional[str] = None,
        arguments: Sequence[str] = (),
        **options: Unpack[Options],
    ) -> None:
        self._set_up(configuration(program, cache, jobs, limit, fonts, sandbox, allow_hosts, via, arguments), options)

    def _set_up(self, configuration: Configuration, options: Options) -> None:
        self._configuration = configuration
        self._options = options
        self._begin()
        _all.add(self)

    def _begin(self) -> None:
        self._engine = Engine(self._configuration.command, self._configuration.limit)
        # Also at the interpreter's end, so that no process outlives it.
        self._finalizer = weakref.finalize(self, self._engine.abandon)

    # Pictures

    def render(self, html: str, *, id: Optional[str] = None, **options: Unpack[Options]) -> Picture:
        """Draws a document, or has its picture from before.

        Args:
            html: the document. Relative URLs lead to the option ``base``, and nowhere without it.
            id: what the picture is kept under; other content under the same takes its place. Default what it is made of.

        Raises:
            OffstageError: there is no picture; its subclass says why.
        """
        return _result(self.submit(html, id=id, **options))

    def render_file(self, path: Path, *, id: Optional[str] = None, **options: Unpack[Options]) -> Picture:
        """Draws a file, as `render`; relative URLs lead to its folder."""
        return _result(self.submit(Request(file=path, id=id, **options)))

    def render_each(
        self, html: str, *, selector: str, id: Optional[str] = None, **options: Unpack[EachOptions]
    ) -> List[Picture]:
        """A picture of every visible element that matches, from one drawing, in the document's order."""
        return _result(self.submit_each(html, selector=selector, id=id, **options))

    def pages(self, path: Path, *, id: Optional[str] = None, **options: Unpack[Options]) -> Iterator[Picture]:
        """The pages of a PDF document, in order: each is drawn ahead of its use, and no more than `limit` at a time.

        Args:
            id: what the pages are kept under, with their number; default the file's name without its extension.
            options: as of `render`; ``fit`` and ``variant`` decide size and annotations.

        Returns:
            at once; the first `next` raises what is wrong with the document. Their `facts` have ``page``, ``pages`` and ``label``.
        """
        if "page" in options:
            raise TypeError("pages draws all pages; render_file draws the one that page names")
        name = os.path.splitext(os.path.basename(os.fspath(path)))[0] if id is None else id

        def request(number: int) -> Request:
            own = options.copy()
            own["page"] = number
            return Request(file=path, id=f"{name}/{number}", **own)

        first = _result(self.submit(request(1)))
        yield first
        count = int(first.facts.get("pages", 1))
        yield from self.render_many(request(number) for number in range(2, count + 1))

    def submit(
        self, item: Item, *, id: Optional[str] = None, **options: Unpack[Options]
    ) -> Future[Picture]:
        """As `render`, at once: the picture comes later. Cancelling the future withdraws the request."""
        request = item if isinstance(item, Request) else Request(item, id=id, **options)
        object = request.object(self._options)
        return self._engine.call(dict(object, inline=True), lambda result: Picture.of_result(result, request.id)).future

    def submit_each(
        self, html: str, *, selector: str, id: Optional[str] = None, **options: Unpack[EachOptions]
    ) -> Future[List[Picture]]:
        """As `render_each`, at once."""
        object = Request(html, id=id, **options).object(self._options, selector=selector, each=True)
        return self._engine.call(dict(object, inline=True), lambda result: _parts(result, id)).future

    @overload
    def render_many(
        self, items: Iterable[Item], *, ordered: bool = ..., errors: Literal["raise"] = ..., **options: Unpack[Options]
    ) -> Iterator[Picture]: ...

    @overload
    def render_many(
        self, items: Iterable[Item], *, ordered: bool = ..., errors: Literal["return"], **options: Unpack[Options]
    ) -> Iterator[Union[Picture, OffstageError]]: ...

    def render_many(
        self,
        items: Iterable[Item],
        *,
        ordered: bool = True,
        errors: Literal["raise", "return"] = "raise",
        **options: Unpack[Options],
    ) -> Iterator[Union[Picture, OffstageError]]:
        """Pictures of documents or requests, as many as there are: no more than `limit` items are taken ahead of what is used.

        Args:
            ordered: in the order of the items; else as they are ready, and their `id` tells which they are.
            errors: ``raise`` ends it with the first error, and withdraws the rest; ``return`` gives it in the picture's place.
            options: hold for items that do not say otherwise.
        """
        if errors not in ("raise", "return"):
            raise ValueError(f"errors takes 'raise' or 'return', not {errors!r}")
        futures = (self.submit(_with(item, options)) for item in items)
        return pictures_of(futures, self._configuration.limit, ordered, errors == "raise")

    def prefetch(self, item: Item, *, id: Optional[str] = None, **options: Unpack[Options]) -> Future[bool]:
        """Has a picture drawn and kept, at low priority unless ``priority`` says another.

        Returns:
            at once; the future tells whether it was kept already.
        """
        request = item if isinstance(item, Request) else Request(item, id=id, **options)
        object = dict(request.object(self._options), command="prefetch")
        return self._engine.call(object, lambda result: bool(result["kept"])).future

    # Documents

    def annotate(
        self,
        document: Path,
        annotations: Optional[Annotations] = None,
        output: Optional[Path] = None,
        *,
        remove: Optional[Removal] = None,
        force: bool = False,
        password_file: Optional[Path] = None,
    ) -> Document:
        """Saves annotations in a PDF document, for all programs. The document's file stays as it is.

        Args:
            document: the path of the document.
            annotations: the path of a .json or .xfdf file, or the content of a .json file; default the file beside the
                document, DOCUMENT.annotations.json, unless `remove` is given.
            output: the path of the new document; it cannot be that of an input. Default none.
            remove: identifiers of the document's own annotations to delete, or ``"all"``.
            force: True: change a certified document, too.
            password_file: a file whose first line is the document's password.

        Raises:
            OffstageError: nothing was saved; its subclass says why.
            ValueError: the output is an input.
        """
        check_output(document, annotations, output)
        result = _result(
            self.submit_annotate(document, annotations, remove=remove, force=force, password_file=password_file)
        )
        if output is not None:
            result.save(output)
        return result

    def submit_annotate(
        self,
        document: Path,
        annotations: Optional[Annotations] = None,
        *,
        remove: Optional[Removal] = None,
        force: bool = False,
        password_file: Optional[Path] = None,
    ) -> Future[Document]:
        """As `annotate`, at once, without an output."""
        object, finish = annotation_command(document, annotations, remove, force, password_file)
        future = self._engine.call(object, Document.of_result).future
        future.add_done_callback(finish)
        return future

    # What waits

    def cancel(self, *, id: Optional[str] = None, prefix: Optional[str] = None, group: Optional[str] = None) -> int:
        """Withdraws requests that have no picture yet: those with an id, with ids that begin so, or of a group.

        Returns:
            how many were meant; each of them raises `Cancelled`, unless it is finished all the same.
        """
        return self._engine.cancel(_Target(id, prefix, group))

    def reprioritise(
        self, priority: Priority, *, id: Optional[str] = None, prefix: Optional[str] = None, group: Optional[str] = None
    ) -> int:
        """Moves requests that wait; as `cancel`."""
        if priority not in PRIORITIES:
            raise ValueError(f"priority takes one of {', '.join(PRIORITIES)}, not {priority!r}")
        return self._engine.reprioritise(priority, _Target(id, prefix, group))

    def suspend(self, seconds: float = 60) -> Suspension:
        """Nothing new is begun, until its end or so many seconds have gone; what is kept and what is immediate still comes.

            with offstage.suspend():
                scroll()
        """
        suspension = self.begin_suspension(seconds)
        _result(suspension.begun)
        return suspension

    def begin_suspension(self, seconds: float = 60) -> Suspension:
        """As `suspend`, at once; its `begun` is done when it holds."""
        return Suspension(self._engine, seconds)

    def stats(self) -> Statistics:
        """What was done, what waits, and what is kept."""
        return _result(self.submit_stats())

    def submit_stats(self) -> Future[Statistics]:
        """As `stats`, at once."""
        return self._engine.call({"command": "stats"}, Statistics.of_result, counts=False).future

    # The end

    def close(self) -> None:
        """Waits for what was asked, and ends the program. Nothing can be asked any more."""
        self._engine.close()
        self._finalizer.detach()

    def __enter__(self) -> Offstage:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        if error is not None:
            self._engine.abandon()
        self.close()

    # Copies in other processes

    def _after_fork(self) -> None:
        was_closed = not self._finalizer.alive
        self._finalizer.detach()
        self._engine.forget()
        if not was_closed:
            self._begin()

    def __reduce__(self) -> Tuple[Any, ...]:
        return _rebuild, (self._configuration, dict(self._options))


class _Target:
    """Which calls are meant."""

    def __init__(self, id: Optional[str], prefix: Optional[str], group: Optional[str]) -> None:
        if sum(value is not None for value in (id, prefix, group)) != 1:
            raise TypeError("name one of id, prefix and group")
        self._id, self._prefix, self._group = id, prefix, group

    def __call__(self, call: Call[Any]) -> bool:
        if self._prefix is not None:
            return call.id is not None and call.id.startswith(self._prefix)
        return call.id == self._id if self._id is not None else call.group == self._group


def _with(item: Item, options: Mapping[str, Any]) -> Request:
    """The item as a request, with options for what it does not say."""
    if not isinstance(item, Request):
        return Request(item, **options)
    if not options:
        return item
    return Request(item.html, file=item.file, id=item.id, **{**options, **item.options})


def _parts(result: Mapping[str, Any], id: Optional[str]) -> List[Picture]:
    return [Picture.of_result(result, id, part) for part in result["parts"]]


def _result(future: Future[Answer]) -> Answer:
    """What comes of it. Whoever is interrupted while waiting has it withdrawn."""
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


def _rebuild(configuration: Configuration, options: Dict[str, Any]) -> Offstage:
    offstage = Offstage.__new__(Offstage)
    offstage._set_up(configuration, options)  # type: ignore[arg-type]
    return offstage


_all: weakref.WeakSet[Offstage] = weakref.WeakSet()


def _after_fork() -> None:
    for offstage in list(_all):
        offstage._after_fork()


os.register_at_fork(after_in_child=_after_fork)
