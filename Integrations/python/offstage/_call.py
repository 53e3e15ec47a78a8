"""A request or a command, from its call to its answer."""

from __future__ import annotations

import json
import time
from concurrent.futures import Future, InvalidStateError
from typing import TYPE_CHECKING, Any, Callable, Dict, Generic, Mapping, Optional, TypeVar

from .errors import InvalidRequest, Late, error_of_result
from .options import PRIORITIES

if TYPE_CHECKING:
    from ._child import Child

Answer = TypeVar("Answer")


class Call(Generic[Answer]):
    """A request or a command.

    The engine's lock guards `child`, `rank` and `object`. Any thread may use the future.
    """

    def __init__(
        self, number: int, object: Dict[str, Any], answer: Callable[[Mapping[str, Any]], Answer], *, counts: bool = True
    ) -> None:
        self.number = number
        self.object = object
        self.id: Optional[str] = object.get("identifier")
        self.group: Optional[str] = object.get("group")
        self.future: Future[Answer] = Future()
        #: The process that has received the call; None while the call waits here.
        self.child: Optional[Child] = None
        #: False for immediate requests and commands, which overtake all waiting calls.
        self.counts = counts and not object.get("immediate", False)
        self.rank = rank_of(object.get("priority"), default="low" if object.get("command") == "prefetch" else "normal")
        self._answer = answer
        #: The time of the call's deadline, on the monotonic clock.
        self.end: Optional[float] = None
        self._seconds = object.get("deadline")
        if isinstance(self._seconds, (int, float)) and self._seconds > 0:
            self.end = time.monotonic() + self._seconds

    @property
    def order(self) -> Any:
        return -self.rank, self.number

    def line(self) -> bytes:
        """The line to write to the program.

        Raises:
            Late: the deadline passed while the call waited.
            InvalidRequest: the request cannot be written as JSON.
        """
        object = dict(self.object, id=self.number)
        if self.end is not None:
            # The program counts from the time at which it reads the line.
            object["deadline"] = self.end - time.monotonic()
            if object["deadline"] <= 0:
                raise self.lateness()
        try:
            return json.dumps(object, ensure_ascii=False, allow_nan=False).encode("utf-8") + b"\n"
        except UnicodeEncodeError:
            raise InvalidRequest(
                "the text has half a surrogate pair, which UTF-8 cannot encode; read the document with its own encoding",
                id=self.id,
            ) from None
        except ValueError as error:
            raise InvalidRequest(str(error), id=self.id) from None

    def finish(self, result: Mapping[str, Any]) -> None:
        """Passes the program's result to the future."""
        if self.future.done():
            return
        if result.get("status") == "failed":
            error = error_of_result(result, self.id)
            # The program was asked to cancel the remaining requests.
            return self.fail(self.lateness() if isinstance(error, Late) else error)
        try:
            answer = self._answer(result)
        except Exception as error:  # noqa: BLE001 - the caller has to get it
            return self.fail(error)
        try:
            self.future.set_result(answer)
        except InvalidStateError:
            pass  # Cancelled meanwhile.

    def lateness(self) -> Late:
        return Late(f"not drawn within its deadline of {self._seconds:g} s; raise it", id=self.id)

    def fail(self, error: Exception) -> None:
        try:
            self.future.set_exception(error)
        except InvalidStateError:
            pass


def rank_of(priority: Any, default: str = "normal") -> int:
    """The index of a priority. The program rejects an unknown one."""
    return PRIORITIES.index(priority if priority in PRIORITIES else default)
