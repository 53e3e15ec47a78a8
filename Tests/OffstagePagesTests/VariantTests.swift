import Foundation
import Offstage
import PageSamples
import Testing

@testable import OffstagePages

struct VariantTests {
    /// A green square over the middle of the page.
    private func annotated(flags: Int = 0, kind: String = "Square") -> PageDocument {
        let first = TestPDF.firstExtra()
        let annotation =
            "<< /Type /Annot /Subtype /\(kind) /Rect [80 30 120 70] /F \(flags) /AP << /N \(first + 1) 0 R >> >>"
        let look = TestPDF.stream(
            "0 1 0 rg 0 0 40 40 re f", entries: "/Type /XObject /Subtype /Form /BBox [0 0 40 40]")
        return TestPDF(
            TestPDF.redLeft, entries: "/MediaBox [0 0 200 100] /Annots [\(first) 0 R]", extra: [annotation, look]
        ).document
    }

    private let fit = FitBox(width: 200, height: 100)

    @Test func onlyTheAnnotatedPictureHasAnnotations() async throws {
        let document = annotated()
        try await withPages { engine async throws in
            let plain = try await engine.pixels(DocumentPage(document, fit: fit, variant: .plain))
            let full = try await engine.pixels(DocumentPage(document, fit: fit))
            #expect(plain.color(90, 50) == 0xFF0000 && plain.color(110, 50) == 0xFFFFFF)
            #expect(full.color(90, 50) == 0x00FF00 && full.color(110, 50) == 0x00FF00)
            #expect(full.color(20, 50) == 0xFF0000)
        }
    }

    @Test(arguments: [2, 32]) func hiddenAnnotationsAreNotDrawn(flags: Int) async throws {
        let document = annotated(flags: flags)
        try await withPages { engine async throws in
            #expect(try await engine.pixels(DocumentPage(document, fit: fit)).color(90, 50) == 0xFF0000)
        }
    }

    /// Bit 3 is for printing; a viewer draws an annotation without it.
    @Test func anAnnotationNeedsNoFlagForPrinting() async throws {
        let document = annotated(flags: 0)
        try await withPages { engine async throws in
            #expect(try await engine.pixels(DocumentPage(document, fit: fit)).color(90, 50) == 0x00FF00)
        }
    }

    @Test func annotationsWithoutAnAppearanceAreDrawn() async throws {
        let first = TestPDF.firstExtra()
        let highlight =
            "<< /Type /Annot /Subtype /Highlight /Rect [120 30 180 70] /C [0 0 1] /QuadPoints [120 70 180 70 120 30 180 30] >>"
        let document = TestPDF(entries: "/MediaBox [0 0 200 100] /Annots [\(first) 0 R]", extra: [highlight]).document
        try await withPages { engine async throws in
            #expect(try await engine.pixels(DocumentPage(document, fit: fit)).color(150, 50) == 0x0000FF)
            #expect(try await engine.pixels(DocumentPage(document, fit: fit, variant: .plain)).ink == 0)
        }
    }

    @Test func fieldsBelongToThePlainPicture() async throws {
        let first = TestPDF.firstExtra()
        let field =
            "<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /Rect [80 30 120 70] /AP << /N \(first + 1) 0 R >> >>"
        let look = TestPDF.stream(
            "0 1 0 rg 0 0 40 40 re f", entries: "/Type /XObject /Subtype /Form /BBox [0 0 40 40]")
        let note = "<< /Type /Annot /Subtype /Square /Rect [0 0 20 20] /C [0 0 1] /IC [0 0 1] >>"
        func document(_ annotations: String) -> PageDocument {
            TestPDF(
                entries: "/MediaBox [0 0 200 100] /Annots [\(annotations)]",
                catalog: "/AcroForm << /Fields [\(first) 0 R] >>", extra: [field, look, note]
            ).document
        }
        try await withPages { engine async throws in
            for (annotations, isNoted) in [("\(first) 0 R", false), ("\(first) 0 R \(first + 2) 0 R", true)] {
                let document = document(annotations)
                let plain = try await engine.pixels(DocumentPage(document, fit: fit, variant: .plain))
                let full = try await engine.pixels(DocumentPage(document, fit: fit))
                #expect(plain.color(100, 50) == 0x00FF00 && full.color(100, 50) == 0x00FF00)
                #expect(plain.color(10, 90) == 0xFFFFFF && (full.color(10, 90) != 0xFFFFFF) == isNoted)
            }
        }
    }

    /// Viewers show these annotations without an appearance, but PDFium alone does not.
    @Test func linesPolygonsAndBordersOfLinksAreDrawn() async throws {
        let annotations =
            "<< /Type /Annot /Subtype /Line /Rect [0 0 100 100] /L [10 50 90 50] /C [1 0 0] /Border [0 0 6] >> "
            + "<< /Type /Annot /Subtype /Polygon /Rect [100 0 200 50] /Vertices [110 10 190 10 190 40 110 40] /C [0 0 1] "
            + "/Border [0 0 6] >> "
            + "<< /Type /Annot /Subtype /Link /Rect [120 60 180 90] /Border [0 0 6] /C [0 1 0] "
            + "/A << /S /URI /URI (https://example.org/) >> >> "
            + "<< /Type /Annot /Subtype /Link /Rect [10 70 40 90] /A << /S /URI /URI (https://example.org/) >> >>"
        let document = TestPDF("", entries: "/MediaBox [0 0 200 100] /Annots [\(annotations)]").document
        try await withPages { engine async throws in
            let plain = try await engine.pixels(DocumentPage(document, fit: fit, variant: .plain))
            #expect(plain.ink == 0)
            // The document is still open and has the generated appearances.
            for _ in 0..<2 {
                let full = try await engine.pixels(DocumentPage(document, fit: fit))
                #expect(full.color(50, 50) == 0xFF0000)
                #expect(full.color(150, 90) == 0x0000FF && full.color(150, 75) == 0xFFFFFF)
                #expect(full.color(150, 12) == 0x00FF00 && full.color(150, 25) == 0xFFFFFF)
                #expect(full.color(25, 10) == 0xFFFFFF)
            }
            let again = try await engine.pixels(DocumentPage(document, fit: fit, variant: .plain))
            #expect(again.ink == 0)
        }
    }

    @Test func aThumbnailIsDrawnAtItsOwnSize() async throws {
        let document = annotated()
        try await withPages { engine async throws in
            var page = DocumentPage(document, fit: FitBox(width: 800, height: 800), variant: .thumbnail)
            page.thumbnail = FitBox(width: 100, height: 100)
            let small = try await engine.pixels(page)
            #expect(small.size == size(100, 50))
            #expect(small.color(45, 25) == 0x00FF00 && small.color(10, 25) == 0xFF0000)
            let fitted = try await engine.pixels(DocumentPage(document, fit: FitBox(width: 100, height: 100)))
            #expect(small.bytes == fitted.bytes)
            page.clip = ClipBox(x: 400, y: 0, width: 400, height: 400)
            #expect(try await engine.pixels(page).size == size(100, 100))
            // A page that is smaller than the thumbnail's box is not enlarged.
            page.clip = nil
            page.fit = FitBox(width: 40, height: 40)
            #expect(try await engine.pixels(page).size == size(40, 20))
        }
    }

    /// The standard's largest page, a page with a larger unit, and a narrow strip: full pictures of them would be too
    /// large.
    @Test(arguments: [
        ("/MediaBox [0 0 14400 14400] /UserUnit 10", 256, 256), ("/MediaBox [0 0 100 200000]", 1, 256),
        ("/MediaBox [0 0 14400 7200] /UserUnit 10", 256, 128),
    ]) func theLargestPageHasAThumbnail(entries: String, width: Int, height: Int) async throws {
        let document = TestPDF("1 0 0 rg 0 0 300000 300000 re f", entries: entries).document
        try await withPages { engine async throws in
            let small = try await engine.pixels(DocumentPage(document, variant: .thumbnail))
            #expect(small.size == size(width, height) && small.color(width / 2, height / 2) == 0xFF0000)
            guard case .tooLarge = await engine.failure(DocumentPage(document)) else {
                Issue.record("the whole page is drawn")
                return
            }
        }
    }
}
