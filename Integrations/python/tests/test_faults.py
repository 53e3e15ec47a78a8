"""Processes that are killed or forked, or whose parent ends without closing them."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Callable, List

import pytest

from conftest import children, descendants, name_of, program_of, until
from offstage import Offstage, Unavailable

Fresh = Callable[..., Offstage]


def test_a_killed_program_fails_what_it_had_and_nothing_else(fresh: Fresh) -> None:
    offstage = fresh(limit=3)
    first = program_of(offstage)
    with offstage.suspend():
        futures = [offstage.submit(f"<p>{number}", id=str(number), width=100 + number) for number in range(6)]
        until(lambda: offstage.stats().under_way == 3)
        os.kill(first, signal.SIGKILL)
        for number, future in enumerate(futures[:3]):
            with pytest.raises(Unavailable, match="SIGKILL") as caught:
                future.result(20)
            assert caught.value.id == str(number)
        assert offstage.stats().suspended, "the new one is told what held"
        assert not futures[3].done()
        assert program_of(offstage) != first
    assert [future.result(20).width for future in futures[3:]] == [103, 104, 105]
    assert first not in children(os.getpid()), "it is no zombie"


def test_a_program_killed_while_nobody_waits_is_not_noticed(fresh: Fresh) -> None:
    offstage = fresh()
    first = program_of(offstage)
    before = readers()
    os.kill(first, signal.SIGKILL)
    # The thread that reads the program's answers notices its end.
    until(lambda: first not in children(os.getpid()) and readers() < before)
    assert offstage.render("<p>").width == 200


def readers() -> int:
    return sum(thread.name == "offstage-read" for thread in threading.enumerate())


def test_programs_killed_among_many_rows(fresh: Fresh) -> None:
    offstage = fresh(limit=4)
    outcomes = offstage.render_many((f"<p>{number}" for number in range(200)), errors="return")
    failed = 0
    for number, outcome in enumerate(outcomes):
        if isinstance(outcome, Unavailable):
            failed += 1
        if number in (50, 100, 150):
            os.kill(program_of(offstage), signal.SIGKILL)
    assert number == 199
    assert failed <= 3 * 4, "no more than were with the programs"


def test_a_killed_web_process_costs_its_own_pictures_at_most(fresh: Fresh) -> None:
    offstage = fresh(jobs=1)
    program = program_of(offstage)
    outcomes = offstage.render_many((f"<p>{number}" for number in range(60)), errors="return")
    failed = 0
    for number, outcome in enumerate(outcomes):
        failed += isinstance(outcome, Exception)
        if number == 20:
            web = [pid for pid in descendants(program) if name_of(pid).startswith("WebKitWebProc")]
            assert web
            for pid in web:
                os.kill(pid, signal.SIGKILL)
    assert failed <= 1
    assert program_of(offstage) == program, "the program outlives it"


def test_nothing_is_left_behind(fresh: Fresh) -> None:
    threads, files, processes = threading.active_count(), len(os.listdir("/proc/self/fd")), children(os.getpid())
    for end in (signal.SIGKILL, signal.SIGTERM, None):
        with fresh() as offstage:
            offstage.render("<p>")
            program = program_of(offstage)
            if end is not None:
                os.kill(program, end)
        until(lambda: threading.active_count() == threads)
        until(lambda: len(os.listdir("/proc/self/fd")) == files)
        assert children(os.getpid()) == processes


def test_one_that_is_dropped_ends_its_program() -> None:
    offstage = Offstage(cache=False)
    program = program_of(offstage)
    del offstage
    until(lambda: program not in children(os.getpid()))


def test_a_terminal_does_not_interrupt_the_program(fresh: Fresh) -> None:
    """Ctrl-C goes to all processes of a group. The program has its own, so that a script can handle Ctrl-C and continue."""
    assert os.getpgid(program_of(fresh())) != os.getpgid(0)


def test_threads_share_one(fresh: Fresh) -> None:
    offstage = fresh(limit=8)
    wrong: List[object] = []

    def draw(thread: int) -> None:
        for number in range(12):
            width = 100 + thread * 20 + number
            picture = offstage.render(f"<p>{width}", id=f"{thread}/{number}", width=width)
            if (picture.width, picture.id) != (width, f"{thread}/{number}"):
                wrong.append((thread, number, picture))

    threads = [threading.Thread(target=draw, args=(thread,)) for thread in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert offstage.stats().drawn == 96
    assert len([pid for pid in children(os.getpid()) if pid == program_of(offstage)]) == 1


def test_a_forked_child_has_a_program_of_its_own(fresh: Fresh) -> None:
    offstage = fresh(limit=2)
    program = program_of(offstage)
    with offstage.suspend():
        waiting = [offstage.submit(f"<p>{number}") for number in range(4)]
        until(lambda: offstage.stats().under_way == 2)
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                picture = offstage.render("<p>in the child", width=123)
                os.write(writer, b"%d %d" % (program_of(offstage), picture.width))
                offstage.close()
                status = 0
            finally:
                os._exit(status)
        assert os.waitpid(child, 0)[1] == 0
        os.close(writer)
        its_program, width = os.read(reader, 100).split()
        os.close(reader)
        assert int(width) == 123 and int(its_program) != program
        assert program_of(offstage) == program
    assert [future.result(20).width for future in waiting] == [200] * 4


def width_of(offstage: Offstage, width: int) -> int:
    return offstage.render("<p>", width=width).width


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_multiprocessing(fresh: Fresh, method: str) -> None:
    offstage = fresh()
    offstage.render("<p>")
    with multiprocessing.get_context(method).Pool(2) as pool:
        widths = pool.starmap(width_of, [(offstage, width) for width in range(100, 106)])
        pool.close()
        pool.join()
    assert widths == list(range(100, 106))
    assert pickle.loads(pickle.dumps(offstage))._configuration == offstage._configuration


LEFT = """
import offstage, os, sys
shared = offstage.shared()
offstage.render("<p>")
print(shared._engine._child.process.pid, flush=True)
shared.suspend()
waiting = shared.submit("<p>never")
if sys.argv[1] == "wait":
    waiting.result()
"""


@pytest.mark.parametrize("way", ["leave", "interrupt", "kill"])
def test_a_script_that_ends_leaves_no_program(way: str) -> None:
    script = subprocess.Popen(
        [sys.executable, "-c", LEFT, "leave" if way == "leave" else "wait"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell ignores this signal in background commands, and a program inherits that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        env=dict(os.environ, PYTHONPATH=str(Path(sys.modules["offstage"].__file__ or "").parent.parent)),
    )
    assert script.stdout is not None
    program = int(script.stdout.readline())
    if way != "leave":
        until(lambda: all_sleep(script.pid))
        script.send_signal(signal.SIGINT if way == "interrupt" else signal.SIGKILL)
    _, said = script.communicate(timeout=30)
    until(lambda: not os.path.exists(f"/proc/{program}"))
    if way == "leave":
        assert (script.returncode, said) == (0, "")
    if way == "interrupt":
        assert script.returncode != 0 and said.rstrip().endswith("KeyboardInterrupt")


def all_sleep(pid: int) -> bool:
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        return file.read().rsplit(")", 1)[1].split()[0] == "S"
