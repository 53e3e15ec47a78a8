#!/usr/bin/env python3
"""Builds the example after each change, and checks which rows are drawn again."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from testing import IntegrationTest

ALL = ["bay", "night", "north", "west"]


class NinjaTest(IntegrationTest):
    source = Path(__file__).resolve().parent

    def setUp(self):
        super().setUp()
        self.example = self.folder / "example"

    def build(self):
        return self.run_tool("ninja", folder=self.example)

    def times(self):
        return {path.name: path.stat().st_mtime_ns for path in (self.example / "out").iterdir() if path.suffix in (".png", ".html")}

    def change(self, name, old, new):
        path = self.example / "rows" / name
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new))

    def test_the_readme(self):
        self.run_block(0)
        self.assertEqual(self.drawn(), ALL)
        self.assertEqual((self.example / "out/report.html").read_text().count("<img"), 4)
        # Each picture has an alternative text.
        self.assertEqual((self.example / "out/report.html").read_text().count("<img src='bay.png' alt='bay' "), 1)
        self.assertIn("no work to do", self.build())

    def test_one_row_draws_one_row(self):
        self.run_tool("./configure", folder=self.example)
        self.build()
        self.drawn()
        before = self.times()
        self.change("bay.html", "121", "122")
        self.build()
        self.assertEqual(self.drawn(), ["bay"])
        after = self.times()
        self.assertEqual({name for name in after if after[name] != before[name]}, {"bay.png", "report.html"})
        self.assertIn("no work to do", self.build())
        # Only the row's modification time has changed: its picture stays the same, so nothing that depends on it is made again.
        (self.example / "rows/bay.html").touch()
        self.assertNotIn("report", self.build())
        self.assertEqual(self.times(), after)
        self.assertIn("no work to do", self.build())

    def test_what_rows_use_is_known(self):
        self.run_tool("./configure", folder=self.example)
        self.build()
        self.drawn()
        self.change("style.css", "#223", "#322")
        self.build()
        self.assertEqual(self.drawn(), ALL)
        (self.example / "rows/east.html").write_text("<p>East")
        self.build()
        self.assertEqual(self.drawn(), ["east"])
        self.assertEqual((self.example / "out/report.html").read_text().count("<img"), 5)
        self.assertIn("no work to do", self.build())


if __name__ == "__main__":
    unittest.main()
