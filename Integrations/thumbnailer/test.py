#!/usr/bin/env python3
"""Has GNOME's thumbnail factory and tumbler make thumbnails, as file managers do."""

import glob
import hashlib
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from testing import IntegrationTest, blocks, png_size, program

PAGE = """<!doctype html><meta charset="utf-8"><style>body { margin: 20px; background: #eef }</style>
<h1>Größe 中文 🎉</h1><p>sans text<p style="font-family: serif">serif text<p style="font-family: monospace">code"""


class ThumbnailerTest(IntegrationTest):
    source = Path(__file__).resolve().parent

    def setUp(self):
        super().setUp()
        # The files for /usr/local: the script and its entry, and the program with those of its libraries that are not
        # Debian's.
        self.local = self.home / "local"
        [install] = [block for block in blocks(self.source / "README.md", "sh") if block.startswith("make")]
        self.run_tool("/bin/sh", "-c", install.replace("PREFIX=/usr/local", f"DESTDIR={self.local} PREFIX="))
        real = program()
        place = self.local / "lib/offstage-program"
        place.mkdir(parents=True)
        shutil.copy(real, place)
        listed = subprocess.run(["ldd", real], text=True, capture_output=True, check=True).stdout
        libraries = [line.split(" => ")[1].split(" (")[0] for line in listed.splitlines() if " => /" in line]
        for library in [*libraries, real.parent / "libOffstageEGL.so"]:
            if not str(library).startswith(("/usr/", "/lib")) and Path(library).exists():
                shutil.copy(library, place)
        (self.local / "bin/offstage").symlink_to("../lib/offstage-program/" + real.name)
        self.environment["PATH"] = f"{self.local}/bin:/usr/bin:/bin"
        # The program that records results is not below /usr.
        (self.home / "bin/offstage").unlink()
        self.page = self.folder / "a page.html"
        self.page.write_text(PAGE)

    def gnome(self, size, page, output, code=0):
        """Makes a thumbnail with GNOME's factory, in a mount namespace whose /usr/local is the test's."""
        return self.run_tool(
            "unshare", "--map-root-user", "--mount", "/bin/sh", "-e", "-c",
            f'mount --bind "{self.local}" /usr/local; exec python3 gnome.py "$@"', "sh", size, page, output, code=code,
            environment={"PATH": "/usr/local/bin:/usr/bin:/bin", "XDG_DATA_DIRS": "/usr/local/share:/usr/share"})

    def tumbler(self, size, *pages):
        said = self.run_tool(
            "dbus-run-session", "--", "python3", "tumbler.py", size, *pages,
            environment={"XDG_DATA_HOME": str(self.local / "share")})
        thumbnails = self.home / "cache/thumbnails" / size
        return said, [thumbnails / (hashlib.md5(page.as_uri().encode()).hexdigest() + ".png") for page in pages]

    def too_large(self):
        """An HTML file that is too large for the program. It is sparse, so it takes no space on disk."""
        page = self.folder / "too large.html"
        page.write_text(PAGE)
        with page.open("r+b") as file:
            file.truncate(65 << 20)
        return page

    def assert_same_pixels(self, one, other):
        self.run_tool("compare", "-metric", "AE", one, other, "null:")

    def test_the_command_line(self):
        [command] = [block for block in blocks(self.source / "README.md", "sh") if not block.startswith("make")]
        (self.folder / "page.html").write_text(PAGE)
        self.run_tool("/bin/sh", "-c", command)
        self.assertEqual(png_size(self.folder / "page.png")[:2], (256, 192))
        (self.folder / "page.html").write_text("<body style='margin:0'><div style='height:4000px'>")
        for size, wanted in [(128, (102, 128)), (1024, (819, 1024))]:
            self.run_tool("offstage-thumbnailer", str(size), "page.html", "page.png")
            self.assertEqual(png_size(self.folder / "page.png")[:2], wanted)

    def test_gnome_in_its_sandbox(self):
        self.gnome("LARGE", self.page, "a.png")
        self.assertEqual(png_size(self.folder / "a.png")[:2], (256, 192))
        # The fonts are those of the surrounding system, and nothing is left behind.
        self.run_tool("offstage-thumbnailer", "256", self.page, "b.png")
        self.assert_same_pixels("a.png", "b.png")
        self.assertEqual(glob.glob("/tmp/gnome-desktop-thumbnailer-*"), [])
        self.gnome("XXLARGE", self.page, "c.png")
        self.assertEqual(png_size(self.folder / "c.png")[:2], (1024, 768))

    def test_gnome_is_told_of_a_failure(self):
        self.assertIn("exited with code 1", self.gnome("NORMAL", self.too_large(), "a.png", code=1))
        self.assertFalse((self.folder / "a.png").exists())
        self.assertEqual(glob.glob("/tmp/gnome-desktop-thumbnailer-*"), [])

    def test_tumbler(self):
        # The thumbnail uses the files beside the document, and no others.
        (self.folder / "red.svg").write_text(
            "<svg xmlns='http://www.w3.org/2000/svg' width='640' height='480'><path fill='#f00' d='M0 0h640v480H0z'/></svg>")
        other = self.folder / "other.xhtml"
        other.write_text("<html xmlns='http://www.w3.org/1999/xhtml'><body style='margin:0'><img src='red.svg'/></body></html>")
        said, [page, red, none] = self.tumbler("large", self.page, other, self.too_large())
        self.assertEqual(png_size(page)[:2], (256, 192))
        self.run_tool("offstage-thumbnailer", "256", self.page, "b.png")
        self.assert_same_pixels(page, "b.png")
        self.assertRegex(self.run_tool("convert", red, "-crop", "1x1+128+96", "txt:"), "#FF0000")
        self.assertFalse(none.exists())
        self.assertIn("types: text/html application/xhtml+xml text/html", said)

    def test_uninstalling(self):
        self.run_tool("make", "uninstall", f"DESTDIR={self.local}", "PREFIX=")
        left = [str(path) for path in self.local.rglob("*thumbnailer*") if path.is_file()]
        self.assertEqual(left, [])


if __name__ == "__main__":
    unittest.main()
