"""A running `offstage pipe`: writes lines to it, reads its lines, and notices its end."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import threading
from typing import TYPE_CHECKING, Callable, Dict, List, Optional, Sequence

from .errors import InvalidRequest, OffstageError, Unavailable

if TYPE_CHECKING:
    from typing import Any

    from ._call import Call

_chunk = 1 << 20
#: The number of bytes of standard error to retain, for the message when the program ends.
_kept_of_stderr = 4_096
#: The exit status for a wrong argument.
_wrong_use = 2


class Child:
    """A process and two threads: one reads its output, the other waits for its end, so that no zombie remains.

    Processes that it has started may keep its pipes open, so the end is that of the process, not of its output.
    """

    def __init__(
        self, command: Sequence[str], on_line: Callable[[Child, bytes], None], on_end: Callable[[Child], None]
    ) -> None:
        self._on_line = on_line
        self._on_end = on_end
        #: By the number of the request's line. The engine's lock guards this and the next two.
        self.calls: Dict[int, Call[Any]] = {}
        self.lines = 0
        self.has_ended = False
        self._errors = b""
        self._writing = threading.Lock()
        try:
            # The program gets its own session, so that Ctrl-C reaches only the Python process.
            self.process = subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise Unavailable(f"cannot start {command[0]}: {error.strerror}") from error
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self._stdin, self._stdout, self._stderr = self.process.stdin, self.process.stdout, self.process.stderr
        # Readable when the process has ended.
        self._end, end = os.pipe()
        for file in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(file.fileno(), False)
        threading.Thread(target=self._wait, args=(end,), name="offstage-wait", daemon=True).start()
        threading.Thread(target=self._read, name="offstage-read", daemon=True).start()

    # Writing

    def write(self, line: bytes) -> None:
        """Returns when the line is written, or the process has ended."""
        with self._writing:
            if self._stdin.closed:
                return
            poll = select.poll()
            poll.register(self._stdin.fileno(), select.POLLOUT)
            poll.register(self._end, select.POLLIN)
            rest = memoryview(line)
            while rest:
                if any(descriptor == self._end for descriptor, _ in poll.poll()):
                    return
                try:
                    rest = rest[os.write(self._stdin.fileno(), rest[:_chunk]) :]
                except BlockingIOError:
                    continue
                except OSError:
                    return

    def close_input(self) -> None:
        """Ends the input: the process answers the requests that it has, and ends."""
        with self._writing:
            self._stdin.close()

    # The end

    def wait(self, seconds: float) -> bool:
        """Waits for the process to end. Returns False if it has not ended after this time."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def stop(self) -> None:
        """Ends the process now, and kills it after 5 seconds. A killed process cannot end its own children."""
        for kind in (signal.SIGTERM, signal.SIGKILL):
            self.process.send_signal(kind)
            if self.wait(5):
                return

    def failure(self, id: Optional[str]) -> OffstageError:
        """The error of a call that got no answer from this process."""
        status = self.process.returncode
        said = self._errors.decode("utf-8", "replace").strip()
        if status == _wrong_use and said:
            return InvalidRequest(said, id=id)
        how = f"ended with {status}"
        if status is not None and status < 0:
            how = f"was ended by {_signal_name(-status)}"
        return Unavailable(f"the program {how} before it had answered" + (f": {said}" if said else ""), id=id)

    def forget(self) -> None:
        """Closes the pipes in a forked child. The process belongs to the parent."""
        for file in (self._stdin, self._stdout, self._stderr):
            file.close()
        try:
            os.close(self._end)
        except OSError:
            pass
        self.process.returncode = 0

    # Threads

    def _wait(self, end: int) -> None:
        self.process.wait()
        os.close(end)

    def _read(self) -> None:
        try:
            self._read_to_end()
        except BaseException:
            # Without this thread, no call would ever get an answer.
            self.process.kill()
            raise
        finally:
            self.process.wait()
            self._on_end(self)
            with self._writing:
                for file in (self._stdin, self._stdout, self._stderr):
                    file.close()
                os.close(self._end)

    def _read_to_end(self) -> None:
        poll = select.poll()
        lines = _Lines()

        def take_output(data: bytes) -> None:
            for line in lines.split(data):
                self._on_line(self, line)

        def take_errors(data: bytes) -> None:
            self._errors = (self._errors + data)[-_kept_of_stderr:]

        takers = {self._stdout.fileno(): take_output, self._stderr.fileno(): take_errors}
        for descriptor in (*takers, self._end):
            poll.register(descriptor, select.POLLIN)
        has_ended = False
        while not has_ended:
            ready = [descriptor for descriptor, _ in poll.poll()]
            has_ended = self._end in ready
            for descriptor in list(takers) if has_ended else ready:
                data = _read_now(descriptor)
                # Once the program has ended, read all of its remaining output.
                while data and has_ended:
                    takers[descriptor](data)
                    data = _read_now(descriptor)
                if data:
                    takers[descriptor](data)
                elif data is not None:
                    poll.unregister(descriptor)
                    del takers[descriptor]


class _Lines:
    """Cuts a stream into lines. A line can be hundreds of megabytes long."""

    def __init__(self) -> None:
        self._pieces: List[bytes] = []

    def split(self, data: bytes) -> List[bytes]:
        first, *more = data.split(b"\n")
        self._pieces.append(first)
        if not more:
            return []
        lines = [b"".join(self._pieces), *more[:-1]]
        self._pieces = [more[-1]]
        return lines


def _read_now(descriptor: int) -> Optional[bytes]:
    """The available bytes: empty at the end, and None if more may arrive later."""
    try:
        return os.read(descriptor, _chunk)
    except BlockingIOError:
        return None


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
