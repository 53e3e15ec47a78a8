"""Passes lines to and from the process, and restarts it."""

from __future__ import annotations

import itertools
import json
import threading
import time
from typing import Any, Callable, Dict, Optional, Sequence

from ._call import Call
from ._child import Child
from ._queue import Queue
from .errors import Cancelled, OffstageError


class Feeder:
    """A queue in front of one process.

    Its thread, which starts with the first call, starts the process and writes the lines, so that no caller waits for either. If
    the process ends, its calls fail; the calls that wait here are for the next process.
    """

    def __init__(self, command: Callable[[], Sequence[str]], limit: int) -> None:
        self._command = command
        # Guards all attributes below. Reentrant, because the garbage collector can close an `Offstage` at any point.
        self._changed = threading.Condition()
        self._numbers = itertools.count(1)
        self._queue = Queue(limit)
        #: The call that has left the queue, and that no process has received yet.
        self._in_hand: Optional[Call[Any]] = None
        #: Calls whose futures are not done.
        self._open = 0
        self._child: Optional[Child] = None
        self._worker: Optional[threading.Thread] = None
        #: The time at which each suspension ends by itself.
        self._leases: Dict[str, float] = {}
        self._is_closed = False
        self._is_over = False

    # Under the lock

    def _order(self, object: Dict[str, Any], child: Optional[Child]) -> Optional[Call[None]]:
        """A command for this process only."""
        if child is None:
            return None
        call: Call[None] = Call(next(self._numbers), object, lambda result: None, counts=False)
        call.child = child
        self._queue.add(call)
        self._changed.notify_all()
        return call

    # Threads

    def _withdraw(self, call: Call[Any]) -> None:
        """Cancels a call whose future was cancelled."""
        with self._changed:
            if call.child is None:
                call.object = {}  # Frees the document.
            elif not self._is_over:
                self._order({"command": "cancel", "request": call.number}, call.child)
            self._changed.notify_all()

    def _work(self) -> None:
        while not self._is_over:
            with self._changed:
                call, late = self._queue.next(), self._queue.late(time.monotonic())
                self._in_hand = call
                if call is None and not late and not self._is_over:
                    end = self._queue.next_end
                    self._changed.wait(None if end is None else max(0.0, end - time.monotonic()))
            for one in late:
                one.fail(one.lateness())
                self._withdraw(one)
            if call is not None:
                try:
                    self._send(call)
                except OffstageError as error:
                    self._end(call, type(error)(error.message, id=call.id))
                except Exception as error:  # noqa: BLE001 - the caller has to get it
                    self._end(call, error)

    def _send(self, call: Call[Any]) -> None:
        line = call.line()
        while True:
            with self._changed:
                child = self._child
                is_wanted = not call.future.done() and not self._is_over and call.child in (None, child)
                if is_wanted and child is not None:
                    self._register(call, child)
            if not is_wanted:
                return self._end(call, Cancelled("its caller has left", id=call.id))
            if child is not None:
                return child.write(line)
            self._start()

    def _register(self, call: Call[Any], child: Child) -> None:
        child.lines += 1
        child.calls[child.lines] = call
        call.child = child
        if self._in_hand is call:
            self._in_hand = None

    def _start(self) -> None:
        """Starts the program.

        Raises:
            OffstageError: the program cannot be started, or has ended already.
        """
        child = Child(self._command(), self._take_line, self._take_end)
        lines = []
        with self._changed:
            if child.has_ended:
                raise child.failure(None)
            is_over = self._is_over
            self._child = None if is_over else child
            now = time.monotonic()
            for name, end in self._leases.items():
                if end > now:
                    object = {"command": "suspend", "name": name, "seconds": end - now}
                    call = Call(next(self._numbers), object, lambda result: None, counts=False)
                    self._register(call, child)
                    lines.append(call.line())
        for line in lines:
            child.write(line)
        if is_over:
            child.stop()

    def _take_line(self, child: Child, line: bytes) -> None:
        try:
            result = json.loads(line)
            number = result["line"]
        except (ValueError, KeyError, TypeError):
            # The program is not Offstage. The calls fail when it ends.
            return child.process.kill()
        with self._changed:
            call = child.calls.pop(number, None)
        if call is not None:
            call.finish(result)
            self._end(call)

    def _take_end(self, child: Child) -> None:
        with self._changed:
            child.has_ended = True
            calls = list(child.calls.values())
            child.calls.clear()
            if self._child is child:
                self._child = None
        for call in calls:
            self._end(call, child.failure(call.id))

    def _end(self, call: Call[Any], error: Optional[Exception] = None) -> None:
        if error is not None:
            call.fail(error)
        with self._changed:
            self._queue.end(call)
            if self._in_hand is call:
                self._in_hand = None
            call.object = {}
            self._changed.notify_all()
