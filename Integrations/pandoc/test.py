#!/usr/bin/env python3
"""Converts the example into every format, and checks the files."""

import json
import math
import re
import sys
import unittest
import zipfile
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from testing import IntegrationTest, blocks, png_size

NAMES = ["figures", "chart", "months", "letters", "timetable", "states"]
WIDTHS = {"figures": 620, "chart": 560, "months": 420, "letters": 480, "timetable": 700}  # CSS px
ALT = {
    "figures": "412,806 passengers, up 8 %; 97.4 % of departures on time; 11 cancelled",
    "chart": "Bars: West 168, Bay 121, North 74, Night 50",
    "timetable": "Departures of the winter timetable, in three columns",
}
EMU = 914400 / 96


def local(element):
    return element.tag.rsplit("}")[-1]


def attribute(element, name):
    return next((value for key, value in element.attrib.items() if key.rsplit("}")[-1] == name), None)


def run_example(test, with_latex):
    """Runs the README's commands that need LaTeX, or those that don't."""
    folder, *commands = blocks(test.source / "README.md", "sh")[0].splitlines()
    chosen = [command for command in commands if ("--pdf-engine" in command) == with_latex]
    test.assertTrue(chosen)
    test.run_tool("/bin/sh", "-e", "-c", "\n".join([folder, *chosen]))


class PandocTest(IntegrationTest):
    source = Path(__file__).resolve().parent

    def convert(self, source, output, *options, code=0, **more):
        return self.run_tool(
            "pandoc", source, "--lua-filter", self.folder / "offstage.lua", "-o", output, *options, code=code,
            folder=self.folder / "example", **more)

    def parts(self, document, name):
        with zipfile.ZipFile(document) as archive:
            return [
                ElementTree.fromstring(archive.read(part)) for part in sorted(archive.namelist(), key=len)
                if re.fullmatch(name, part)
            ]

    def check_alternatives(self, texts):
        """Checks the alternative texts of the six pictures, in order: the document's, or else the snippet's own text."""
        self.assertEqual(len(texts), 6, texts)
        for name, text in zip(NAMES, texts):
            if name in ALT:
                self.assertEqual(text, ALT[name])
        self.assertTrue(texts[2].startswith("Month West Bay North Night July 58,114"), texts[2])
        self.assertIn("朝日を見ながら出勤", texts[3])
        self.assertIn("🌅", texts[3])
        self.assertIn("North ⚠︎ storm", texts[5])

    def test_every_format_of_the_example(self):
        run_example(self, with_latex=False)
        # Each snippet is drawn as SVG for OpenDocument, EPUB and HTML, as PNG for Word, and as a larger PNG for slides.
        self.assertEqual(len(self.drawn()), 18)
        example = self.folder / "example"
        run_example(self, with_latex=False)
        self.assertEqual(self.drawn(), [])
        self.look_at_word(example / "report.docx")
        self.look_at_opendocument(example / "report.odt")
        self.look_at_slides(example / "report.pptx")
        self.look_at_book(example / "report.epub")
        self.look_at_page(example)

    def look_at_word(self, path):
        [document] = self.parts(path, "word/document.xml")
        inlines = [element for element in document.iter() if local(element) == "inline"]
        self.check_alternatives([
            attribute(element, "descr") for inline in inlines for element in inline if local(element) == "docPr"])
        for name, inline in zip(NAMES, inlines):
            [extent] = [element for element in inline if local(element) == "extent"]
            # The text area of pandoc's page is a bit wider than 6 inches; wider pictures are scaled down.
            wanted = min(WIDTHS.get(name, 0), 6 * 96) * EMU
            if name in WIDTHS and WIDTHS[name] < 576:
                self.assertAlmostEqual(int(extent.get("cx")), wanted, delta=2, msg=name)
            self.assertLess(int(extent.get("cx")), 6.5 * 914400)
        with zipfile.ZipFile(path) as archive:
            pictures = [part for part in archive.namelist() if part.startswith("word/media/")]
            self.assertEqual([part.rsplit(".")[-1] for part in pictures], ["png"] * 6)

    def look_at_opendocument(self, path):
        [content] = self.parts(path, "content.xml")
        groups = [element for element in content.iter() if local(element) == "g"]
        self.check_alternatives([group[0].text for group in groups])
        for name, group in zip(NAMES, groups):
            width = attribute(group[1], "width")
            self.assertTrue(width.endswith("in"), width)
            wanted = min(WIDTHS.get(name, 0) / 96, 6.5)
            if wanted:
                self.assertAlmostEqual(float(width[:-2]), wanted, delta=0.001, msg=name)
        with zipfile.ZipFile(path) as archive:
            for group in groups:
                self.check_svg(archive.read(attribute(group[1][0], "href")))

    def check_svg(self, data):
        self.assertEqual(local(ElementTree.fromstring(data)), "svg")

    def look_at_slides(self, path):
        slides = self.parts(path, r"ppt/slides/slide\d+\.xml")
        pictures = [
            attribute(element, "descr") for slide in slides for element in slide.iter()
            if local(element) == "cNvPr" and attribute(element, "descr")]
        self.check_alternatives([text.split("  offstage-pictures/")[0] for text in pictures])
        texts = ["".join(slide.itertext()) for slide in slides]
        self.assertTrue(any("Passengers per line, in thousands" in text for text in texts))
        self.assertFalse(any("Bars: West" in text for text in texts), "an alternative text is no caption")

    def look_at_book(self, path):
        with zipfile.ZipFile(path) as archive:
            text = "".join(archive.read(part).decode() for part in archive.namelist() if part.endswith(".xhtml"))
            pictures = [part for part in archive.namelist() if part.endswith(".svg")]
            self.assertEqual(len(pictures), 6)
            for part in pictures:
                self.check_svg(archive.read(part))
        self.assertEqual(len(re.findall("<img ", text)), 6)
        self.assertIn(f'alt="{ALT["chart"]}"', text)

    def look_at_page(self, example):
        text = (example / "report.html").read_text()
        sources = re.findall(r'<img\s+src="(offstage-pictures/(\w+)-\w{12}\.svg)"([^>]*)>', text)
        self.assertEqual([name for _, name, _ in sources], NAMES)
        for path, name, rest in sources:
            root = ElementTree.parse(example / path).getroot()
            # A picture that fits its content may be a fraction of a CSS px narrower than requested.
            width, height = (math.ceil(float(root.get(side).removesuffix("px"))) for side in ("width", "height"))
            self.assertIn(f'width="{width}"', rest)
            self.assertIn(f'height="{height}"', rest)
            if name in WIDTHS:
                self.assertEqual(width, WIDTHS[name])
        self.assertIn("<figcaption>Passengers per line, in <em>thousands</em></figcaption>", re.sub(r"\s+", " ", text))

    def test_one_change_draws_one_picture(self):
        self.convert("report.md", "report.html")
        self.drawn()
        report = self.folder / "example/report.md"
        report.write_text(report.read_text().replace("<b>412,806</b>", "<b>412,807</b>"))
        self.convert("report.md", "report.html")
        [name] = self.drawn()
        self.assertTrue(name.startswith("figures-"))
        # A file that a snippet uses counts as part of the snippet.
        timetable = self.folder / "example/timetable.html"
        timetable.write_text(timetable.read_text().replace("22.30", "22.20"))
        self.convert("report.md", "report.html")
        [name] = self.drawn()
        self.assertTrue(name.startswith("timetable-"))

    def test_the_snippets_of_this_readme(self):
        snippets = "\n\n".join(
            re.findall(r"^````markdown\n(.*?)^````$", (self.source / "README.md").read_text(), re.M | re.S)
            + blocks(self.source / "README.md", "markdown"))
        [settings] = blocks(self.source / "README.md", "yaml")
        (self.folder / "example/a.md").write_text(f"---\n{settings}---\n\n{snippets}\n\n```{{=html}}\n<i>raw</i>\n```\n")
        (self.folder / "out").mkdir()
        self.convert("a.md", "../out/a.html")
        text = (self.folder / "out/a.html").read_text()
        self.assertEqual(len(re.findall(r'src="pictures/', text)), 6)
        for path in re.findall(r'src="(pictures/[^"]*)"', text):
            self.assertEqual(png_size(self.folder / "out" / path)[2], 11339)  # format: png, scale: 3
        self.assertIn('alt="raw"', text)
        # pandoc finds the pictures, although their paths are relative to the output. Embedded pictures need no path at all.
        self.convert("a.md", "../out/b.html", "--self-contained", "--metadata", "title=b")
        self.assertEqual((self.folder / "out/b.html").read_text().count("data:image/png;base64"), 6)
        self.assertRegex(re.sub(r"\s+", " ", text), r'line is <img src="pictures/\w+\.png"[^>]*alt="open"[^>]*> again\.')

    def test_the_format_is_the_targets_or_as_asked_for(self):
        (self.folder / "example/a.md").write_text(
            "```{.offstage}\nfirst\n```\n\n```{.offstage format='jpeg:quality=80'}\nsecond\n```\n"
            "\n```{.offstage format=pdf}\nthird\n```\n")
        for target, own in [
            ("html", "svg"), ("revealjs", "svg"), ("epub3", "svg"), ("odt", "svg"), ("latex", "pdf"), ("beamer", "pdf"),
            ("context", "pdf"), ("docx", "png"), ("pptx", "png"), ("epub2", "png"), ("rst", "png"),
        ]:
            for settings, first in [((), own), (("--metadata-file", "settings.yaml"), "webp")]:
                (self.folder / "example/settings.yaml").write_text("offstage:\n  format: webp\n  scale: 1\n")
                self.convert("a.md", "a.out", "--to", target, *settings)
                drawn = sorted((self.folder / "example/offstage-pictures").iterdir())
                self.assertEqual(sorted(file.suffix for file in drawn), sorted([f".{first}", ".jpg", ".pdf"]), target)
                for file in drawn:
                    file.unlink()

    def test_a_picture_that_cannot_be_a_vector_is_pixels(self):
        columns = "<div style='column-count:2'><p>left<p>right</div>"
        (self.folder / "example/a.md").write_text(
            f"```{{.offstage}}\nfine\n```\n\n```{{.offstage}}\n{columns}\n```\n\n"
            "```{.offstage scale=1}\n<p style='height:20000px'>tall\n```\n")
        said = self.convert("a.md", "a.tex")
        text = (self.folder / "example/a.tex").read_text()
        self.assertEqual(re.findall(r"offstage-pictures/\w+\.(\w+)", text), ["pdf", "png", "png"])
        self.assertIn('offstage.lua: snippet 2 "left right": PNG, not a vector picture: columns merged into one, because WebKit does not print columns: 1 element\n', said)
        self.assertIn('offstage.lua: snippet 3 "tall": PNG, not a vector picture: too large for one\n', said)
        # A user who requests a vector picture gets one, with warnings about its gaps.
        (self.folder / "example/a.md").write_text(f"```{{.offstage format=pdf}}\n{columns}\n```\n")
        self.assertEqual(
            self.convert("a.md", "a.tex"), 'offstage.lua: snippet 1 "left right": columns merged into one, because WebKit does not print columns: 1 element\n')
        self.assertIn(".pdf}", (self.folder / "example/a.tex").read_text())

    def test_emoji_keep_their_colours_in_libreoffice(self):
        (self.folder / "example/a.md").write_text(
            "```{.offstage width=100}\n<p style='font:60px/80px sans-serif;margin:0'>\U0001f7e5\n```\n")
        self.convert("a.md", "a.odt")
        self.run_tool("soffice", "--headless", "--convert-to", "pdf", "--outdir", "office", "example/a.odt")
        self.run_tool("pdftoppm", "-r", "40", "-png", "office/a.pdf", "page")
        [page] = self.folder.glob("page*.png")
        colours = self.run_tool("convert", page, "-unique-colors", "txt:")
        self.assertRegex(colours, r"#[C-F][0-9A-F][0-5][0-9A-F][0-5][0-9A-F]")

    def test_a_line_of_text(self):
        (self.folder / "example/a.md").write_text("One `<b>a &lt; b</b>`{.offstage width=fit} two\n")
        self.convert("a.md", "a.odt")
        [content] = self.parts(self.folder / "example/a.odt", "content.xml")
        [group] = [element for element in content.iter() if local(element) == "g"]
        self.assertEqual(group[0].text, "a < b")
        self.assertEqual(group.tail, " two")
        self.convert("a.md", "a.pptx")
        slides = self.parts(self.folder / "example/a.pptx", r"ppt/slides/slide\d+\.xml")
        self.assertIn("One a < b two", "".join(text for slide in slides for text in slide.itertext()))

    def test_what_is_in_a_snippet_is_a_part_of_it(self):
        (self.folder / "example/a.md").write_text(
            "::: {.offstage #all}\nA `b`{.offstage} c\n\n```{.offstage}\n<p>HTML\n```\n:::\n")
        self.convert("a.md", "a.html")
        self.assertEqual(len(self.drawn()), 1)
        text = (self.folder / "example/a.html").read_text()
        self.assertIn('alt="A b c &lt;p&gt;HTML"', re.sub(r"\s+", " ", text))

    def test_a_snippet_that_fails_is_told_in_its_place(self):
        (self.folder / "example/a.md").write_text(
            "```{.offstage}\nfine\n```\n\n```{.offstage selector='.none'}\nsecret\n```\n")
        said = self.convert("a.md", "a.html")
        text = (self.folder / "example/a.html").read_text()
        self.assertEqual(text.count("<img"), 1)
        self.assertRegex(text, r"(?s)<strong>\[There is no\s+picture: .*\.none")
        self.assertEqual(said.count("nothing visible"), 1)
        # The author finds the snippet by its first words; the document's readers do not see them.
        self.assertIn('offstage.lua: snippet 2 "secret": nothing visible', said)
        self.assertNotIn("secret", text)
        page = self.folder / "example/a.md"
        page.write_text("---\noffstage:\n  fail: true\n---\n\n" + page.read_text())
        (self.folder / "example/a.html").unlink()
        said = self.convert("a.md", "a.html", code=1)
        self.assertIn("1 of the pictures failed", said)
        self.assertFalse((self.folder / "example/a.html").exists())

    def test_what_a_picture_lacks_is_told(self):
        (self.folder / "example/a.md").write_text(
            "```{.offstage}\nfine\n```\n\n```{.offstage}\n<img src=none.png>\n```\n")
        said = self.convert("a.md", "a.html")
        self.assertEqual(said, "offstage.lua: snippet 2: not found in the base folder: none.png\n")

    def test_a_bad_snippet_is_named(self):
        page = self.folder / "example/a.md"
        words = "<style>p {}</style><p>The <b>weather</b> in the mountains, as it was seen from the pass</p>"
        for attributes, html, name in [
            ("", words, "The weather in the mountains, as it was …"), ("#pass", words, "#pass"),
            ("file=none.html", "", "none.html"),
        ]:
            page.write_text(f"```{{.offstage {attributes}}}\nfine\n```\n\n" if "file" not in attributes else "")
            with page.open("a") as file:
                file.write(f"```{{.offstage {attributes} widht=300}}\n{html}\n```\n")
            said = self.convert("a.md", "a.html", code=1)
            number = 1 if "file" in attributes else 2
            self.assertIn(f'offstage.lua: snippet {number} "{name}": there is no key "widht"', said)
            # The messages do not contain the checksum from the name of the snippet's picture.
            self.assertNotRegex(said, r"[0-9a-f]{12}|standard input")

    def test_wrong_options_and_a_missing_program(self):
        page = self.folder / "example/a.md"
        page.write_text("```{.offstage widht=300}\nx\n```\n")
        said = self.convert("a.md", "a.html", code=1)
        self.assertIn('no key "widht"', said)
        self.assertNotIn("stack traceback", said)
        said = self.convert("a.md", "a.html", code=1, environment={"OFFSTAGE": "no-such-program"})
        self.assertIn('cannot run "no-such-program"', said)
        # A document without snippets does not need the program.
        page.write_text("text\n")
        self.convert("a.md", "a.html", environment={"OFFSTAGE": "no-such-program"})

    def test_texts_of_all_kinds_come_through(self):
        text = 'quote " back \\ slash \\n tab\there "é中🎉" &lt;b&gt; \u2028 e&#1;nd'
        (self.folder / "example/a.md").write_text(f"```{{.offstage}}\n<p>{text}</p>\n```\n")
        self.convert("a.md", "a.json")
        document = json.loads((self.folder / "example/a.json").read_text())
        alt = document["blocks"][0]["c"][0]["c"][1][0]["c"]
        self.assertEqual(alt.split(), text.replace("&lt;", "<").replace("&gt;", ">").replace("&#1;", " ").split())

    def test_libreoffice_reads_the_sizes_and_alternatives(self):
        self.convert("report.md", "report.odt")
        self.run_tool("soffice", "--headless", "--convert-to", "docx", "--outdir", "office", "example/report.odt")
        [document] = self.parts(self.folder / "office/report.docx", "word/document.xml")
        inlines = [element for element in document.iter() if local(element) in ("inline", "anchor")]
        self.check_alternatives([
            attribute(element, "descr") for inline in inlines for element in inline if local(element) == "docPr"])
        [extent] = [element for element in inlines[1] if local(element) == "extent"]
        self.assertAlmostEqual(int(extent.get("cx")), 560 * EMU, delta=2000)


class LaTeXTest(IntegrationTest):
    source = PandocTest.source

    def test_the_example_as_a_pdf_file(self):
        run_example(self, with_latex=True)
        self.assertEqual(len(self.drawn()), 6)
        self.look_at_pdf(self.folder / "example/report.pdf")

    def look_at_pdf(self, path):
        # The only images are three emoji, whose font has no outlines.
        images = [line.split() for line in self.run_tool("pdfimages", "-list", path).splitlines()[2:]]
        self.assertEqual([image[3] for image in images if image[2] == "image"], ["80"] * 3)
        self.assertIn("Pages:           3", self.run_tool("pdfinfo", path))
        # The pictures' text is real text in its own fonts, like the document's text around them.
        text = self.run_tool("pdftotext", path, "-")
        for words in ("Kittiwake", "412,806", "58,114", "朝日を見ながら出勤", "22.30", "storm"):
            self.assertIn(words, text)
        self.assertRegex(self.run_tool("pdffonts", path), r"\+DejaVuSans-Bold +CID TrueType +Identity-H +yes yes yes")
        # A table 420 CSS px wide, with a padding of 8 CSS px on either side. A CSS px is 3/4 of a point.
        self.assertAlmostEqual(self.right_of("16,870", path) - self.left_of("Month", path), (420 - 16) * 0.75, delta=0.5)
        # Some page shows the blue of the chart's bars.
        self.run_tool("pdftoppm", "-r", "40", "-png", path, "page")
        colours = self.run_tool("convert", *sorted(self.folder.glob("page*.png")), "-append", "-unique-colors", "txt:")
        self.assertRegex(colours, r"#(3[0-9A-F]|2[0-9A-F])(8|9|A)[0-9A-F](C|D)[0-9A-F]")

    def words(self, path):
        """Each word of a PDF, with its left and right edges in points."""
        text = self.run_tool("pdftotext", "-bbox", path, "-")
        found = re.findall(r'<word xMin="([\d.]+)" yMin="[\d.]+" xMax="([\d.]+)" yMax="[\d.]+">([^<]*)<', text)
        return [(word, float(left), float(right)) for left, right, word in found]

    def left_of(self, wanted, path):
        return [left for word, left, _ in self.words(path) if word == wanted][-1]

    def right_of(self, wanted, path):
        return [right for word, _, right in self.words(path) if word == wanted][-1]


if __name__ == "__main__":
    unittest.main()
