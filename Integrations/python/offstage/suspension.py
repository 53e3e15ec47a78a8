"""Suspensions of the queue."""

from __future__ import annotations

import itertools
import os
from concurrent.futures import Future
from typing import Optional

from ._engine import Engine

_names = itertools.count(1)


class Suspension:
    """A suspension that `Offstage.suspend` began."""

    def __init__(self, engine: Engine, seconds: float) -> None:
        self._engine = engine
        self._name = f"python {os.getpid()} {next(_names)}"
        self._ended: Optional[Future[None]] = None
        engine.keep_suspended(self._name, seconds)
        object = {"command": "suspend", "name": self._name, "seconds": seconds}
        self.begun: Future[None] = engine.call(object, lambda result: None, counts=False).future
        self.begun.add_done_callback(self._forget_if_refused)

    def _forget_if_refused(self, begun: Future[None]) -> None:
        if begun.cancelled() or begun.exception() is not None:
            self._engine.keep_suspended(self._name, None)

    def end(self) -> Future[None]:
        """Ends the suspension. The future is done when drawing may continue. You can call this more than once."""
        if self._ended is None:
            self._ended = Future()
            self._engine.keep_suspended(self._name, None)
            self._engine.order({"command": "resume", "name": self._name}, self._ended)
        return self._ended

    def resume(self) -> None:
        """Ends this suspension. Drawing continues once no other suspension is left."""
        self.end().result()

    def __enter__(self) -> Suspension:
        return self

    def __exit__(self, *exception: object) -> None:
        self.resume()
