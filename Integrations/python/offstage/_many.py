"""Renders many pictures, and limits how many are rendered before the caller uses them."""

from __future__ import annotations

import asyncio
import queue
from collections import deque
from concurrent.futures import Future
from typing import AsyncIterator, Deque, Iterator, Set, Union

from .errors import OffstageError
from .picture import Picture


def pictures_of(
    futures: Iterator[Future[Picture]], limit: int, is_ordered: bool, raises: bool
) -> Iterator[Union[Picture, OffstageError]]:
    """The results of futures. Taking a future from the iterator starts it; at most `limit` are started but not yet used.

    If the caller stops early, the unfinished futures are cancelled.
    """
    return (_in_order if is_ordered else _as_ready)(futures, limit, raises)


def _in_order(
    futures: Iterator[Future[Picture]], limit: int, raises: bool
) -> Iterator[Union[Picture, OffstageError]]:
    ahead: Deque[Future[Picture]] = deque()
    try:
        for future in futures:
            ahead.append(future)
            # The iterator of items may be slow: finished pictures do not wait for the next item.
            while ahead and (len(ahead) >= limit or ahead[0].done()):
                yield _outcome(ahead[0], raises)
                ahead.popleft()
        while ahead:
            yield _outcome(ahead[0], raises)
            ahead.popleft()
    finally:
        for future in ahead:
            future.cancel()


def _as_ready(
    futures: Iterator[Future[Picture]], limit: int, raises: bool
) -> Iterator[Union[Picture, OffstageError]]:
    ahead: Set[Future[Picture]] = set()
    ready: queue.SimpleQueue[Future[Picture]] = queue.SimpleQueue()
    try:
        for future in futures:
            ahead.add(future)
            future.add_done_callback(ready.put)
            while len(ahead) >= limit or not ready.empty():
                future = ready.get()
                ahead.discard(future)
                yield _outcome(future, raises)
        while ahead:
            future = ready.get()
            ahead.discard(future)
            yield _outcome(future, raises)
    finally:
        for future in ahead:
            future.cancel()


def _outcome(future: Union[Future[Picture], asyncio.Future[Picture]], raises: bool) -> Union[Picture, OffstageError]:
    try:
        return future.result()
    except OffstageError as error:
        if raises:
            raise
        return error


async def async_pictures_of(
    futures: AsyncIterator[asyncio.Future[Picture]], limit: int, is_ordered: bool, raises: bool
) -> AsyncIterator[Union[Picture, OffstageError]]:
    """`pictures_of` for asyncio."""
    ahead: Deque[asyncio.Future[Picture]] = deque()
    try:
        async for future in futures:
            ahead.append(future)
            while _has_ready(ahead, is_ordered) or len(ahead) >= limit:
                future = await _take(ahead, is_ordered)
                yield _outcome(future, raises)
            # Otherwise, items that are available without waiting would block the event loop.
            await asyncio.sleep(0)
        while ahead:
            future = await _take(ahead, is_ordered)
            yield _outcome(future, raises)
    finally:
        for future in ahead:
            future.cancel()


def _has_ready(ahead: Deque[asyncio.Future[Picture]], is_ordered: bool) -> bool:
    return ahead[0].done() if is_ordered and ahead else any(future.done() for future in ahead)


async def _take(ahead: Deque[asyncio.Future[Picture]], is_ordered: bool) -> asyncio.Future[Picture]:
    """Removes the next future to use, once it is done."""
    await asyncio.wait([ahead[0]] if is_ordered else ahead, return_when=asyncio.FIRST_COMPLETED)
    future = next(future for future in ahead if future.done())
    ahead.remove(future)
    return future
