#!/usr/bin/env python3
"""Typesets the example with pdfLaTeX and LuaLaTeX, and checks the PDF files."""

import json
import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from testing import IntegrationTest, blocks

ENGINES = ["pdflatex", "lualatex"]


class LaTeXTest(IntegrationTest):
    source = Path(__file__).resolve().parent

    def setUp(self):
        super().setUp()
        self.example = self.folder / "example"
        self.environment["TEXINPUTS"] = f"{self.folder}:"

    def latex(self, engine, name="notes", *options, code=0, **more):
        """Runs LaTeX, and returns its messages without line breaks."""
        said = self.run_tool(
            engine, "-interaction=nonstopmode", *options, name, code=code, folder=self.example, **more)
        return re.sub(r"\s+", " ", said.replace("(offstage)", ""))

    def draw(self, name="notes", code=0):
        self.run_tool(
            "offstage", "render", "--manifest", f"{name}.offstage.jsonl", "--out", "offstage-pictures", folder=self.example,
            code=code)

    def pictures(self, name="notes"):
        """For each raster image in the PDF: its width in px, and its resolution on the page in px per inch."""
        lines = self.run_tool("pdfimages", "-list", f"{name}.pdf", folder=self.example).splitlines()[2:]
        return [(int(line.split()[3]), int(line.split()[12])) for line in lines]

    def rows(self, name="notes"):
        return [json.loads(line) for line in (self.example / f"{name}.offstage.jsonl").read_text().splitlines()]

    def document(self, body, name="a"):
        (self.example / f"{name}.tex").write_text(
            f"\\documentclass{{article}}\n\\usepackage{{offstage}}\n\\begin{{document}}\n{body}\n\\end{{document}}\n")

    def text(self, name="notes"):
        return self.run_tool("pdftotext", f"{name}.pdf", "-", folder=self.example)

    def boxes(self, name="notes"):
        """The left and right edges of each word in the PDF, in points. For a repeated word, those of its last occurrence."""
        text = self.run_tool("pdftotext", "-bbox", f"{name}.pdf", "-", folder=self.example)
        found = re.findall(r'<word xMin="([\d.]+)" yMin="[\d.]+" xMax="([\d.]+)" yMax="[\d.]+">([^<]*)<', text)
        return {word: (float(left), float(right)) for left, right, word in found}

    def forms(self, name="notes"):
        """The number of PDF pictures in the PDF. Each contains a form of this name."""
        data = self.run_tool("qpdf", "--json", f"{name}.pdf", folder=self.example)
        return data.count('"/Drawing":')

    def check(self):
        # No picture consists of pixels: the text is real text, in its own fonts.
        self.assertEqual(self.pictures(), [])
        self.assertEqual(self.forms(), 4)
        text = self.text()
        for words in ("Tide tables", "Level", "4.82 m", "潮汐 · Gezeiten", "neap", "open"):
            self.assertIn(words, text)
        fonts = self.run_tool("pdffonts", "notes.pdf", folder=self.example)
        self.assertRegex(fonts, r"\+DejaVuSans-Bold +CID TrueType +Identity-H +yes yes yes")
        # The columns are where CSS puts them in a table of 400 CSS px; a CSS px is 3/4 of a point.
        boxes = self.boxes()
        self.assertAlmostEqual(boxes["Wind"][0] - boxes["Time"][0], self.distance("Time", "Wind") * 0.75, delta=0.2)
        # The label has the requested height: 1.5ex, which is 6.5 points, instead of its natural 16.
        label = boxes["open"]
        self.assertLess(label[1] - label[0], 15)

    def distance(self, first, second):
        """The distance between the left edges of two words, in CSS px, as measured in the file of the station's picture."""
        [picture] = [row["identifier"] for row in self.rows() if row.get("file") == "station.html"]
        text = self.run_tool("pdftotext", "-bbox", f"offstage-pictures/{picture}.pdf", "-", folder=self.example)
        self.assertIn('<page width="300.000000"', text)
        left = [float(re.search(f'xMin="([\\d.]+)"[^>]*>{word}<', text)[1]) for word in (first, second)]
        return (left[1] - left[0]) / 0.75

    def check_pixels(self):
        # 400, 300 and 900 CSS px at scale 3: the first two have their natural size, and the third is fitted to the line. The label
        # has the requested height.
        widths, densities = zip(*self.pictures())
        self.assertEqual((widths[0], widths[1], widths[3]), (1200, 900, 2700))
        self.assertEqual(densities[:2], (288, 288))
        # A line of the class article is 345 pt wide.
        self.assertAlmostEqual(densities[3], 2700 / (345 / 72.27), delta=1)
        self.assertGreater(densities[2], 500)

    def test_two_steps_as_in_the_readme(self):
        said = re.sub(r"\s+", " ", self.run_block(0).replace("(offstage)", ""))
        self.assertIn("Pictures not drawn yet: 4. Run offstage render --manifest 'notes.offstage.jsonl' --out 'offstage-pictures'", said)
        self.assertEqual(len(self.drawn()), 4)
        self.check()
        html = self.rows()[1]["html"]
        self.assertIn('<h2>潮汐 · Gezeiten · المد 🌊</h2>\n<p class="note">', html)
        self.assertIn('50 % over the mean; "spring" \\ neap</p>\n', html)
        self.assertEqual(self.rows()[1]["background"], "#fffdf5")

    def test_shell_escape_as_in_the_readme(self):
        said = self.run_block(1)
        self.assertIn("Pictures have been drawn. Rerun LaTeX.", said)
        self.assertEqual(len(self.drawn()), 4)
        self.check()
        # The names are the same for both engines.
        self.assertNotIn("Warning", self.latex("pdflatex"))
        # A changed style sheet keeps its name; the next run still draws its pictures again.
        sheet = self.example / "notes.css"
        sheet.write_text(sheet.read_text() + "h2 { color: red }\n")
        self.assertNotIn("Rerun", self.latex("lualatex", "notes", "-shell-escape"))
        # The document with a heading is drawn again. So are pictures that look the same, because they use the style sheet,
        # too.
        self.assertEqual(len(self.drawn()), 4)

    def test_one_change_draws_one_picture(self):
        for engine in ENGINES:
            self.latex(engine)
            self.draw()
            self.drawn()
            document = self.example / "notes.tex"
            document.write_text(re.sub("<b>[^<]*</b> &", f"<b>{engine}</b> &", document.read_text()))
            self.assertIn("Pictures not drawn yet: 1.", self.latex(engine))
            self.assertEqual(self.forms(), 3)
            self.draw()
            self.assertEqual(len(self.drawn()), 1)
            self.assertNotIn("not drawn yet", self.latex(engine))
            # The name of a file's picture depends on the file's content.
            station = self.example / "station.html"
            station.write_text(station.read_text() + f"<p>{engine}\n")
            self.assertIn("Pictures not drawn yet: 1.", self.latex(engine))
            self.draw()
            self.assertEqual(len(self.drawn()), 1)

    def test_texts_of_all_kinds_are_told_apart(self):
        texts = ["中", "丰", "é", "è", "🎉", "🎊", "a\tb", "a b", "a  b", "#1", "##1", "\\n", "{", "~^_&%$ \\end{x}"]
        snippets = [f"\\begin{{offstagehtml}}\n<p>{text}</p>\n\\end{{offstagehtml}}\n" for text in texts]
        self.document("\n".join(snippets + snippets[:2]))
        for engine in ENGINES:
            self.latex(engine, "a")
            rows = self.rows("a")
            self.assertEqual([re.search("<p>(.*)</p>", row["html"])[1] for row in rows], texts, engine)
            self.assertEqual(len({row["identifier"] for row in rows}), len(texts))
        self.draw("a")
        self.assertNotIn("not drawn yet", self.latex("lualatex", "a"))

    def test_the_snippets_of_the_readme(self):
        [snippets] = blocks(self.source / "README.md", "latex")
        head, body = snippets.split("\n\n", 1)
        head = head.replace("\\usepackage{offstage}", "")
        self.document(head + "\n" + body)
        self.latex("pdflatex", "a", "-shell-escape")
        self.latex("pdflatex", "a", "-shell-escape")
        self.assertEqual(self.pictures("a"), [])
        self.assertEqual(self.forms("a"), 2)
        self.assertIn("50 % over the mean", self.text("a"))

    def test_options(self):
        self.document(
            "\\offstage[width=fit, trim, css={a.css, b.css}, selector={p > \"a\"}, padding=4, scale=1.5]{station.html}")
        self.latex("pdflatex", "a")
        [row] = self.rows("a")
        del row["identifier"]
        self.assertEqual(
            row, {
                "file": "station.html", "width": "fit", "trim": True, "css": ["a.css", "b.css"], "selector": 'p > "a"',
                "padding": 4, "scale": 1.5, "format": "pdf",
            })
        self.document("\\offstage[widht=300]{station.html}")
        self.assertIn('There is no option "widht"', self.latex("pdflatex", "a", code=1))
        self.document("\\offstage{none.html}")
        self.assertIn('There is no file "none.html"', self.latex("pdflatex", "a", code=1))

    def test_pixels_on_request(self):
        document = self.example / "notes.tex"
        document.write_text(document.read_text().replace("{css=notes.css}", "{css=notes.css, format=png}"))
        for engine in ENGINES:
            self.latex(engine)
            self.draw()
            self.latex(engine)
            self.check_pixels()
            self.assertNotIn("Level", self.text())
        self.document("\\offstage[format={jpeg:quality=80}, width=200]{station.html} \\offstage[width=300]{station.html}")
        self.latex("pdflatex", "a", "-shell-escape")
        self.latex("pdflatex", "a", "-shell-escape")
        self.assertEqual(self.pictures("a"), [(600, 288)])
        self.assertEqual(self.rows("a")[0]["format"], "jpeg:quality=80")
        self.assertEqual(self.rows("a")[1]["format"], "pdf")
        self.document("\\offstage[format=svg]{station.html}")
        self.assertIn('LaTeX cannot show pictures in the format "svg". Use pdf, png or jpeg.', self.latex("pdflatex", "a", code=1))

    def test_a_pdf_is_as_large_as_pixels_are(self):
        body = "\\newsavebox\\x\\sbox\\x{\\offstage[FORMAT]{station.html}}\\typeout{is \\the\\wd\\x, \\the\\ht\\x.}\\usebox\\x"
        for engine in ENGINES:
            sizes = []
            for format in ("format=pdf", "format=png"):
                self.document(body.replace("FORMAT", format + ", width=300"))
                self.latex(engine, "a")
                self.draw("a")
                said = self.latex(engine, "a")
                sizes.append([float(size) for size in re.search(r"is ([\d.]+)pt, ([\d.]+)pt\.", said).groups()])
            # 300 CSS px are 225 points of PDF; TeX has 72.27 points per inch.
            self.assertAlmostEqual(sizes[0][0], 225 * 72.27 / 72, delta=0.1)
            for vector, pixels in zip(*sizes):
                self.assertAlmostEqual(vector, pixels, delta=0.1)

    def test_lost_columns_are_told(self):
        self.document("\\begin{offstagehtml}\n<div style='columns:2'><p>left<p>right</div>\n\\end{offstagehtml}")
        self.assertIn("columns merged into one, because WebKit does not print columns: 1 element", self.latex("pdflatex", "a", "-shell-escape"))

    def test_what_cannot_be_drawn_is_told(self):
        self.document("fine \\offstage{label.html} \\offstage[selector=.none]{label.html}", "of two")
        said = self.latex("lualatex", "of two", "-shell-escape")
        self.assertIn("nothing visible in the document matches .none", said)
        self.assertIn("Pictures that could not be drawn: 1.", said)
        self.assertRegex(said, r'of two\.offstage\.jsonl:2 "label-html-[0-9A-F]+": nothing visible')
        self.latex("lualatex", "of two", "-shell-escape")
        self.assertEqual(self.forms("of two"), 1)
        said = self.latex("pdflatex", "of two", "-shell-escape", environment={"OFFSTAGE": "no-such-program"})
        self.assertIn("Pictures that could not be drawn: 1.", said)

    def test_a_bad_snippet_is_named_by_its_first_words(self):
        words = "<style>p { color: red }</style>\n<p>The <b>weather</b> in the mountains, as it was seen &amp; heard</p>"
        for html, name in [(words, "The-weather-in-the-mountains-as-"), ("<p>潮汐</p>", "")]:
            self.document(f"\\begin{{offstagehtml}}[selector=.none]\n{html}\n\\end{{offstagehtml}}")
            names = set()
            for engine in ENGINES:
                said = self.latex(engine, "a", "-shell-escape")
                self.assertRegex(said, rf'a\.offstage\.jsonl:1 "{name}[0-9A-F]{{32}}": nothing visible')
                names.add(self.rows("a")[0]["identifier"])
            self.assertEqual(len(names), 1)


if __name__ == "__main__":
    unittest.main()
