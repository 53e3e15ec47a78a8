"""PDF documents with saved annotations."""

from __future__ import annotations

import base64
import json
import os
import tempfile
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path as File
from typing import Any, Callable, Dict, Literal, Mapping, Optional, Sequence, Tuple, Union

from .options import Path
from .picture import write_whole

#: What `annotate` takes: the path of a file, .json or .xfdf, or the content of one.
Annotations = Union[Path, Mapping[str, Any]]
#: Identifiers of a document's own annotations, or all of them.
Removal = Union[Literal["all"], Sequence[str]]


@dataclass(frozen=True)
class Document:
    """A PDF document in which annotations were saved."""

    data: bytes = field(repr=False)
    #: The kinds of annotations that were not read or not written.
    left_out: Tuple[str, ...] = ()

    @classmethod
    def of_result(cls, result: Mapping[str, Any]) -> Document:
        return cls(base64.b64decode(result["data"]), tuple(result.get("leftOut", ())))

    def save(self, path: Path) -> bool:
        """Writes the document to a file atomically. Does nothing if the file already has the same bytes.

        Returns:
            True if the file was written.

        Raises:
            OSError: the file cannot be written.
        """
        return write_whole(self.data, File(path))


def annotation_command(
    document: Path,
    annotations: Optional[Annotations],
    remove: Optional[Removal],
    force: bool,
    password_file: Optional[Path],
) -> Tuple[Dict[str, Any], Callable[[Future[Document]], None]]:
    """The command for the program, and a function to call after its answer."""
    document = os.path.abspath(os.fspath(document))
    object: Dict[str, Any] = {"command": "annotate", "file": document, "inline": True}
    finish: Callable[[Future[Document]], None] = lambda future: None
    if annotations is None and remove is None:
        annotations = document + ".annotations.json"
    if isinstance(annotations, Mapping):
        # Pass them through a file, because a line can have only a limited number of values, and a page of ink can exceed it.
        descriptor, path = tempfile.mkstemp(prefix="offstage-", suffix=".json")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump(annotations, file, allow_nan=False)
        except BaseException:
            os.unlink(path)
            raise
        object["annotations"] = path
        finish = lambda future: os.unlink(path)  # noqa: E731
    elif annotations is not None:
        object["annotations"] = os.path.abspath(os.fspath(annotations))
    if remove is not None:
        object["remove"] = remove if isinstance(remove, str) else list(remove)
    if force:
        object["force"] = True
    if password_file is not None:
        object["password-file"] = os.path.abspath(os.fspath(password_file))
    return object, finish


def check_output(document: Path, annotations: Optional[Annotations], output: Optional[Path]) -> None:
    """Raises an error if the output would replace an input."""
    inputs = [document] if annotations is None or isinstance(annotations, Mapping) else [document, annotations]
    for path in inputs:
        if output is not None and os.path.exists(output) and os.path.exists(path) and os.path.samefile(path, output):
            raise ValueError(f"{os.fspath(output)} is an input, and was not changed; choose another output")
