"""What waits for the program."""

from __future__ import annotations

import heapq
from collections import deque
from typing import Any, Deque, List, Optional, Tuple

from ._call import Call


class Queue:
    """Calls by priority, then in their order; no more than `limit` of them are out at once. Immediate ones and commands pass.

    Whoever uses it holds the engine's lock.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._out = 0
        self._urgent: Deque[Call[Any]] = deque()
        self._waiting: List[Tuple[Any, Call[Any]]] = []
        #: Of what waits, and of some that wait no more.
        self._ends: List[Tuple[float, int, Call[Any]]] = []

    def add(self, call: Call[Any]) -> None:
        if call.counts:
            heapq.heappush(self._waiting, (call.order, call))
        else:
            self._urgent.append(call)
        if call.end is not None:
            heapq.heappush(self._ends, (call.end, call.number, call))

    def late(self, now: float) -> List[Call[Any]]:
        """Those that wait and whose deadline is over; each is told once."""
        late = []
        while self._ends and (self._ends[0][0] <= now or not self._waits(self._ends[0][2])):
            call = heapq.heappop(self._ends)[2]
            if self._waits(call):
                late.append(call)
        return late

    @property
    def next_end(self) -> Optional[float]:
        """When `late` has something to tell, after it was asked."""
        return self._ends[0][0] if self._ends else None

    def _waits(self, call: Call[Any]) -> bool:
        return call.child is None and not call.future.done()

    def next(self) -> Optional[Call[Any]]:
        """Takes the next one out, if there is room for it. `end` is owed for it."""
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
        """One that was taken out has its answer."""
        if call.counts:
            self._out -= 1

    def sort(self) -> None:
        """After ranks have changed."""
        self._waiting = [(call.order, call) for _, call in self._waiting]
        heapq.heapify(self._waiting)

    def calls(self) -> List[Call[Any]]:
        """Those that somebody waits for."""
        everything = [*self._urgent, *(call for _, call in self._waiting)]
        return [call for call in everything if not call.future.done()]
