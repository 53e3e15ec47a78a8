import Foundation
import Offstage
import PageSamples
import Testing

@testable import OffstagePages

/// The worker keeps a document open for the next page.
struct OpenDocumentTests {
    private func document(_ color: String) -> PageDocument {
        TestPDF(pages: (0..<3).map { _ in .init(content: "\(color) rg 0 0 200 100 re f") }).document
    }

    @Test func documentsAreNotMixedUp() async throws {
        let (red, green) = (document("1 0 0"), document("0 1 0"))
        try await withPages { engine async throws in
            for page in 1...3 {
                #expect(try await engine.pixels(DocumentPage(red, page: page)).color(9, 9) == 0xFF0000)
                #expect(try await engine.pixels(DocumentPage(green, page: page)).color(9, 9) == 0x00FF00)
            }
        }
    }

    @Test func anEncryptedDocumentStaysClosedWithoutItsPassword() async throws {
        let document = PageDocument(try encrypted(TestPDF(TestPDF.redLeft).data, password: "secret"))
        try await withPages { engine async throws in
            var page = DocumentPage(document)
            page.password = "secret"
            #expect(try await engine.pixels(page).color(9, 9) == 0xFF0000)
            page.password = nil
            #expect(await engine.failure(page)?.problemCode == "password-required")
        }
    }

    /// Annotations without an appearance get one when they are drawn, but the plain picture must not show it.
    @Test func whatWasDrawnBeforeDoesNotChangeAPicture() async throws {
        let first = TestPDF.firstExtra()
        let notes = [
            "<< /Type /Annot /Subtype /Square /Rect [10 10 60 60] /C [0 0 1] >>",
            "<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /V (text) /DA (/F1 12 Tf) /Rect [80 30 180 70] >>",
        ]
        let document = TestPDF(
            TestPDF.redLeft, entries: "/MediaBox [0 0 200 100] /Annots [\(first) 0 R \(first + 1) 0 R]",
            catalog: "/AcroForm << /NeedAppearances true /Fields [\(first + 1) 0 R] /DR << /Font << /F1 3 0 R >> >> >>",
            extra: notes
        ).document
        func pictures(_ order: [PageVariant]) async throws -> [PageVariant: [UInt8]] {
            try await withPages { engine async throws in
                var all: [PageVariant: [UInt8]] = [:]
                for variant in order {
                    all[variant] = try await engine.pixels(DocumentPage(document, variant: variant)).bytes
                }
                return all
            }
        }
        let one = try await pictures([.plain, .annotated])
        #expect(try await pictures([.annotated, .plain]) == one)
        #expect(one[.plain] != one[.annotated])
    }
}
