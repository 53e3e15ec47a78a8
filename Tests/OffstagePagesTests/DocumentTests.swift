import Foundation
import Offstage
import OffstageWorkers
import PageSamples
import Testing

@testable import OffstagePages

/// Errors and warnings in words that users understand.
struct DocumentTests {
    /// A caller who needs only the number of pages and a few sizes does not wait for all pages.
    @Test func theFirstPagesAreEnough() async throws {
        let pages = (1...3).map { TestPDF.Page(entries: "/MediaBox [0 0 \($0)00 100]") }
        try await withPages { engine async throws in
            let document = TestPDF(pages: pages).document
            let info = try await engine.info(of: document, pages: 2)
            #expect(info.pageCount == 3 && info.pages.map(\.width) == [100, 200])
            let all = try await engine.info(of: document)
            #expect(all.pageCount == 3 && all.pages.map(\.width) == [100, 200, 300])
        }
    }

    @Test func aMissingPageIsNamedWithTheNumberOfPages() async throws {
        let document = TestPDF(pages: [.init(), .init()]).document
        try await withPages { engine async throws in
            let error = await engine.failure(DocumentPage(document, page: 3))
            #expect(error == PageFailure.noSuchPage(3, count: 2).error)
            #expect("\(error!)" == "there is no page 3; the document has 2 pages")
            #expect(await engine.failure(DocumentPage(document, page: .max)) != nil)
            #expect(await engine.failure(DocumentPage(document, page: 2)) == nil)
        }
    }

    @Test(arguments: ["", "secret", "pässwörd"]) func aPasswordOpensAnEncryptedDocument(password: String) async throws {
        let document = PageDocument(try encrypted(TestPDF(TestPDF.redLeft).data, password: password))
        try await withPages { engine async throws in
            var page = DocumentPage(document)
            let error = await engine.failure(page)
            #expect(error?.problemCode == (password.isEmpty ? nil : "password-required"))
            page.password = password
            #expect(try await engine.pixels(page).color(10, 10) == 0xFF0000)
            page.password = "another"
            #expect(await engine.failure(page)?.problemCode == (password.isEmpty ? nil : "password-wrong"))
            page.password = "an\0other"
            #expect(await engine.failure(page)?.problemCode == "password-wrong")
        }
    }

    /// The cache must not return a picture to a user who does not have the password.
    @Test func theFingerprintDependsOnThePassword() throws {
        let engine = PageEngine(workers: 1)
        var page = DocumentPage(TestPDF().document)
        let without = try #require(engine.fingerprint(of: page))
        page.password = "secret"
        #expect(engine.fingerprint(of: page) != without)
        #expect(page.coalescingKey != DocumentPage(page.document).coalescingKey)
    }

    @Test func aDocumentOfAnotherKindIsAnError() async throws {
        try await withPages { engine async throws in
            for text in ["hello", "%PDF-1.7\n", "<html>"] {
                let error = await engine.failure(DocumentPage(PageDocument(Data(text.utf8))))
                #expect(error?.problemCode == "document-damaged")
            }
            #expect(await engine.failure(DocumentPage(PageDocument(Data()))) == .empty)
        }
    }

    @Test func aTruncatedDocumentIsDrawnWithAWarning() async throws {
        let data = TestPDF(TestPDF.redLeft).data
        try await withPages { engine async throws in
            #expect(try await engine.draw(DocumentPage(PageDocument(data))).warnings.isEmpty)
            // The truncated document also lacks its trailer, or its cross-reference table.
            for count in [40, 100, 180] {
                let drawing = try await engine.draw(DocumentPage(PageDocument(data.dropLast(count))))
                #expect(drawing.pixmaps[0].color(10, 10) == 0xFF0000)
                #expect(drawing.warnings == [DrawingWarning(.documentDamaged, "the document")])
            }
        }
    }

    @Test func onlyTheStandardsFontsAreStandardFonts() {
        for name in [
            "Helvetica", "Arial-BoldMT", "ArialMT", "Arial,Bold", "TimesNewRomanPS-BoldItalicMT", "Courier-Oblique",
        ] {
            #expect(StandardFonts.contain(name))
        }
        for name in ["Arial-Black", "Helvetica-Light", "HelveticaNeue", "Helvetica-Condensed-Bold", "ArialNarrow"] {
            #expect(!StandardFonts.contain(name))
        }
    }

    @Test func aFontThatIsNotInTheDocumentIsNamed() async throws {
        let first = TestPDF.firstExtra()
        let font = "<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Garamond >>"
        let text = "BT /F1 20 Tf 10 10 Td (A) Tj /F2 20 Tf (B) Tj ET"
        let entries = "/MediaBox [0 0 200 100] /Resources << /Font << /F1 3 0 R /F2 \(first) 0 R >> >>"
        let data = TestPDF.file([
            "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            "<< /Type /Page /Parent 2 0 R \(entries) /Contents 5 0 R >>", TestPDF.stream(text), font,
        ])
        try await withPages { engine async throws in
            let drawing = try await engine.draw(DocumentPage(PageDocument(data)))
            // Helvetica is one of the standard fonts.
            #expect(drawing.warnings == [DrawingWarning(.pageFontReplaced, "Garamond")])
            #expect(drawing.pixmaps[0].ink > 0)
        }
    }

    @Test func aMissingLibraryIsNamed() async throws {
        let engine = PageEngine(PageSource(pdfium: PDFium(library: nil, fonts: [])), workers: 1)
        let page = DocumentPage(TestPDF().document)
        #expect(await engine.failure(page) == .unavailable(PDFium.missing))
        #expect(engine.fingerprint(of: page) == nil)
        await #expect(throws: PDFium.missing) { try await engine.protections() }
        await engine.shutDown()
        // A file that is not a library, in the library's place.
        let damaged = PageEngine(PageSource(pdfium: PDFium(library: "/etc/hostname", fonts: [])), workers: 1)
        #expect(await damaged.failure(page) == .unavailable(PDFium.missing))
        await damaged.shutDown()
    }

    /// Each worker reads the library and the fonts.
    @Test func theSameBytesInEveryJail() async throws {
        let document = TestPDF("BT /F1 30 Tf 10 30 Td (Text) Tj ET").document
        var all: Set<[UInt8]> = []
        for jail in [WorkerJail.always, .never] {
            let engine = PageEngine(workers: 1, jail: jail)
            all.insert(try await engine.pixels(DocumentPage(document)).bytes)
            let protections = try await engine.protections()
            #expect(protections.contains([.systemCallFilter, .landlock, .resourceLimits]))
            await engine.shutDown()
        }
        #expect(all.count == 1)
    }

    @Test func theOrderDoesNotChangeAPicture() async throws {
        let pages = (0..<6).map { TestPDF.Page(content: "BT /F1 \(20 + $0) Tf 10 30 Td (Page \($0)) Tj ET") }
        let document = TestPDF(pages: pages).document
        var all: [[[UInt8]]] = []
        for order in [Array(1...6), Array((1...6).reversed())] {
            let pictures = try await withPages(workers: 2) { engine async throws in
                try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
                    for page in order {
                        group.addTask { (page, try await engine.pixels(DocumentPage(document, page: page)).bytes) }
                    }
                    return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
                }
            }
            all.append((1...6).compactMap { pictures[$0] })
        }
        #expect(all[0] == all[1] && Set(all[0]).count == 6)
    }
}
