import Offstage
import PageSamples
import Testing

@testable import OffstagePages

/// Drawings have the same pixels in any order.
///
/// If a document lacks a font, PDFium substitutes a single font, whose width and weight depend on the last letter
/// drawn. A font without widths takes its widths from the substitute.
struct DrawingOrderTests {
    private func document(_ name: String, weight: Int, widths: Int?, flags: Int = 32) -> PageDocument {
        let first = TestPDF.firstExtra()
        let list = widths.map { "/FirstChar 65 /LastChar 70 /Widths [\($0) \($0) \($0) \($0) \($0) \($0)]" } ?? ""
        let entries = "/MediaBox [0 0 200 100] /Resources << /Font << /F2 \(first) 0 R >> >>"
        let font =
            "<< /Type /Font /Subtype /TrueType /BaseFont /\(name) \(list) /FontDescriptor \(first + 1) 0 R >>"
        let descriptor =
            "<< /Type /FontDescriptor /FontName /\(name) /Flags \(flags) /StemV \(weight / 5) /FontWeight \(weight) "
            + "/ItalicAngle 0 /Ascent 800 /Descent -200 /FontBBox [0 -200 1000 800] >>"
        let data = TestPDF.file([
            "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [4 0 R] /Count 1 >>", "null",
            "<< /Type /Page /Parent 2 0 R \(entries) /Contents 5 0 R >>",
            TestPDF.stream("BT /F2 24 Tf 10 40 Td (ABCDEF) Tj ET"), font, descriptor,
        ])
        return PageDocument(data)
    }

    private var documents: [PageDocument] {
        [
            document("Garamond", weight: 400, widths: 900), document("Optima", weight: 400, widths: nil),
            document("Futura", weight: 900, widths: 300), document("Palatino", weight: 400, widths: nil, flags: 34),
            document("Didot", weight: 700, widths: 700, flags: 34), document("Univers", weight: 200, widths: nil),
        ]
    }

    @Test func textWithoutAFontIsTheSameInAnyOrder() async throws {
        let documents = documents
        var alone: [[UInt8]] = []
        for document in documents {
            alone.append(try await withPages { try await $0.pixels(DocumentPage(document)).bytes })
        }
        for order in [Array(documents.indices), documents.indices.reversed(), [1, 0, 1, 2, 1, 3, 4, 3, 5, 0, 5]] {
            try await withPages { engine async throws in
                for index in order {
                    #expect(try await engine.pixels(DocumentPage(documents[index])).bytes == alone[index])
                }
            }
        }
    }

    /// The positions of words depend on the same widths.
    @Test func wordsAreAtTheSamePlacesInAnyOrder() async throws {
        let documents = documents
        let alone = try await withPages { try await $0.text(of: documents[1], page: 1) }
        try await withPages { engine async throws in
            _ = try await engine.pixels(DocumentPage(documents[0]))
            #expect(try await engine.text(of: documents[1], page: 1) == alone)
        }
    }
}
