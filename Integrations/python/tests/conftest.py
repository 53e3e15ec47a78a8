"""Fixtures and functions for all tests. They use the real program, found like a user's, and a separate cache."""

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
    """Gives the tests an empty cache: not the user's, and not that of an earlier run."""
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
    """An `Offstage` that many tests can share, because starting the program takes most of their time."""
    with Offstage(width=200) as offstage:
        yield offstage


@pytest.fixture
def fresh() -> Iterator[Callable[..., Offstage]]:
    """Makes `Offstage` objects without a cache, and ends them after the test."""
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
    """The width and height in a PNG file's header."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", data[16:24])  # type: ignore[return-value]


def assert_is_png(picture: Picture) -> None:
    assert png_size(picture.data) == (picture.width, picture.height)
    assert picture.format == "png"


def until(condition: Callable[[], bool], seconds: float = 20) -> None:
    """Waits until another process has made a condition true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "the condition did not become true in time"
        time.sleep(0.005)


def children(pid: int) -> List[int]:
    """The processes that a process has started and that still exist, including zombies."""
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
    """The number of the process that runs `offstage pipe`."""
    offstage.stats()
    child = offstage._engine._child
    assert child is not None
    return child.process.pid
