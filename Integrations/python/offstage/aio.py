"""`Offstage` for asyncio."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import (
    TYPE_CHECKING,
    Any,
    AsyncIterable,
    AsyncIterator,
    Generator,
    Iterable,
    List,
    Literal,
    Optional,
    Sequence,
    Type,
    Union,
    overload,
)

from ._many import async_pictures_of
from .client import Item, Offstage, _with
from .document import Annotations, Document, Removal, check_output
from .errors import OffstageError
from .options import EachOptions, Options, Path, Priority, Request
from .picture import Picture
from .statistics import Statistics
from .suspension import Suspension

if TYPE_CHECKING:
    from typing_extensions import Unpack


class AsyncOffstage:
    """`Offstage` for asyncio. No method blocks the event loop, and cancelling a task cancels its request.

    Takes the arguments of `Offstage`. Several event loops, on several threads, can share one.
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
        self._offstage = Offstage(
            program=program,
            cache=cache,
            jobs=jobs,
            limit=limit,
            fonts=fonts,
            sandbox=sandbox,
            allow_hosts=allow_hosts,
            via=via,
            arguments=arguments,
            **options,
        )
        self._limit = limit

    # Pictures

    async def render(self, html: str, *, id: Optional[str] = None, **options: Unpack[Options]) -> Picture:
        """See `Offstage.render`."""
        return await asyncio.wrap_future(self._offstage.submit(html, id=id, **options))

    async def render_file(self, path: Path, *, id: Optional[str] = None, **options: Unpack[Options]) -> Picture:
        """See `Offstage.render_file`."""
        return await asyncio.wrap_future(self._offstage.submit(Request(file=path, id=id, **options)))

    async def render_each(
        self, html: str, *, selector: str, id: Optional[str] = None, **options: Unpack[EachOptions]
    ) -> List[Picture]:
        """See `Offstage.render_each`."""
        return await asyncio.wrap_future(self._offstage.submit_each(html, selector=selector, id=id, **options))

    @overload
    def render_many(
        self,
        items: Union[Iterable[Item], AsyncIterable[Item]],
        *,
        ordered: bool = ...,
        errors: Literal["raise"] = ...,
        **options: Unpack[Options],
    ) -> AsyncIterator[Picture]: ...

    @overload
    def render_many(
        self,
        items: Union[Iterable[Item], AsyncIterable[Item]],
        *,
        ordered: bool = ...,
        errors: Literal["return"],
        **options: Unpack[Options],
    ) -> AsyncIterator[Union[Picture, OffstageError]]: ...

    def render_many(
        self,
        items: Union[Iterable[Item], AsyncIterable[Item]],
        *,
        ordered: bool = True,
        errors: Literal["raise", "return"] = "raise",
        **options: Unpack[Options],
    ) -> AsyncIterator[Union[Picture, OffstageError]]:
        """See `Offstage.render_many`. The items can also be an asynchronous iterable."""
        if errors not in ("raise", "return"):
            raise ValueError(f"errors takes 'raise' or 'return', not {errors!r}")

        async def begun() -> AsyncIterator[asyncio.Future[Picture]]:
            async for item in _asynchronously(items):
                yield asyncio.wrap_future(self._offstage.submit(_with(item, options)))

        return async_pictures_of(begun(), self._limit, ordered, errors == "raise")

    async def prefetch(self, item: Item, *, id: Optional[str] = None, **options: Unpack[Options]) -> bool:
        """See `Offstage.prefetch`. Returns when the picture is cached."""
        return await asyncio.wrap_future(self._offstage.prefetch(item, id=id, **options))

    # Documents

    async def annotate(
        self,
        document: Path,
        annotations: Optional[Annotations] = None,
        output: Optional[Path] = None,
        *,
        remove: Optional[Removal] = None,
        force: bool = False,
        password_file: Optional[Path] = None,
    ) -> Document:
        """See `Offstage.annotate`."""
        check_output(document, annotations, output)
        future = self._offstage.submit_annotate(
            document, annotations, remove=remove, force=force, password_file=password_file
        )
        result = await asyncio.wrap_future(future)
        if output is not None:
            result.save(output)
        return result

    # Waiting requests

    def cancel(self, *, id: Optional[str] = None, prefix: Optional[str] = None, group: Optional[str] = None) -> int:
        """See `Offstage.cancel`."""
        return self._offstage.cancel(id=id, prefix=prefix, group=group)

    def reprioritise(
        self, priority: Priority, *, id: Optional[str] = None, prefix: Optional[str] = None, group: Optional[str] = None
    ) -> int:
        """See `Offstage.reprioritise`."""
        return self._offstage.reprioritise(priority, id=id, prefix=prefix, group=group)

    def suspend(self, seconds: float = 60) -> AsyncSuspension:
        """See `Offstage.suspend`; use ``async with`` or ``await``."""
        return AsyncSuspension(self._offstage.begin_suspension(seconds))

    async def stats(self) -> Statistics:
        """See `Offstage.stats`."""
        return await asyncio.wrap_future(self._offstage.submit_stats())

    # The end

    async def close(self) -> None:
        """See `Offstage.close`."""
        await asyncio.to_thread(self._offstage.close)

    async def __aenter__(self) -> AsyncOffstage:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await asyncio.to_thread(self._offstage.__exit__, kind, error, trace)


class AsyncSuspension:
    """A suspension that `AsyncOffstage.suspend` began."""

    def __init__(self, suspension: Suspension) -> None:
        self._suspension = suspension

    async def resume(self) -> None:
        """Ends this suspension. Drawing continues once no other suspension is left."""
        await asyncio.wrap_future(self._suspension.end())

    async def __aenter__(self) -> AsyncSuspension:
        await asyncio.wrap_future(self._suspension.begun)
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.resume()

    def __await__(self) -> Generator[Any, None, AsyncSuspension]:
        return self.__aenter__().__await__()


async def _asynchronously(items: Union[Iterable[Item], AsyncIterable[Item]]) -> AsyncIterator[Item]:
    if isinstance(items, AsyncIterable):
        async for item in items:
            yield item
    else:
        for item in items:
            yield item
