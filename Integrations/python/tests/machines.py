"""PostgreSQL in a temporary folder, and machines that draw for its databases."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator, List

from conftest import until

# The newest version that is installed.
_PROGRAMS = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))


class Cluster:
    """A PostgreSQL server at a Unix socket. It refuses to run as root, so root runs it as the user ``postgres``."""

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="offstage-pg-")
        self._count = 0
        if os.getuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        data = f"{self.folder}/data"
        self._run("initdb", "-D", data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync")
        options = f"-k {self.folder} -c listen_addresses='' -c fsync=off"
        self._run("pg_ctl", "-D", data, "-w", "-l", f"{self.folder}/log", "-o", options, "start")

    def database(self) -> str:
        """Creates a database with Offstage's tables, and returns its connection string."""
        self._count += 1
        self._run("createdb", "-h", self.folder, "-U", "postgres", f"test{self._count}")
        url = f"host={self.folder} user=postgres dbname=test{self._count}"
        subprocess.run([program(), "shared", "init", url], check=True, capture_output=True)
        return url

    def query(self, url: str, statement: str) -> str:
        query = subprocess.run(
            ["psql", "-XAtq", "-c", statement, url], check=True, capture_output=True, text=True, cwd="/"
        )
        return query.stdout.strip()

    def stop(self) -> None:
        self._run("pg_ctl", "-D", f"{self.folder}/data", "-m", "immediate", "stop")
        shutil.rmtree(self.folder)

    def _run(self, name: str, *arguments: str) -> None:
        command: List[str] = [str(_PROGRAMS / name), *arguments]
        if os.getuid() == 0:
            command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")


def program() -> str:
    return os.environ.get("OFFSTAGE") or "offstage"


@contextmanager
def worker(url: str, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Runs a worker for a database, with its own cache."""
    log = folder / "worker.log"
    with open(log, "wb") as errors:
        command = [program(), "work", "--shared", url, "--jobs=1", f"--cache={folder / 'cache-of-the-worker'}"]
        process = subprocess.Popen(command, stderr=errors)
    try:
        until(lambda: process.poll() is not None or b"working for class" in log.read_bytes())
        assert process.poll() is None, log.read_text()
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()
