import Foundation
import Offstage
import PageSamples
import Testing

@testable import OffstagePages

/// More than 30 kinds of annotation: the annotated picture differs from the plain one at their positions, and nowhere
/// else.
struct AnnotationKindTests {
    private static let fit = FitBox(width: 200, height: 200)

    /// The part of the page in which two pictures differ; nil if they are equal.
    private func difference(_ document: PageDocument, page: Int, _ engine: PageEngine) async throws -> PagePart? {
        let plain = try await engine.pixels(DocumentPage(document, page: page, fit: Self.fit, variant: .plain))
        let annotated = try await engine.pixels(DocumentPage(document, page: page, fit: Self.fit))
        let (width, height) = (plain.size.width, plain.size.height)
        #expect(annotated.size == plain.size)
        var box: (left: Int, top: Int, right: Int, bottom: Int)?
        for y in 0..<height {
            let (a, b) = (plain.withRow(y) { Array($0) }, annotated.withRow(y) { Array($0) })
            for x in 0..<width where a[4 * x..<4 * x + 4] != b[4 * x..<4 * x + 4] {
                let old = box ?? (x, y, x, y)
                box = (min(old.left, x), min(old.top, y), max(old.right, x), max(old.bottom, y))
            }
        }
        return box.map {
            PagePart(
                x: Double($0.left) / Double(width), y: Double($0.top) / Double(height),
                width: Double($0.right + 1 - $0.left) / Double(width),
                height: Double($0.bottom + 1 - $0.top) / Double(height))
        }
    }

    /// Whether a part is inside another one, with a tolerance of one device px.
    private func isInside(_ inner: PagePart, _ outer: PagePart) -> Bool {
        let slack = 1.0 / 200 + 1e-6
        return inner.x >= outer.x - slack && inner.y >= outer.y - slack && inner.right <= outer.right + slack
            && inner.bottom <= outer.bottom + slack
    }

    /// Pages from MuPDF with an appearance for each annotation. `Tests/Annotations/write-annotations.js` writes them.
    @Test func thoseOfMuPDF() async throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Annotations/annotations.pdf").path
        let document = try PageDocument(contentsOf: path)
        try await withPages { engine async throws in
            let count = try await engine.pageCount(of: document)
            #expect(count == 32)
            for page in 1...count {
                let name = try await engine.text(of: document, page: page).text
                let annotations = try await engine.annotations(of: document, page: page)
                // Notes and files have a pop-up window, which is not part of the page.
                #expect(annotations.count == 1 || ["note", "file"].contains(name.trimmingCharacters(in: .whitespaces)))
                let difference = try await difference(document, page: page, engine)
                if name.contains("hidden") || name.contains("not viewed") {
                    #expect(difference == nil, "\(name)")
                } else if let difference {
                    #expect(isInside(difference, annotations[0].part), "\(name): \(difference), \(annotations[0].part)")
                    // More than a tiny speck.
                    #expect(difference.width > 0.03 && difference.height > 0.001, "\(name)")
                } else {
                    Issue.record("\(name) is not drawn")
                }
            }
        }
    }

    /// Whether an annotation without an appearance is drawn.
    private static let raw: [(entries: String, isDrawn: Bool)] = [
        ("/Subtype /Text /Contents (A note)", true), ("/Subtype /Square", true),
        ("/Subtype /Square /BS << /W 4 >>", true), ("/Subtype /Square /BS << /W 3 /S /D /D [6 3] >>", true),
        ("/Subtype /Square /Border [0 0 5]", true), ("/Subtype /Square /Border [0 0 0]", false),
        ("/Subtype /Square /IC [0 1 0]", true), ("/Subtype /Square /IC [0 1 0] /CA 0.5", true),
        ("/Subtype /Circle", true), ("/Subtype /Circle /BS << /W 4 >>", true),
        ("/Subtype /Circle /BS << /W 3 /S /D /D [6 3] >> /IC [1 1 0]", true),
        ("/Subtype /Line /L [60 60 140 140]", true), ("/Subtype /Line /L [60 60 140 140] /Border [0 0 6]", true),
        ("/Subtype /Line /L [60 60 140 140] /LE [/OpenArrow /ClosedArrow]", true),
        ("/Subtype /Polygon /Vertices [60 60 100 140 140 60]", true),
        ("/Subtype /PolyLine /Vertices [60 60 100 140 140 60]", true),
        ("/Subtype /PolyLine /Vertices [60 60 100 140 140 60] /Border [0 0 4]", true),
        ("/Subtype /Highlight /QuadPoints [60 110 140 110 60 90 140 90]", true),
        ("/Subtype /Underline /QuadPoints [60 110 140 110 60 90 140 90]", true),
        ("/Subtype /Squiggly /QuadPoints [60 110 140 110 60 90 140 90]", true),
        ("/Subtype /StrikeOut /QuadPoints [60 110 140 110 60 90 140 90]", true),
        ("/Subtype /Ink /InkList [[60 60 100 140 140 60]]", true),
        ("/Subtype /Ink /InkList [[60 60 100 140 140 60]] /BS << /W 5 >>", true),
        ("/Subtype /Link /Border [0 0 3]", true), ("/Subtype /Link /Border [0 0 0]", false),
        ("/Subtype /Popup", false), ("/Subtype /Square /F 2", false), ("/Subtype /Square /F 32", false),
        ("/Subtype /Square /F 4", true),
        // Most of them need symbols from the viewer, and PDFium has none.
        ("/Subtype /FreeText /Contents (Words) /DA (/Helv 12 Tf 0 g)", true),
        ("/Subtype /FreeText /Contents (Words)", true), ("/Subtype /Stamp /Name /Approved", false),
        ("/Subtype /Caret", false), ("/Subtype /FileAttachment", false), ("/Subtype /Sound", false),
        ("/Subtype /Screen", false), ("/Subtype /Redact", false), ("/Subtype /Unknown", false),
    ]

    @Test func thoseWithoutAnAppearance() async throws {
        let first = TestPDF.firstExtra(pages: Self.raw.count)
        var pdf = TestPDF(
            pages: Self.raw.indices.map {
                .init(
                    entries: "/MediaBox [0 0 200 200] /Annots [\(first + $0) 0 R]",
                    content: "0.9 g 20 20 160 160 re f")
            })
        pdf.extra = Self.raw.map { "<< /Type /Annot /Rect [50 50 150 150] /C [1 0 0] \($0.entries) >>" }
        let document = pdf.document
        try await withPages { engine async throws in
            for (index, kind) in Self.raw.enumerated() {
                let difference = try await difference(document, page: index + 1, engine)
                #expect((difference != nil) == kind.isDrawn, "\(kind.entries)")
                guard let difference else { continue }
                let part = PagePart(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
                #expect(isInside(difference, part), "\(kind.entries): \(difference)")
            }
        }
    }
}
