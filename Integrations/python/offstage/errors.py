"""Exceptions with the fields of the program's result."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional, Sequence, Tuple, Type

from .warnings import DrawingWarning


class OffstageError(Exception):
    """No picture could be made. The message has the cause and a remedy, and never a document's content.

    Attributes:
        code: the program's code for the error, such as ``not-drawn``.
        message: the cause, without the identifier.
        id: the request's id, or None.
        warnings: the warnings that ``strict`` turned into this error.
    """

    code = "failed"

    def __init__(
        self,
        message: str,
        *,
        id: Optional[str] = None,
        warnings: Sequence[DrawingWarning] = (),
        code: Optional[str] = None,
    ) -> None:
        super().__init__(message if id is None else f"{id}: {message}")
        self.message = message
        self.id = id
        self.warnings: Tuple[DrawingWarning, ...] = tuple(warnings)
        if code is not None:
            self.code = code

    def __reduce__(self) -> Tuple[Any, ...]:
        return _rebuild, (type(self), self.message, self.id, self.warnings, self.code)


def _rebuild(
    kind: Type[OffstageError], message: str, id: Optional[str], warnings: Sequence[DrawingWarning], code: str
) -> OffstageError:
    return kind(message, id=id, warnings=warnings, code=code)


class InvalidRequest(OffstageError):
    """An option or its value is wrong. Repeating the request does not help."""

    code = "invalid"


class Unreadable(OffstageError):
    """The document's file cannot be read."""

    code = "unreadable"


class NotDrawn(OffstageError):
    """The document could not be drawn, or the picture lacks something and ``strict`` is set."""

    code = "not-drawn"


class PasswordRequired(NotDrawn):
    """The document is encrypted, and the request has no password."""

    code = "password-required"


class PasswordWrong(NotDrawn):
    """The request's password does not open the document."""

    code = "password-wrong"


class Cancelled(OffstageError):
    """`cancel` cancelled the request, or an exception left the ``with`` block of its `Offstage`."""

    code = "cancelled"


class Late(OffstageError):
    """The picture was not finished before its deadline."""

    code = "late"


class QueueFull(OffstageError):
    """Too many requests are waiting."""

    code = "queue-full"


class MemoryFull(OffstageError):
    """The client's share of memory is used up by its other requests and unread results."""

    code = "memory-full"


class NotAllowed(OffstageError):
    """The client has no right to make this request."""

    code = "not-allowed"


class Unavailable(OffstageError):
    """The program is not installed, lacks something on this machine, or ended before it answered this request.

    The next request starts the program again.
    """

    code = "unavailable"


_kinds: Dict[str, Type[OffstageError]] = {
    kind.code: kind
    for kind in (
        InvalidRequest,
        Unreadable,
        NotDrawn,
        PasswordRequired,
        PasswordWrong,
        Cancelled,
        Late,
        QueueFull,
        MemoryFull,
        NotAllowed,
        Unavailable,
    )
}


def error_of_result(result: Mapping[str, Any], id: Optional[str]) -> OffstageError:
    """The exception for a result with the status ``failed``."""
    code = str(result.get("code", OffstageError.code))
    message = str(result.get("error", "there is no picture"))
    # The program's message starts with the request's line and id. The caller does not know the line, and the error's `id` has
    # the id, so remove both.
    line = f"line {result.get('line')}"
    named = f'{line} "{id}"'
    place = named if message.startswith(named) else line
    if message.startswith(f"{place}: "):
        message = message[len(place) + 2 :]
    warnings = [DrawingWarning.of_result(warning) for warning in result.get("warnings", ())]
    return _kinds.get(code, OffstageError)(message, id=id, warnings=warnings, code=code)
