"""Shared by the integrations' tests. Each test runs the real tools on a copy of its example, and the README's commands."""

import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

# The tests ignore the configuration of the user who runs them.
os.environ["OFFSTAGE_CONFIG"] = ""


def program():
    """The path of `offstage`: from the variable OFFSTAGE, else from PATH."""
    path = shutil.which(os.environ.get("OFFSTAGE", "offstage"))
    if path is None:
        sys.exit("there is no `offstage` on the PATH, and the variable OFFSTAGE names no program; `make build` builds it")
    return Path(path).resolve()


def blocks(readme, language):
    """A README's fenced code blocks in a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", Path(readme).read_text(), re.M | re.S)


def png_size(path):
    """The width and height in device px, and the density in px per metre that the file records, or None."""
    data = Path(path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    width, height = struct.unpack(">II", data[16:24])
    at = data.find(b"pHYs")
    return width, height, struct.unpack(">I", data[at + 4 : at + 8])[0] if at > 0 else None


class IntegrationTest(unittest.TestCase):
    """A test with its own temporary folder, which contains a copy of the integration's folder, and with its own cache."""

    source: Path  # the integration's folder

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="offstage-")
        self.addCleanup(holder.cleanup)
        self.home = Path(holder.name)
        self.folder = self.home / self.source.name
        shutil.copytree(self.source, self.folder, ignore=shutil.ignore_patterns("__pycache__"))
        # A program of the same name that also records the output of the real one, one line per picture.
        self.log = self.home / "results.jsonl"
        bin = self.home / "bin"
        bin.mkdir()
        noting = bin / "offstage"
        noting.write_text(
            "#!/bin/sh\n"
            f'"{program()}" "$@" --results "{self.home}/said.$$"; code=$?\n'
            f'cat "{self.home}/said.$$" >>"{self.log}" 2>/dev/null\n'
            f'rm -f "{self.home}/said.$$"\nexit $code\n'
        )
        noting.chmod(0o755)
        self.environment = {
            "PATH": f"{bin}:/usr/bin:/bin", "HOME": str(self.home), "XDG_CACHE_HOME": str(self.home / "cache"),
            "LANG": "C.UTF-8",
        }

    def run_tool(self, *command, code=0, folder=None, environment=None):
        """Runs a command in the copy, and returns its standard output and standard error together."""
        run = subprocess.run(
            command, cwd=folder or self.folder, env={**self.environment, **(environment or {})}, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300,
        )
        self.assertEqual(run.returncode, code, run.stdout)
        return run.stdout

    def run_block(self, number, folder=None):
        """Runs one of the README's blocks of shell commands, and returns its output."""
        block = blocks(self.source / "README.md", "sh")[number]
        return self.run_tool("/bin/sh", "-e", "-c", block, folder=folder)

    def drawn(self):
        """The identifiers of the pictures drawn since the last call, without those from the cache."""
        text = self.log.read_text() if self.log.exists() else ""
        self.log.write_text("")
        results = [json.loads(line) for line in text.splitlines()]
        return [result["identifier"] for result in results if not result.get("kept")]
