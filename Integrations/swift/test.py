#!/usr/bin/env python3
"""Builds a host as a separate package, whose build folder has no worker programs. It draws an image file and a PDF page."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

MANIFEST = """\
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "host",
    dependencies: [.package(name: "offstage", path: "PATH")],
    targets: [
        .executableTarget(
            name: "host",
            dependencies: ["Offstage", "OffstageImages", "OffstagePages"].map {
                .product(name: $0, package: "offstage")
            })
    ]
)
"""

PROGRAM = """\
import Offstage
import OffstageImages
import OffstagePages

let renderer = Renderer(engines: [ImageEngine(workers: 1), PageEngine(workers: 1)])
do {
    let image = try await renderer.picture(for: ImageFile(contentsOf: "a.png"))
    let page = try await renderer.picture(for: DocumentPage(PageDocument(contentsOf: "a.pdf"), page: 1))
    print(image.size, page.size)
} catch { print(error) }
await renderer.finish()
"""


def png():
    """A picture of 2 by 1 px."""

    def chunk(kind, data):
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    head = bytes([0, 0, 0, 2, 0, 0, 0, 1, 8, 2, 0, 0, 0])
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(7))) + chunk(b"IEND", b"")


def pdf():
    """A page of 30 by 20 points, which is 40 by 27 px. Readers find the objects without a table."""
    return (
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
        b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 30 20]>>endobj\ntrailer<</Root 1 0 R>>\n"
    )


class SwiftHostTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="offstage-")
        cls.addClassCleanup(holder.cleanup)
        cls.folder = Path(holder.name)
        (cls.folder / "Sources/host").mkdir(parents=True)
        (cls.folder / "Package.swift").write_text(MANIFEST.replace("PATH", str(ROOT)))
        (cls.folder / "Sources/host/main.swift").write_text(PROGRAM)
        (cls.folder / "a.png").write_bytes(png())
        (cls.folder / "a.pdf").write_bytes(pdf())
        # The compiler leaves files in the temporary folder.
        environment = {**os.environ, "TMPDIR": holder.name}
        subprocess.run([os.environ.get("SWIFT", "swift"), "build", "--quiet"], cwd=cls.folder, env=environment, check=True)

    def run_host(self, **variables):
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), **variables}
        done = subprocess.run(
            [".build/debug/host"], cwd=self.folder, env=environment, stdout=subprocess.PIPE, text=True, check=True
        )
        return done.stdout

    def test_workers_of_the_checkout(self):
        """The host finds the workers that `make build` has built in the checkout."""
        self.assertEqual(self.run_host(), "2 × 1 40 × 27\n")

    def test_workers_that_a_variable_names(self):
        """The folder has a single worker, which does not start. The error shows that it was used."""
        folder = self.folder / "workers"
        folder.mkdir()
        worker = folder / "offstage-image"
        shutil.copy("/bin/true", worker)
        self.assertIn("offstage-image does not start", self.run_host(OFFSTAGE_WORKERS=str(folder)))
        worker.unlink()
        self.assertEqual(self.run_host(OFFSTAGE_WORKERS=str(folder)), "2 × 1 40 × 27\n")


if __name__ == "__main__":
    unittest.main()
