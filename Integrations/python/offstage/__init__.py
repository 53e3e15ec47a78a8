"""Pictures of HTML, images, PDF pages, sounds and ink, rendered off screen by the program ``offstage``.

    import offstage

    offstage.render("<h1>Hello</h1>", width=320, scale=2).save("hello.png")
"""

from ._shared import annotate, pages, render, render_each, render_file, render_many, shared
from .aio import AsyncOffstage, AsyncSuspension
from .client import Item, Offstage
from .document import Document
from .errors import (
    Cancelled,
    InvalidRequest,
    Late,
    MemoryFull,
    NotAllowed,
    NotDrawn,
    OffstageError,
    PasswordRequired,
    PasswordWrong,
    QueueFull,
    Unavailable,
    Unreadable,
)
from .options import Options, Priority, Request
from .picture import Area, Picture
from .statistics import Statistics
from .suspension import Suspension
from .warnings import DrawingWarning

__all__ = [
    "Area",
    "AsyncOffstage",
    "AsyncSuspension",
    "Cancelled",
    "Document",
    "DrawingWarning",
    "InvalidRequest",
    "Item",
    "Late",
    "MemoryFull",
    "NotAllowed",
    "NotDrawn",
    "Offstage",
    "OffstageError",
    "Options",
    "PasswordRequired",
    "PasswordWrong",
    "Picture",
    "Priority",
    "QueueFull",
    "Request",
    "Statistics",
    "Suspension",
    "Unavailable",
    "Unreadable",
    "annotate",
    "pages",
    "render",
    "render_each",
    "render_file",
    "render_many",
    "shared",
]
