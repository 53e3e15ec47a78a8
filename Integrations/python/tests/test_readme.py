"""Runs the README's code unchanged."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import List

from conftest import png_size

FOLDER = Path(__file__).parent.parent
README = (FOLDER / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> List[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def run(code: str, folder: Path) -> str:
    script = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        capture_output=True,
        text=True,
        env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)),
    )
    assert (script.returncode, script.stderr) == (0, "")
    return script.stdout


def test_there_is_no_other_code() -> None:
    assert (len(blocks("python")), len(blocks("sh")), len(blocks("rst")), len(blocks("make"))) == (5, 1, 1, 1)
    assert README.count("\n```\n") == 8


def test_a_picture(tmp_path: Path) -> None:
    assert re.fullmatch(r"640 \d+ False\n", run(blocks("python")[0], tmp_path))
    assert run(blocks("python")[0], tmp_path).endswith(" True\n"), "it is kept"
    assert png_size((tmp_path / "hello.png").read_bytes())[0] == 640


def test_many(tmp_path: Path) -> None:
    run(blocks("python")[1], tmp_path)
    assert sorted(os.listdir(tmp_path)) == ["ada.png", "bob.png", "yuki.png"]


def test_errors(tmp_path: Path) -> None:
    assert re.fullmatch(r"invalid bad .*width.*\n", run(blocks("python")[2], tmp_path))


def test_what_comes_first(tmp_path: Path) -> None:
    assert re.fullmatch(r"row/1 cancelled\n[12]\n", run(blocks("python")[3], tmp_path))


def test_asyncio(tmp_path: Path) -> None:
    assert re.fullmatch(r"200\n\d+\n\d+\n\d+\n", run(blocks("python")[4], tmp_path))


def test_all_errors_are_listed() -> None:
    import offstage

    kinds = {kind.__name__ for kind in offstage.OffstageError.__subclasses__()}
    assert set(re.findall(r"^\| `([A-Z]\w+)` \|", README, re.MULTILINE)) == kinds


def test_installing(tmp_path: Path) -> None:
    """Installs a copy, because pip builds in the source folder. Uses no network."""
    ignored = shutil.ignore_patterns("build", "*.egg-info", "__pycache__")
    shutil.copytree(FOLDER, tmp_path / "Integrations" / "python", ignore=ignored)
    without = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment = dict(without, PATH=f"{Path(sys.executable).parent}:{os.environ['PATH']}", PIP_NO_INDEX="1")
    for line in blocks("sh")[0].splitlines():
        step = subprocess.run(line, shell=True, cwd=tmp_path, capture_output=True, text=True, env=environment)
        assert step.returncode == 0, step.stdout + step.stderr
    shutil.rmtree(tmp_path / "Integrations")
    (tmp_path / "user.py").write_text(USER)
    python = tmp_path / "report" / "bin" / "python"
    script = subprocess.run([python, "user.py"], cwd=tmp_path, check=True, capture_output=True, text=True, env=environment)
    assert script.stdout.startswith(str(tmp_path / "report")) and script.stdout.endswith(" 200\n")
    check = subprocess.run(
        [python, "-m", "mypy", "--strict", "user.py"], cwd=tmp_path, capture_output=True, text=True, env=environment
    )
    told = [line.split(": ", 1)[1] for line in check.stdout.splitlines() if "Revealed" in line or "error" in line]
    assert told == [
        'note: Revealed type is "offstage.picture.Picture"',
        'note: Revealed type is "Union[offstage.picture.Picture, offstage.errors.OffstageError]"',
        'note: Revealed type is "builtins.bytes"',
    ], check.stdout


USER = """
import offstage
from typing import TYPE_CHECKING

picture = offstage.render("<p>", width=200)
print(offstage.__file__, picture.width)
if TYPE_CHECKING:
    reveal_type(picture)
    for outcome in offstage.render_many(["<p>"], errors="return"):
        reveal_type(outcome)
    reveal_type(bytes(picture))
"""


def test_types(tmp_path: Path) -> None:
    """mypy accepts the types of the package, the examples and the tests."""
    check = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", f"--cache-dir={tmp_path}"],
        cwd=FOLDER,
        capture_output=True,
        text=True,
    )
    assert check.returncode == 0, check.stdout + check.stderr
