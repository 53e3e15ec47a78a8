"""The calls that wait for the program."""

from __future__ import annotations

import heapq
from collections import deque
from typing import Any, Deque, List, Optional, Tuple

from ._call import Call


class Queue:
    """Calls by priority, then in order. The program has at most `limit` of them, not counting immediate requests and commands.

    Hold the engine's lock to use it.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._out = 0
        self._urgent: Deque[Call[Any]] = deque()
        self._waiting: List[Tuple[Any, Call[Any]]] = []
        #: The deadlines of waiting calls, and of some that no longer wait.
        self._ends: List[Tuple[float, int, Call[Any]]] = []

    def add(self, call: Call[Any]) -> None:
        if call.counts:
            heapq.heappush(self._waiting, (call.order, call))
        else:
            self._urgent.append(call)
        if call.end is not None:
            heapq.heappush(self._ends, (call.end, call.number, call))

    def late(self, now: float) -> List[Call[Any]]:
        """Removes the waiting calls whose deadline has passed, and returns them. Returns each call only once."""
        late = []
        while self._ends and (self._ends[0][0] <= now or not self._waits(self._ends[0][2])):
            call = heapq.heappop(self._ends)[2]
            if self._waits(call):
                late.append(call)
        return late

    @property
    def next_end(self) -> Optional[float]:
        """The time of the next deadline. Call `late` first."""
        return self._ends[0][0] if self._ends else None

    def _waits(self, call: Call[Any]) -> bool:
        return call.child is None and not call.future.done()

    def next(self) -> Optional[Call[Any]]:
        """Removes the next call, if the limit allows one more. Call `end` once it is answered."""
        while self._urgent:
            call = self._urgent.popleft()
            if not call.future.done():
                return call
        while self._waiting and self._out < self._limit:
            call = heapq.heappop(self._waiting)[1]
            if not call.future.done():
                self._out += 1
                return call
        return None

    def end(self, call: Call[Any]) -> None:
        """Call this when a removed call has its answer."""
        if call.counts:
            self._out -= 1

    def sort(self) -> None:
        """Sorts the queue again, after a change of ranks."""
        self._waiting = [(call.order, call) for _, call in self._waiting]
        heapq.heapify(self._waiting)

    def calls(self) -> List[Call[Any]]:
        """The calls that are not cancelled."""
        everything = [*self._urgent, *(call for _, call in self._waiting)]
        return [call for call in everything if not call.future.done()]
