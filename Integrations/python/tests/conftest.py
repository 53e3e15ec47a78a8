"""What all tests need: the real program, found as a user's is, and a cache of their own."""

from __future__ import annotations

import os
import struct
import time
from pathlib import Path
from typing import Callable, Iterator, List, Tuple

import pytest

from offstage import Offstage, Picture


@pytest.fixture(scope="session", autouse=True)
def cache_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """No test sees the user's cache, nor what an earlier run has kept."""
    folder = tmp_path_factory.mktemp("cache")
    old = os.environ.get("XDG_CACHE_HOME")
    os.environ["XDG_CACHE_HOME"] = str(folder)
    yield folder
    if old is None:
        del os.environ["XDG_CACHE_HOME"]
    else:
        os.environ["XDG_CACHE_HOME"] = old


@pytest.fixture(scope="session")
def shared_offstage() -> Iterator[Offstage]:
    """One for the tests that do not care which: the program's start is most of what they take."""
    with Offstage(width=200) as offstage:
        yield offstage


@pytest.fixture
def fresh() -> Iterator[Callable[..., Offstage]]:
    """Makes ones that keep nothing, and ends them."""
    made: List[Offstage] = []

    def make(**arguments: object) -> Offstage:
        arguments.setdefault("cache", False)
        arguments.setdefault("width", 200)
        made.append(Offstage(**arguments))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for offstage in made:
        offstage._engine.abandon()


def png_size(data: bytes) -> Tuple[int, int]:
    """As another program reads it."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", data[16:24])  # type: ignore[return-value]


def assert_is_png(picture: Picture) -> None:
    assert png_size(picture.data) == (picture.width, picture.height)
    assert picture.format == "png"


def until(condition: Callable[[], bool], seconds: float = 20) -> None:
    """Waits for something that another process does."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.005)


def children(pid: int) -> List[int]:
    """Processes that this one has started and that are not gone, zombies too."""
    found: List[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
                found += [int(child) for child in file.read().split()]
    except (FileNotFoundError, ProcessLookupError):
        pass
    return found


def descendants(pid: int) -> List[int]:
    below = children(pid)
    return below + [one for child in below for one in descendants(child)]


def name_of(pid: int) -> str:
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
            return file.read().strip()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def program_of(offstage: Offstage) -> int:
    """The process that draws."""
    offstage.stats()
    child = offstage._engine._child
    assert child is not None
    return child.process.pid
