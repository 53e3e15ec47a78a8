"""Warnings about pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Optional


@dataclass(frozen=True)
class DrawingWarning:
    """Something that a picture lacks, or a message of a page's script.

    Attributes:
        code: a code such as ``resource-missing``. Offstage's guide lists all codes.
        subject: the missing thing, such as a file's name. Untrusted, because it is the page's own text.
        message: the warning in words.
        reason: more about the cause, or None.
    """

    code: str
    subject: str
    message: str
    reason: Optional[str] = None

    def __str__(self) -> str:
        return self.message

    @classmethod
    def of_result(cls, object: Mapping[str, Any]) -> DrawingWarning:
        return cls(
            code=str(object.get("code", "")),
            subject=str(object.get("subject", "")),
            message=str(object.get("message", "")),
            reason=object.get("reason"),
        )
