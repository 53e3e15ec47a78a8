import COffstagePages
import Foundation
import Offstage
import PageSamples
import Testing

@testable import OffstagePages

/// A picture's content besides its pixels, and the description of a document.
struct ContentTests {
    private var book: PageDocument {
        let first = TestPDF.firstExtra(pages: 2)
        let links =
            "<< /Type /Annot /Subtype /Link /Rect [10 10 60 30] /A << /S /URI /URI (https://example.org/?a=1) >> >> "
            + "<< /Type /Annot /Subtype /Link /Rect [100 10 150 30] /Dest [\(TestPDF.object(ofPage: 2)) 0 R /Fit] >> "
            + "<< /Type /Annot /Subtype /Link /Rect [160 10 190 30] /A << /S /Launch /F (/bin/true) >> >>"
        var pdf = TestPDF(pages: [
            .init(
                entries: "/MediaBox [0 0 200 100] /Annots [\(links)]",
                content: "BT /F1 20 Tf 10 15 Td (Link) Tj 0 50 Td (Two  words) Tj ET"),
            .init(entries: "/MediaBox [0 0 300 400]"),
        ])
        pdf.catalog =
            "/Outlines \(first) 0 R /PageLabels << /Nums [0 << /S /r >> 1 << /S /D /P (A-) >>] >>"
        pdf.extra = [
            "<< /Type /Outlines /First \(first + 1) 0 R /Last \(first + 3) 0 R /Count 3 >>",
            "<< /Title (One) /Parent \(first) 0 R /Next \(first + 3) 0 R /First \(first + 2) 0 R /Last \(first + 2) 0 R "
                + "/Dest [\(TestPDF.object(ofPage: 1)) 0 R /XYZ 0 100 0] >>",
            "<< /Title (Half) /Parent \(first + 1) 0 R /Dest [\(TestPDF.object(ofPage: 1)) 0 R /XYZ 0 50 0] >>",
            "<< /Title <FEFF00C4> /Parent \(first) 0 R /Prev \(first + 1) 0 R /Dest [\(TestPDF.object(ofPage: 2)) 0 R /Fit] >>",
        ]
        return pdf.document
    }

    @Test func linksHeadingsAndTextAreAreas() async throws {
        try await withPages { engine async throws in
            var page = DocumentPage(book, fit: FitBox(width: 200, height: 100))
            let facts = try #require(try await engine.draw(page).contents.first)
            #expect(facts.areas.isEmpty && facts.text.isEmpty)
            #expect(
                facts.facts == [
                    "page": .number(1), "pages": .number(2), "label": .text("i"), "annotated": .flag(false),
                    "pageWidth": .number(200), "pageHeight": .number(100),
                ])
            page.keepsContent = true
            page.scale = 2
            let content = try #require(try await engine.draw(page).contents.first)
            #expect(
                content.areas == [
                    PictureArea(x: 0, y: 0, width: 200, height: 50, identifier: "One"),
                    PictureArea(x: 0, y: 50, width: 200, height: 50, identifier: "Half"),
                    PictureArea(
                        x: 10, y: 70, width: 50, height: 20, target: "https://example.org/?a=1", label: "Link"),
                    PictureArea(x: 100, y: 70, width: 50, height: 20, target: "#page=2"),
                ])
            #expect(content.text == "Link Two words")
            page.variant = .thumbnail
            page.thumbnail = FitBox(width: 100, height: 100)
            let small = try #require(try await engine.draw(page).contents.first)
            #expect(
                small.areas[2]
                    == PictureArea(
                        x: 5, y: 35, width: 25, height: 10, target: "https://example.org/?a=1", label: "Link"))
        }
    }

    @Test func aClipMovesAreas() async throws {
        try await withPages { engine async throws in
            var page = DocumentPage(book, fit: FitBox(width: 200, height: 100))
            page.keepsContent = true
            page.clip = ClipBox(x: 20, y: 60, width: 30, height: 40)
            let content = try #require(try await engine.draw(page).contents.first)
            #expect(
                content.areas.last
                    == PictureArea(
                        x: 0, y: 10, width: 30, height: 20, target: "https://example.org/?a=1", label: "Link"))
        }
    }

    @Test func aDocumentDescribesItself() async throws {
        try await withPages { engine async throws in
            let info = try await engine.info(of: book)
            #expect(
                info.pages == [
                    .init(width: 200, height: 100, label: "i"), .init(width: 300, height: 400, label: "A-1"),
                ])
            #expect(
                info.outline == [
                    .init(title: "One", level: 0, page: 1, y: 0), .init(title: "Half", level: 1, page: 1, y: 66.7),
                    .init(title: "Ä", level: 0, page: 2),
                ])
            #expect(!info.isEncrypted && info.permissions == nil && !info.hasForm && !info.isDamaged)
            #expect(try await engine.pageCount(of: book) == 2)
        }
    }

    /// More pages than fit into one report.
    @Test func aLongDocumentIsDescribedCompletely() async throws {
        let pages = (1...4000).map { TestPDF.Page(entries: "/MediaBox [0 0 \($0) 100]") }
        let document = TestPDF(pages: pages).document
        try await withPages { engine async throws in
            #expect(try await engine.pageCount(of: document) == 4000)
            #expect(try await engine.info(of: document).pages.map(\.width) == (1...4000).map(Double.init))
        }
    }

    /// A malicious document may have taken over the worker that sends the reports.
    @Test func aReportThatIsNoneIsRefused() throws {
        var head = [UInt8](repeating: 0, count: 40)
        head[0] = UInt8(OFFSTAGE_PAGES_VERSION)
        #expect(PageReport(Data(head)) != nil)
        #expect(PageReport(Data(head.dropLast())) == nil)
        #expect(PageReport(Data(head + [1, 0, 0])) == nil)
        #expect(PageReport(Data(head + [1, 0, 0, 0, 1, 0, 0, 0] + [UInt8](repeating: 0, count: 16))) == nil)
        #expect(PageReport(Data(head + [1, 0, 0, 0, 255, 255, 255, 255] + [UInt8](repeating: 0, count: 40))) == nil)
        head[0] = UInt8(OFFSTAGE_PAGES_VERSION) + 1
        #expect(PageReport(Data(head)) == nil)
    }
}
