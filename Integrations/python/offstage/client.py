"""Renders pictures with one process of the program ``offstage``."""

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
    """Renders pictures with one process of the program ``offstage``, which starts with the first request.

    Any number of threads can share one. If the process ends, its unanswered calls fail with `Unavailable`, and the next call
    starts it again. A forked child gets a process of its own.

    Args:
        program: the program. Default: the one that the variable OFFSTAGE names, else ``offstage`` in PATH.
        cache: True caches pictures between runs, in the user's cache folder; a path caches them in that folder; False
            disables the cache.
        jobs: the number of drawings at a time. Default: the number of processors.
        limit: the maximum number of requests that the program has at a time. The others wait here, by priority. If the program
            ends, only these fail.
        fonts: a folder. Text uses its fonts and none of the machine's.
        sandbox: True draws nothing without WebKit's sandbox; False draws without it. Default: use it if the machine allows it.
        allow_hosts: network hosts from which documents may load files.
        via: the PostgreSQL database, such as ``postgresql://HOST/DATABASE``, of the machines that draw instead of this one.
        arguments: other arguments of ``offstage pipe --help``, such as ``--max-side=5000``.
        options: defaults for the options of all requests.
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
        # Also runs when the interpreter ends, so that no process outlives it.
        self._finalizer = weakref.finalize(self, self._engine.abandon)

    # Pictures

    def render(self, html: str, *, id: Optional[str] = None, **options: Unpack[Options]) -> Picture:
        """Renders a document, or returns its cached picture.

        Args:
            html: the document. Relative URLs start from the option ``base``; without it, they load nothing.
            id: the cache key. New content replaces the picture. Default: a digest of the document and its options.

        Raises:
            OffstageError: no picture could be made. The subclass tells the cause.
        """
        return _result(self.submit(html, id=id, **options))

    def render_file(self, path: Path, *, id: Optional[str] = None, **options: Unpack[Options]) -> Picture:
        """Renders a file, like `render`. Relative URLs start from its folder."""
        return _result(self.submit(Request(file=path, id=id, **options)))

    def render_each(
        self, html: str, *, selector: str, id: Optional[str] = None, **options: Unpack[EachOptions]
    ) -> List[Picture]:
        """Renders every visible element that matches, in document order, from one drawing."""
        return _result(self.submit_each(html, selector=selector, id=id, **options))

    def pages(self, path: Path, *, id: Optional[str] = None, **options: Unpack[Options]) -> Iterator[Picture]:
        """Renders the pages of a PDF document, in order. At most `limit` pages are drawn ahead of their use.

        Args:
            id: the cache key, to which each page adds its number. Default: the file's name without its extension.
            options: those of `render`. ``fit`` sets the size, and ``variant`` selects the annotations.

        Returns:
            an iterator, immediately. Its first `next` raises an error of the document. The `facts` of each picture contain
            ``page``, ``pages`` and ``label``.
        """
        if "page" in options:
            raise TypeError("pages renders all pages; for one page, call render_file with page")
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
        """Like `render`, but returns a future immediately. Cancelling the future cancels the request."""
        request = item if isinstance(item, Request) else Request(item, id=id, **options)
        object = request.object(self._options)
        return self._engine.call(dict(object, inline=True), lambda result: Picture.of_result(result, request.id)).future

    def submit_each(
        self, html: str, *, selector: str, id: Optional[str] = None, **options: Unpack[EachOptions]
    ) -> Future[List[Picture]]:
        """Like `render_each`, but returns a future immediately."""
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
        """Renders any number of documents or requests. At most `limit` items are taken ahead of the pictures in use.

        Args:
            ordered: True returns the pictures in the order of the items. False returns each when it is ready; its `id` identifies
                it.
            errors: ``raise`` stops at the first error, and cancels the rest; ``return`` returns errors in place of pictures.
            options: defaults for the options of all items.
        """
        if errors not in ("raise", "return"):
            raise ValueError(f"errors takes 'raise' or 'return', not {errors!r}")
        futures = (self.submit(_with(item, options)) for item in items)
        return pictures_of(futures, self._configuration.limit, ordered, errors == "raise")

    def prefetch(self, item: Item, *, id: Optional[str] = None, **options: Unpack[Options]) -> Future[bool]:
        """Renders a picture into the cache, with low priority unless ``priority`` is given.

        Returns:
            a future, immediately: True if the picture was cached already.
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
        """Saves annotations in a new PDF document, so that all programs show them. The document itself does not change.

        Args:
            document: the path of the document.
            annotations: the path of a .json or .xfdf file, or the content of a .json file; default the file beside the
                document, DOCUMENT.annotations.json, unless `remove` is given.
            output: the path of the new document, which must not be an input. Default: none.
            remove: identifiers of the document's own annotations to delete, or ``"all"``.
            force: True: change a certified document, too.
            password_file: a file whose first line is the document's password.

        Raises:
            OffstageError: nothing was saved. The subclass tells the cause.
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
        """Like `annotate`, but returns a future immediately, and writes no file."""
        object, finish = annotation_command(document, annotations, remove, force, password_file)
        future = self._engine.call(object, Document.of_result).future
        future.add_done_callback(finish)
        return future

    # Waiting requests

    def cancel(self, *, id: Optional[str] = None, prefix: Optional[str] = None, group: Optional[str] = None) -> int:
        """Cancels unfinished requests: those with this id, with ids that start with this prefix, or of this group.

        Returns:
            the number of cancelled requests. Each raises `Cancelled`, unless it finishes first.
        """
        return self._engine.cancel(_Target(id, prefix, group))

    def reprioritise(
        self, priority: Priority, *, id: Optional[str] = None, prefix: Optional[str] = None, group: Optional[str] = None
    ) -> int:
        """Changes the priority of waiting requests. See `cancel` for the arguments."""
        if priority not in PRIORITIES:
            raise ValueError(f"priority takes one of {', '.join(PRIORITIES)}, not {priority!r}")
        return self._engine.reprioritise(priority, _Target(id, prefix, group))

    def suspend(self, seconds: float = 60) -> Suspension:
        """Starts no new drawing until the suspension ends, or for this many seconds. Cached and immediate pictures still arrive.

            with offstage.suspend():
                scroll()
        """
        suspension = self.begin_suspension(seconds)
        _result(suspension.begun)
        return suspension

    def begin_suspension(self, seconds: float = 60) -> Suspension:
        """Like `suspend`, but returns immediately. The future `begun` is done once the suspension is active."""
        return Suspension(self._engine, seconds)

    def stats(self) -> Statistics:
        """Returns counts of finished and waiting requests, and the size of the cache."""
        return _result(self.submit_stats())

    def submit_stats(self) -> Future[Statistics]:
        """Like `stats`, but returns a future immediately."""
        return self._engine.call({"command": "stats"}, Statistics.of_result, counts=False).future

    # The end

    def close(self) -> None:
        """Waits for the unfinished requests, and ends the program. No request is possible afterwards."""
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
    """Selects calls by id, prefix or group."""

    def __init__(self, id: Optional[str], prefix: Optional[str], group: Optional[str]) -> None:
        if sum(value is not None for value in (id, prefix, group)) != 1:
            raise TypeError("name one of id, prefix and group")
        self._id, self._prefix, self._group = id, prefix, group

    def __call__(self, call: Call[Any]) -> bool:
        if self._prefix is not None:
            return call.id is not None and call.id.startswith(self._prefix)
        return call.id == self._id if self._id is not None else call.group == self._group


def _with(item: Item, options: Mapping[str, Any]) -> Request:
    """The item as a request, with defaults for its options."""
    if not isinstance(item, Request):
        return Request(item, **options)
    if not options:
        return item
    return Request(item.html, file=item.file, id=item.id, **{**options, **item.options})


def _parts(result: Mapping[str, Any], id: Optional[str]) -> List[Picture]:
    return [Picture.of_result(result, id, part) for part in result["parts"]]


def _result(future: Future[Answer]) -> Answer:
    """The result of a future. An interrupt cancels the request."""
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
