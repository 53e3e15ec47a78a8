#!/usr/bin/env python3
"""Installs the library, then compiles and runs the examples and a test program, which also runs under valgrind."""

import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from testing import IntegrationTest, png_size

SOURCE = Path(__file__).resolve().parent
ROOT = SOURCE.parent.parent
BUILT = ROOT / ".build/release/liboffstage.so.0"
RED = '<div style="width:10px;height:8px;background:red"></div><style>body{margin:0}</style>'


def declared():
    """The functions of offstage.h."""
    text = re.sub(r"/\*.*?\*/", "", (ROOT / "Sources/C/COffstage/include/offstage.h").read_text(), flags=re.S)
    return set(re.findall(r"^[a-zA-Z].*?\b(offstage_[a-z_]+)\(", text, re.M))


def exported(library):
    """The symbols that another program can link to. Leaves out local symbols, and the symbol of the version itself."""
    lines = subprocess.run(
        ["nm", "-D", "--defined-only", library], check=True, text=True, stdout=subprocess.PIPE).stdout.splitlines()
    return {name for _, kind, name in (line.split() for line in lines) if kind.isupper() and kind != "A"}


class LibraryTest(IntegrationTest):
    source = SOURCE

    @classmethod
    def setUpClass(cls):
        if not BUILT.exists():
            sys.exit("there is no .build/release/liboffstage.so.0; `make lib` builds it")

    def setUp(self):
        super().setUp()
        self.prefix = self.home / "prefix"
        self.make("install-lib")
        self.environment["PKG_CONFIG_PATH"] = f"{self.prefix}/lib/pkgconfig"
        self.environment["LD_LIBRARY_PATH"] = f"{self.prefix}/lib"
        self.environment["TMPDIR"] = str(self.home / "tmp")
        (self.home / "tmp").mkdir()

    def make(self, target, **variables):
        variables = {"PREFIX": self.prefix, **variables}
        run = subprocess.run(
            # make must not rebuild the library: root may run it without Swift.
            ["make", "--no-print-directory", "-o", ".build/release/liboffstage.so.0", target]
            + [f"{name}={value}" for name, value in variables.items()],
            cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(run.returncode, 0, run.stdout)

    def compile(self, source, *packages):
        """Compiles a program with the README's command."""
        program = self.home / "bin" / source.stem
        self.run_tool(
            "sh", "-c", f'cc -g -O1 -Wall -Wextra -Werror -o "$1" "$2" $(pkg-config --cflags --libs {" ".join(packages)})', "sh",
            program, source)
        return program


class InstallationTest(LibraryTest):
    def test_the_readme(self):
        self.run_block(0)
        self.assertEqual(png_size(self.folder / "page.png")[:2], (640, 144))

    def test_nothing_else_can_be_seen(self):
        library = self.prefix / "lib/liboffstage.so"
        self.assertEqual(exported(library), {f"{name}@@OFFSTAGE_0" for name in declared()})
        dynamic = self.run_tool("readelf", "--wide", "--dynamic", library)
        self.assertIn("Library soname: [liboffstage.so.0]", dynamic)
        self.assertNotRegex(dynamic, "RPATH|RUNPATH|libswift|libFoundation|libdispatch")
        self.assertNotIn("not found", self.run_tool("ldd", library))
        self.assertNotIn(".debug_info", self.run_tool("readelf", "--wide", "--sections", library))

    def test_it_is_removed_again(self):
        stage = self.home / "stage"
        self.make("install-lib", DESTDIR=stage, PREFIX="/usr")
        names = {str(path.relative_to(stage)) for path in stage.rglob("*") if not path.is_dir()}
        self.assertIn("usr/lib/liboffstage.so.0", names)
        self.assertIn("prefix=/usr\n", (stage / "usr/lib/pkgconfig/offstage.pc").read_text())
        version = self.run_tool("pkg-config", "--modversion", "offstage").strip()
        self.assertIn(f"usr/lib/liboffstage.so.{version}", names)
        self.assertIn(f'"{version}"', (ROOT / "Sources/Requests/OffstageRequests/Version.swift").read_text())
        self.make("uninstall-lib", DESTDIR=stage, PREFIX="/usr")
        self.assertEqual([path for path in stage.rglob("*") if not path.is_dir()], [])

    def test_the_header_stands_alone(self):
        text = '#include <offstage.h>\nint main(void) { return offstage_version() == NULL; }\n'
        for compiler, name in [("c99", "alone.c"), ("c++17", "alone.cc")]:
            (self.home / name).write_text(text)
            self.run_tool(
                "sh", "-c", f"cc -std={compiler} -pedantic -Wall -Wextra -Werror -o alone {self.home}/{name} "
                "$(pkg-config --cflags --libs offstage) && ./alone")


class ProgramTest(LibraryTest):
    def test_a_program_without_a_window(self):
        program = self.compile(self.folder / "example/draw.c", "offstage")
        (self.home / "page.html").write_text(RED)
        said = self.run_tool(program, self.home / "page.html", self.home / "page.png", "width", "30", "scale", "2")
        self.assertIn("60 x 16 px", said)
        self.assertEqual(png_size(self.home / "page.png")[:2], (60, 16))
        # The program renders the same picture.
        self.run_tool(
            "offstage", "render", self.home / "page.html", "-o", self.home / "other.png", "--width", "30", "--scale", "2")
        self.assertEqual((self.home / "page.png").read_bytes(), (self.home / "other.png").read_bytes())
        self.assertIn(
            '"width" takes a whole number', self.run_tool(program, "page.html", "page.png", "width", "x", code=1))
        self.assertIn("missing.html", self.run_tool(program, "missing.html", "page.png", code=1))
        (self.home / "flat.html").write_text("<!doctype html><style>body{margin:0}</style>")
        self.assertIn("no height", self.run_tool(program, self.home / "flat.html", "page.png", code=1))
        # The sandbox leaves no files behind.
        self.assertEqual(list((self.home / "tmp").iterdir()), [])

    def test_a_list_in_a_window(self):
        program = self.compile(self.folder / "example/list.c", "offstage", "gtk+-3.0")
        for number, color in enumerate(["red", "green", "blue"]):
            (self.home / f"{number}.html").write_text(f"<body style='background:{color}'>Some text")
        # A desktop session has a bus, which WebKit filters for its sandbox.
        for bus in [], ["dbus-run-session", "--"]:
            said = self.run_tool("xvfb-run", "-a", *bus, program, self.home, "--once")
            self.assertRegex(said, r"60 rows shown, 0 failed, suspended at [1-9]\d* steps")

    def test_python(self):
        script = self.folder / "example/draw.py"
        page = self.home / "python.html"
        page.write_text(RED)
        self.run_tool(sys.executable, script, page, self.home / "python.png", "width", "33")
        self.assertEqual(png_size(self.home / "python.png")[:2], (33, 8))
        self.run_tool(sys.executable, script, page, self.home / "python.jpg", "format", "jpeg")
        self.assertEqual((self.home / "python.jpg").read_bytes()[:3], b"\xff\xd8\xff")
        said = self.run_tool(sys.executable, script, page, "no.png", "colour", "red", code=1)
        self.assertIn('there is no key "colour"', said)

    def test_the_processes_that_draw(self):
        """WebKit's processes are isolated, although the host loads the library late. The host's own state does not change."""
        script = self.home / "look.py"
        script.write_text(
            f"import sys; sys.path.insert(0, {str(self.folder / 'example')!r})\n"
            "import ctypes, itertools, os, draw\n"
            "def environment():\n"
            "    names = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), 'environ')\n"
            "    return set(itertools.takewhile(bool, (names[i] for i in itertools.count())))\n"
            "before = environment()\n"
            "renderer = draw.offstage.offstage_renderer_new(None, None)\n"
            f"open(sys.argv[1], 'wb').write(draw.picture(renderer, html={RED!r}))\n"
            "def text(pid, name):\n"
            "    return open(f'/proc/{pid}/{name}', 'rb').read().decode(errors='replace')\n"
            "def children(pid):\n"
            "    for thread in os.listdir(f'/proc/{pid}/task'):\n"
            "        for child in text(pid, f'task/{thread}/children').split(): yield child; yield from children(child)\n"
            "own = os.readlink('/proc/self/ns/net')\n"
            "for pid in children(os.getpid()):\n"
            "    if not text(pid, 'comm').startswith('WebKit'): continue\n"
            "    variables = text(pid, 'environ').split(chr(0))\n"
            "    print(text(pid, 'comm').strip(), 'apart' if os.readlink(f'/proc/{pid}/ns/net') != own else 'open',\n"
            "          'pinned' if 'LC_ALL=C.UTF-8' in variables and not any('GTK_THEME' in v for v in variables) else 'loose',\n"
            "          'empty' if any('offstage-egl.json' in v for v in variables) else 'Mesa')\n"
            "policies = {os.sched_getscheduler(int(thread)) for thread in os.listdir('/proc/self/task')}\n"
            "print('threads', 'real' if policies & {os.SCHED_FIFO, os.SCHED_RR} else 'ordinary')\n"
            "print('the same' if environment() == before else 'changed')\n")
        said = self.run_tool(
            sys.executable, script, self.home / "theme.png", environment={"GTK_THEME": "HighContrastInverse", "LC_ALL": "C"})
        self.assertIn("WebKitNetworkPr apart pinned empty\n", said)
        self.assertIn("WebKitWebProces apart pinned empty\n", said)
        self.assertTrue(said.endswith("threads ordinary\nthe same\n"), said)
        self.assertNotRegex(said, "open|loose|Mesa")
        (self.home / "plain.html").write_text(RED)
        self.run_tool(
            sys.executable, self.folder / "example/draw.py", self.home / "plain.html", self.home / "plain.png")
        self.assertEqual((self.home / "theme.png").read_bytes(), (self.home / "plain.png").read_bytes())


class CheckTest(LibraryTest):
    """tests/check.c: options, pictures, errors, cancelling, priorities, suspension, threads, shutdown."""

    def test_everything(self):
        program = self.compile(self.folder / "tests/check.c", "offstage")
        said = self.run_tool(program)
        self.assertEqual(len(re.findall(r"^ok \d+ ", said, re.M)), int(re.search(r"^1\.\.(\d+)$", said, re.M)[1]), said)

    def test_nothing_is_lost(self):
        """Valgrind finds no invalid access, and no block of ours that is definitely lost."""
        program = self.compile(self.folder / "tests/check.c", "offstage")
        # Keep the functions' names for valgrind, but not their line numbers, which it cannot read.
        named = self.home / "named"
        named.mkdir()
        subprocess.run(["strip", "--strip-debug", "-o", named / "liboffstage.so.0", BUILT], check=True)
        report = self.home / "report"
        run = subprocess.run(
            ["valgrind", f"--suppressions={SOURCE}/offstage.supp", "--child-silent-after-fork=yes", "--leak-check=full",
             "--show-leak-kinds=definite", "--errors-for-leak-kinds=definite", "--error-exitcode=99", "--num-callers=40",
             # valgrind does not support pidfd_open, without which worker programs do not start reliably.
             f"--log-file={report}", program, "-s", "/annotate"],
            env={**self.environment, "LD_LIBRARY_PATH": str(named), "G_SLICE": "always-malloc",
                 "OFFSTAGE_WORKERS": str(self.prefix / "lib/offstage")}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
        lines = [line for line in report.read_text().splitlines() if line.startswith("==")]
        self.assertEqual(run.returncode, 0, run.stdout + "\n".join(lines))
        self.assertIn("ERROR SUMMARY: 0 errors", report.read_text())


if __name__ == "__main__":
    unittest.main()
