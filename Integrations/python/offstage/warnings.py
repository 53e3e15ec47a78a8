"""What a picture lacks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Optional


@dataclass(frozen=True)
class DrawingWarning:
    """Something that a picture lacks, or that a page's script said.

    Attributes:
        code: such as ``resource-missing``; the program's README lists them.
        subject: what is missing, such as a file's name. The page's own words.
        message: for people.
        reason: more of why; None where there is no more.
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
