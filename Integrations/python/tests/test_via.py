"""Pictures that other machines draw, with a real PostgreSQL server and a real worker."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Iterator, List

import pytest

import offstage
from conftest import children, name_of, program_of, until
from machines import Cluster, worker
from offstage import AsyncOffstage, InvalidRequest, NotDrawn, Offstage, OffstageError, Request, Unavailable, Unreadable


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    cluster = Cluster()
    yield cluster
    cluster.stop()


@pytest.fixture
def database(cluster: Cluster, tmp_path: Path) -> Iterator[str]:
    """A database, and a machine that draws for it."""
    url = cluster.database()
    with worker(url, tmp_path):
        yield url


def pictures(cluster: Cluster, url: str) -> int:
    return int(cluster.query(url, "SELECT count(*) FROM offstage.picture"))


def waiting(cluster: Cluster, url: str) -> int:
    return int(cluster.query(url, "SELECT count(*) FROM offstage.job WHERE state = 'waiting'"))


def suspend(cluster: Cluster, url: str) -> None:
    """Suspends drawing on all machines."""
    cluster.query(url, "INSERT INTO offstage.suspension VALUES ('test', NULL, now() + interval '1 hour')")


def rows(count: int) -> Iterator[Request]:
    for number in range(count):
        yield Request(f"<p>Row {number}", id=f"row/{number}", width=100 + number)


def test_the_pictures_are_those_of_this_machine(cluster: Cluster, database: str, tmp_path: Path) -> None:
    with Offstage(via=database, cache=tmp_path / "there") as there, Offstage(cache=tmp_path / "here") as here:
        theirs, ours = list(there.render_many(rows(30))), list(here.render_many(rows(30)))
        assert [picture.id for picture in theirs] == [f"row/{number}" for number in range(30)]
        assert [picture.data for picture in theirs] == [picture.data for picture in ours]
        assert not any(picture.kept for picture in theirs)
        assert (there.stats().drawn, here.stats().drawn) == (0, 30)
        assert pictures(cluster, database) == 30
        assert all(picture.kept for picture in there.render_many(rows(30)))


def test_errors_are_those_of_this_machine(database: str) -> None:
    items = [
        Request("<p>good", id="good"),
        Request("<p>", id="wrong", width=-1),
        Request(" ", id="empty"),
        Request("<img src=missing.png>", id="incomplete", strict=True),
    ]
    told: List[object] = []
    for via in (database, None):
        outcomes = list(offstage.render_many(items, errors="return", via=via))
        errors = [outcome for outcome in outcomes if isinstance(outcome, OffstageError)]
        assert [type(error) for error in errors] == [InvalidRequest, Unreadable, NotDrawn]
        told.append([(error.id, error.message, error.warnings) for error in errors])
    assert told[0] == told[1]
    assert offstage.shared(database) is offstage.shared(database)
    assert offstage.shared(database) is not offstage.shared()
    offstage.shared(database).close()


def test_asyncio(cluster: Cluster, database: str) -> None:
    async def main() -> List[int]:
        async with AsyncOffstage(via=database, width=140) as stage:
            return [picture.width async for picture in stage.render_many(f"<p>{number}" for number in range(4))]

    assert asyncio.run(main()) == [140] * 4
    assert pictures(cluster, database) == 4


def test_without_a_machine(cluster: Cluster) -> None:
    with Offstage(via=cluster.database()) as stage:
        with pytest.raises(Unavailable, match="no machine draws for this database"):
            stage.render("<p>")
    with Offstage(via=f"host={cluster.folder} dbname=nowhere user=postgres") as stage:
        with pytest.raises(Unavailable, match="nowhere"):
            stage.render("<p>")
    with Offstage(via="not a database") as stage:
        with pytest.raises(InvalidRequest, match="not a database"):
            stage.render("<p>")
    with Offstage(via="host=a", cache=False) as stage:
        with pytest.raises(InvalidRequest, match="--via needs the cache"):
            stage.render("<p>")


def test_leaving_early_withdraws_the_rest(cluster: Cluster, database: str, tmp_path: Path) -> None:
    with Offstage(via=database, cache=tmp_path / "client") as stage:
        some = stage.render_many(rows(40))
        next(some)
        suspend(cluster, database)
        more = stage.render_many(Request(f"<p>more {number}") for number in range(40))
        futures = [stage.submit(f"<p>future {number}") for number in range(5)]
        until(lambda: waiting(cluster, database) >= 5)
        for future in futures:
            future.cancel()
        del some, more
        until(lambda: waiting(cluster, database) == 0)


@pytest.mark.parametrize("kind", [signal.SIGTERM, signal.SIGKILL])
def test_the_end_of_a_client_withdraws_what_waits(
    cluster: Cluster, database: str, tmp_path: Path, kind: signal.Signals
) -> None:
    suspend(cluster, database)
    code = "import offstage, sys\nlist(offstage.render_many((f'<p>{n}' for n in range(40)), via=sys.argv[1]))"
    client = subprocess.Popen(
        [sys.executable, "-c", code, database],
        env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path), XDG_CACHE_HOME=str(tmp_path / "client")),
    )
    until(lambda: waiting(cluster, database) == 40)
    assert "offstage" in [name_of(child) for child in children(client.pid)]
    client.send_signal(kind)
    client.wait()
    until(lambda: waiting(cluster, database) == 0)


def test_a_killed_program_is_an_error_and_the_next_one_draws(cluster: Cluster, database: str, tmp_path: Path) -> None:
    with Offstage(via=database, cache=tmp_path / "client") as stage:
        suspend(cluster, database)
        future = stage.submit("<p>one")
        until(lambda: waiting(cluster, database) == 1)
        os.kill(program_of(stage), signal.SIGKILL)
        with pytest.raises(Unavailable):
            future.result(60)
        cluster.query(database, "DELETE FROM offstage.suspension")
        assert stage.render("<p>two").id is None
