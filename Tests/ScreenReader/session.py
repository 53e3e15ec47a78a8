"""The test's own desktop: an X server in memory, a session bus, the accessibility bus, and one program."""

import ctypes
import os
import signal
import subprocess
import sys

PR_SET_CHILD_SUBREAPER = 36


class Session:
    """Runs a program. At the end, no process is left: all descendants become children of this process, which waits for each."""

    def __init__(self, home, command):
        # The buses start programs that outlive their parents.
        if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "prctl")
        for name in ("NO_AT_BRIDGE", "GTK_A11Y", "GTK_MODULES", "AT_SPI_BUS_ADDRESS", "XAUTHORITY", "WAYLAND_DISPLAY"):
            os.environ.pop(name, None)
        os.environ.update(HOME=home, GDK_BACKEND="x11", GSETTINGS_BACKEND="memory", LC_ALL="C.UTF-8")
        for name in ("CONFIG", "CACHE", "DATA"):
            os.environ[f"XDG_{name}_HOME"] = f"{home}/{name.lower()}"
        os.environ["XDG_RUNTIME_DIR"] = home
        # Choose the display number here. A server that chooses its own takes the first one that is free in its network namespace,
        # although a server in another namespace may already use it and its lock file.
        number = f":{1000 + os.getpid() % 50000}"
        # By default, the server resets when its last client leaves, and loses a connection that arrives at that moment.
        # The registry of the accessibility bus leaves once during its start.
        self.server, display = self._start(
            "Xvfb", number, "-displayfd", "{}", "-screen", "0", "800x900x24", "-nolisten", "tcp", "-noreset"
        )
        os.environ["DISPLAY"] = f":{display}"
        self.bus, os.environ["DBUS_SESSION_BUS_ADDRESS"] = self._start(
            "dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address={}"
        )
        self.errors = f"{home}/errors"
        with open(self.errors, "wb") as errors:
            self.program = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=errors)

    @staticmethod
    def _start(*command):
        """Starts a program that writes a line to a descriptor when it is ready. Returns the process and the line."""
        (reader, writer) = os.pipe()
        process = subprocess.Popen(
            [word.format(writer) for word in command], pass_fds=[writer], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(writer)
        with open(reader, encoding="ascii") as lines:
            return process, lines.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        """Ends the program, then the buses with everything that they started, then the X server."""
        self.program.send_signal(signal.SIGTERM)
        self.code = self.program.wait()
        if kind:
            with open(self.errors, encoding="utf-8") as errors:
                print(f"exit code {self.code}:", errors.read(), file=sys.stderr)
        # The exit code that a shell reports for a signal.
        if self.code < 0:
            self.code = 128 - self.code
        # The accessibility bus ends with the session bus.
        self.bus.terminate()
        self.bus.wait()
        self.server.terminate()
        self.server.wait()
        while True:
            try:
                os.wait()
            except ChildProcessError:
                return
