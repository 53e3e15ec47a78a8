"""Accepts requests and commands on any thread."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future
from typing import Any, Callable, Dict, List, Mapping, Optional, TypeVar

from ._call import Call, rank_of
from ._feeder import Feeder
from ._queue import Queue
from .errors import Cancelled, Unavailable

Answer = TypeVar("Answer")

#: The time that the program has to end by itself, once it has answered everything.
_seconds_to_end = 30.0


class Engine(Feeder):
    """Accepts, reorders and cancels calls, and ends the program."""

    # Requests

    def call(
        self, object: Dict[str, Any], answer: Callable[[Mapping[str, Any]], Answer], *, counts: bool = True
    ) -> Call[Answer]:
        """Accepts a request or a command. Returns immediately.

        Raises:
            Unavailable: this object is closed.
        """
        with self._changed:
            if self._is_closed:
                raise Unavailable("this Offstage is closed; make another one", id=object.get("identifier"))
            call = Call(next(self._numbers), object, answer, counts=counts)
            self._queue.add(call)
            self._open += 1
            if self._worker is None:
                self._worker = threading.Thread(target=self._work, name="offstage-write", daemon=True)
                self._worker.start()
            self._changed.notify_all()
        call.future.add_done_callback(lambda future: self._count(call))
        return call

    def cancel(self, is_meant: Callable[[Call[Any]], bool]) -> int:
        """Cancels unanswered calls, which fail with `Cancelled`."""
        with self._changed:
            waiting = [call for call in self._waiting() if is_meant(call)]
            sent = [call for call in self._sent() if is_meant(call)]
            for call in sent:
                self._order({"command": "cancel", "request": call.number}, call.child)
        for call in waiting:
            call.fail(Cancelled("withdrawn before it was drawn", id=call.id))
            self._withdraw(call)
        return len(waiting) + len(sent)

    def reprioritise(self, priority: str, is_meant: Callable[[Call[Any]], bool]) -> int:
        with self._changed:
            waiting = [call for call in self._waiting() if is_meant(call)]
            for call in waiting:
                call.object["priority"] = priority
                call.rank = rank_of(priority)
            self._queue.sort()
            sent = [call for call in self._sent() if is_meant(call)]
            for call in sent:
                self._order({"command": "reprioritise", "priority": priority, "request": call.number}, call.child)
        return len(waiting) + len(sent)

    def keep_suspended(self, name: str, seconds: Optional[float]) -> None:
        """Records a suspension, so that a restarted program gets it, too. None removes it."""
        with self._changed:
            if seconds is None:
                self._leases.pop(name, None)
            else:
                self._leases[name] = time.monotonic() + seconds

    def order(self, object: Dict[str, Any], done: Future[None]) -> None:
        """Sends a command to the running process only. `done` is set after the answer, even if the command failed."""
        with self._changed:
            call = self._order(object, self._child)
        if call is None:
            done.set_result(None)
        else:
            call.future.add_done_callback(lambda future: done.set_result(None))

    # The end

    def close(self) -> None:
        """Waits for all answers and for the end of the program. You can call this more than once."""
        with self._changed:
            self._is_closed = True
            for name in self._leases:
                self._order({"command": "resume", "name": name}, self._child)
            self._leases.clear()
        try:
            with self._changed:
                self._changed.wait_for(lambda: self._open == 0)
                child = self._child
            if child is not None:
                child.close_input()
                child.wait(_seconds_to_end)
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Ends the program now. Unanswered calls fail with `Cancelled`."""
        with self._changed:
            self._is_closed = self._is_over = True
            calls, child = self._waiting() + self._sent(), self._child
            self._changed.notify_all()
        for call in calls:
            call.fail(Cancelled("the Offstage object was closed", id=call.id))
        if child is not None:
            child.stop()

    def forget(self) -> None:
        """Resets a forked child, which has none of the threads. The process belongs to the parent.

        Takes no lock, because the thread that held it does not exist here.
        """
        if self._child is not None:
            self._child.forget()
            self._child = None
        self._changed = threading.Condition()
        self._is_closed = self._is_over = True
        self._queue, self._in_hand = Queue(1), None

    # Calls, under the lock

    def _waiting(self) -> List[Call[Any]]:
        in_hand = [] if self._in_hand is None or self._in_hand.future.done() else [self._in_hand]
        return in_hand + self._queue.calls()

    def _sent(self) -> List[Call[Any]]:
        calls = [] if self._child is None else self._child.calls.values()
        return [call for call in calls if not call.future.done()]

    def _count(self, call: Call[Any]) -> None:
        """Counts a call whose future is done."""
        with self._changed:
            self._open -= 1
            self._changed.notify_all()
        if call.future.cancelled():
            self._withdraw(call)
