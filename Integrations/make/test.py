#!/usr/bin/env python3
"""Builds the example after each change, and checks which rows are drawn again."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from testing import IntegrationTest, blocks, png_size

ALL = ["bay", "night", "north", "west"]


class MakeTest(IntegrationTest):
    source = Path(__file__).resolve().parent

    def setUp(self):
        super().setUp()
        self.example = self.folder / "example"

    def build(self, *arguments):
        return self.run_tool("make", *arguments, folder=self.example)

    def times(self):
        return {path.name: path.stat().st_mtime_ns for path in (self.example / "out").iterdir()}

    def change(self, name, old, new):
        path = self.example / "rows" / name
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new))

    def changed_times(self, earlier):
        return {name for name, time in self.times().items() if earlier.get(name) != time and name.endswith((".png", ".html"))}

    def test_the_readme(self):
        # The test is faster than a reader, so the stamp and the row may get the same modification time. Touch the row until it
        # is newer.
        [touch] = [line for line in blocks(self.source / "README.md", "sh")[0].splitlines() if line.startswith("touch")]
        later = f"until [ rows/bay.html -nt out/drawn ]; do {touch}; done"
        said = self.run_tool("/bin/sh", "-e", "-c", blocks(self.source / "README.md", "sh")[0].replace(touch, later))
        self.assertEqual(self.drawn(), ALL)
        # The second `make` has run the program, which found all pictures in the cache.
        self.assertEqual(said.count("offstage render"), 2, said)
        self.assertEqual((self.example / "out/report.html").read_text().count("<img"), 4)
        # Each picture has an alternative text.
        self.assertEqual((self.example / "out/report.html").read_text().count("<img src='bay.png' alt='bay' "), 1)
        self.assertEqual(png_size(self.example / "out/bay.png")[0], 640)
        self.assertNotIn("offstage render", self.build())

    def test_one_row_draws_one_row(self):
        self.build()
        self.drawn()
        before = self.times()
        self.change("bay.html", "121", "122")
        self.build()
        self.assertEqual(self.drawn(), ["bay"])
        self.assertEqual(self.changed_times(before), {"bay.png", "report.html"})
        self.assertNotIn("offstage render", self.build())

    def test_touching_a_row_makes_nothing_anew(self):
        self.build()
        before = self.times()
        (self.example / "rows/bay.html").touch()
        self.build()
        self.assertEqual(self.changed_times(before), set())
        self.assertNotIn("offstage render", self.build())

    def test_what_rows_use_is_known(self):
        self.build()
        self.drawn()
        self.change("style.css", "#223", "#322")
        self.build()
        self.assertEqual(self.drawn(), ALL)
        # A row that was removed must not stop the build.
        (self.example / "rows/style.css").unlink()
        self.build()
        self.assertEqual(self.drawn(), ALL)

    def test_a_new_row_and_a_deleted_picture(self):
        self.build()
        self.drawn()
        (self.example / "rows/east.html").write_text("<p>East")
        self.build()
        self.assertEqual(self.drawn(), ["east"])
        (self.example / "out/north.png").unlink()
        self.build()
        self.assertTrue((self.example / "out/north.png").exists())
        self.assertEqual(self.drawn(), [])  # it was cached

    def test_a_row_that_fails_fails_the_build_and_is_tried_again(self):
        (self.example / "rows/empty.html").write_text("")
        self.run_tool("make", code=2, folder=self.example)
        self.run_tool("make", code=2, folder=self.example)
        self.assertFalse((self.example / "out/report.html").exists())
        (self.example / "rows/empty.html").write_text("<p>Not any more")
        self.build()
        self.assertTrue((self.example / "out/report.html").exists())

    def test_a_rule_for_each_row(self):
        rule = blocks(self.source / "README.md", "make")[0]
        (self.example / "Makefile").write_text(
            f"OFFSTAGE = offstage\nall: out/bay.png out/west.png\n{rule}-include $(wildcard out/*.d)\n")
        self.build()
        self.assertEqual(sorted(self.drawn()), ["bay", "west"])
        self.assertIn("Nothing to be done", self.build())
        self.change("style.css", "#223", "#322")
        self.build("-j2")
        self.assertEqual(sorted(self.drawn()), ["bay", "west"])


if __name__ == "__main__":
    unittest.main()
