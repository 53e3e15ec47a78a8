"""What was asked, the process that has it, and its new start when it ends."""

from __future__ import annotations

import itertools
import json
import threading
import time
from concurrent.futures import Future
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, TypeVar

from ._call import Call, rank_of
from ._child import Child
from ._queue import Queue
from .errors import Cancelled, OffstageError, Unavailable

Answer = TypeVar("Answer")

#: For the program to end by itself once it has answered all.
_seconds_to_end = 30.0


class Engine:
    """A queue in front of one process. From any thread.

    A thread of its own, started with the first call, writes the lines and starts the process, so that nobody else waits for
    either. What was with a process that ended fails; what still waited here goes to the next one.
    """

    def __init__(self, command: Callable[[], Sequence[str]], limit: int) -> None:
        self._command = command
        # Guards everything that follows.
        self._changed = threading.Condition(threading.Lock())
        self._numbers = itertools.count(1)
        self._queue = Queue(limit)
        self._child: Optional[Child] = None
        self._worker: Optional[threading.Thread] = None
        #: When each suspension ends by itself.
        self._leases: Dict[str, float] = {}
        self._is_closed = False
        self._is_over = False

    # What is asked

    def call(
        self, object: Dict[str, Any], answer: Callable[[Mapping[str, Any]], Answer], *, counts: bool = True
    ) -> Call[Answer]:
        """Takes a request or a command in. Returns at once.

        Raises:
            Unavailable: it is closed.
        """
        with self._changed:
            if self._is_closed:
                raise Unavailable("this Offstage is closed; make another one", id=object.get("identifier"))
            call = Call(next(self._numbers), object, answer, counts=counts)
            self._queue.add(call)
            if self._worker is None:
                self._worker = threading.Thread(target=self._work, name="offstage-write", daemon=True)
                self._worker.start()
            self._changed.notify_all()
        call.future.add_done_callback(lambda future: self._withdraw(call) if future.cancelled() else None)
        return call

    def cancel(self, is_meant: Callable[[Call[Any]], bool]) -> int:
        """Withdraws calls that have no answer yet; each fails with `Cancelled`."""
        with self._changed:
            waiting = [call for call in self._queue.calls() if is_meant(call)]
            sent = [call for call in self._sent() if is_meant(call)]
            for call in sent:
                self._order({"command": "cancel", "request": call.number}, call.child)
        for call in waiting:
            call.fail(Cancelled("withdrawn before it was drawn", id=call.id))
            self._withdraw(call)
        return len(waiting) + len(sent)

    def reprioritise(self, priority: str, is_meant: Callable[[Call[Any]], bool]) -> int:
        with self._changed:
            waiting = [call for call in self._queue.calls() if is_meant(call)]
            for call in waiting:
                call.object["priority"] = priority
                call.rank = rank_of(priority)
            self._queue.sort()
            sent = [call for call in self._sent() if is_meant(call)]
            for call in sent:
                self._order({"command": "reprioritise", "priority": priority, "request": call.number}, call.child)
        return len(waiting) + len(sent)

    def keep_suspended(self, name: str, seconds: Optional[float]) -> None:
        """Remembers a suspension for a new start of the program; None for one that is over."""
        with self._changed:
            if seconds is None:
                self._leases.pop(name, None)
            else:
                self._leases[name] = time.monotonic() + seconds

    def order(self, object: Dict[str, Any], done: Future[None]) -> None:
        """Has the process that runs do what no other has to; done when it is, whatever came of it."""
        with self._changed:
            call = self._order(object, self._child)
        if call is None:
            done.set_result(None)
        else:
            call.future.add_done_callback(lambda future: done.set_result(None))

    # The end

    def close(self) -> None:
        """Waits until all is answered, and for the program's end. Once more does no harm."""
        with self._changed:
            self._is_closed = True
            for name in self._leases:
                self._order({"command": "resume", "name": name}, self._child)
            self._leases.clear()
        try:
            with self._changed:
                self._changed.wait_for(lambda: not self._queue.calls() and not self._sent())
                child = self._child
            if child is not None:
                child.close_input()
                child.wait(_seconds_to_end)
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Ends the program now; what has no answer fails with `Cancelled`."""
        with self._changed:
            self._is_closed = self._is_over = True
            calls, child = self._queue.calls() + self._sent(), self._child
            self._changed.notify_all()
        for call in calls:
            call.fail(Cancelled("its Offstage was closed", id=call.id))
        if child is not None:
            child.stop()

    def forget(self) -> None:
        """In a forked child, which has none of the threads: the process is the parent's. Takes no lock, nobody could let go of it."""
        if self._child is not None:
            self._child.forget()
            self._child = None
        self._changed = threading.Condition(threading.Lock())
        self._is_closed = self._is_over = True
        self._queue = Queue(1)

    # Under the lock

    def _sent(self) -> List[Call[Any]]:
        calls = [] if self._child is None else self._child.calls.values()
        return [call for call in calls if not call.future.done()]

    def _order(self, object: Dict[str, Any], child: Optional[Child]) -> Optional[Call[None]]:
        """A command for this process alone."""
        if child is None:
            return None
        call: Call[None] = Call(next(self._numbers), object, lambda result: None, counts=False)
        call.child = child
        self._queue.add(call)
        self._changed.notify_all()
        return call

    # Threads

    def _withdraw(self, call: Call[Any]) -> None:
        """Nobody waits for it any more."""
        with self._changed:
            if call.child is None:
                call.object = {}  # It keeps no document until its turn comes.
            elif not self._is_over:
                self._order({"command": "cancel", "request": call.number}, call.child)
            self._changed.notify_all()

    def _work(self) -> None:
        while not self._is_over:
            with self._changed:
                call, late = self._queue.next(), self._queue.late(time.monotonic())
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
                except Exception as error:  # noqa: BLE001 - whoever waits has to know
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
                return self._end(call, Cancelled("nobody waits for it any more", id=call.id))
            if child is not None:
                return child.write(line)
            self._start()

    def _register(self, call: Call[Any], child: Child) -> None:
        child.lines += 1
        child.calls[child.lines] = call
        call.child = child

    def _start(self) -> None:
        child = Child(self._command(), self._take_line, self._take_end)
        lines = []
        with self._changed:
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
            # It is not our program. What it has fails with its end.
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
            call.object = {}
            self._changed.notify_all()
