import Offstage
import PageSamples
import Testing

@testable import OffstagePages

/// The targets of links and outline items.
struct TargetTests {
    private func targets(
        _ annotations: [String], pages: [TestPDF.Page] = [.init(entries: "/MediaBox [0 0 200 100]")],
        content: String = "",
        catalog: String = ""
    ) async throws -> [PictureArea] {
        let links = annotations.map { "<< /Type /Annot /Subtype /Link /Rect [10 10 60 30] \($0) >>" }.joined(
            separator: " ")
        var pdf = TestPDF(
            pages: [.init(entries: "/MediaBox [0 0 200 100] /Annots [\(links)]", content: content)] + pages)
        pdf.catalog = catalog
        var page = DocumentPage(pdf.document, fit: FitBox(width: 200, height: 100))
        page.keepsContent = true
        return try await withPages { try await $0.draw(page).contents[0].areas }
    }

    private static let long = String(repeating: "x", count: 4096)

    @Test(arguments: [
        ("/S /GoToR /F (other.pdf) /D [2 /Fit]", "other.pdf#page=3"),
        ("/S /GoToR /F (other.pdf) /D (Chapter)", "other.pdf"),
        ("/S /GoToR /F << /Type /Filespec /F (a b#c.pdf) >> /D [0 /XYZ 0 700 0]", "a%20b%23c.pdf#page=1"),
        ("/S /GoToR /F (javascript:alert) /D [0 /Fit]", "./javascript:alert#page=1"),
        ("/S /Launch /F (notes.txt)", "notes.txt"),
        ("/S /Launch /F (/bin/true)", nil), ("/S /URI /URI (https://example.org/)", "https://example.org/"),
        ("/S /Named /N /NextPage", "#page=2"), ("/S /Named /N /LastPage", "#page=2"), ("/S /Named /N /PrevPage", nil),
        ("/S /Named /N /Print", nil), ("/S /GoTo /D (Chapter)", "#page=2"),
        ("/S /GoToE /T << /R /C /N (part.pdf) >> /D [0 /Fit]", nil),
        ("/S /URI /URI (javascript:alert\\(1\\))", nil), ("/S /URI /URI (\\001 jAva\\nscript:x)", nil),
        ("/S /URI /URI (VBScript:x)", nil), ("/S /URI /URI (data:text/html,<script>1</script>)", nil),
        ("/S /URI /URI (data:image/svg+xml;base64,AAAA)", nil), ("/S /URI /URI (data:text/plain,x)", "data:text/plain,x"),
        ("/S /URI /URI (\(long))", long), ("/S /URI /URI (\(long)x)", nil),
    ]) func theActionDecides(action: String, target: String?) async throws {
        let names = "/Names << /Dests << /Names [(Chapter) [\(TestPDF.object(ofPage: 2)) 0 R /Fit]] >> >>"
        #expect(
            try await targets(["/A << \(action) >>"], catalog: names).map(\.target) == [target].filter { $0 != nil })
    }

    /// Positions are in CSS px from the upper edge of the page as it is shown.
    @Test(arguments: [
        ("/MediaBox [0 0 300 400]", "/XYZ 0 300 0", "#page=2&y=133.3"),
        ("/MediaBox [0 0 300 400]", "/FitH 400", "#page=2&y=0"),
        ("/MediaBox [0 0 300 400]", "/FitR 0 0 10 100", "#page=2&y=400"),
        ("/MediaBox [0 0 300 400]", "/XYZ null null 0", "#page=2"),
        ("/MediaBox [0 0 300 400]", "/Fit", "#page=2"), ("/MediaBox [0 0 300 400]", "/XYZ 0 999 0", "#page=2&y=0"),
        ("/MediaBox [0 100 300 500]", "/XYZ 0 350 0", "#page=2&y=200"),
        ("/MediaBox [0 0 300 400] /CropBox [0 0 300 300]", "/XYZ 0 300 0", "#page=2&y=0"),
        ("/MediaBox [0 0 300 400] /UserUnit 2", "/XYZ 0 370 0", "#page=2&y=80"),
        ("/MediaBox [0 0 300 400] /Rotate 90", "/XYZ 30 0 0", "#page=2&y=40"),
        ("/MediaBox [0 0 300 400] /Rotate 180", "/XYZ 0 30 0", "#page=2&y=40"),
        ("/MediaBox [0 0 300 400] /Rotate 270", "/XYZ 30 0 0", "#page=2&y=360"),
    ]) func aLinkNamesAPlaceInThePage(entries: String, place: String, target: String) async throws {
        let link = "/Dest [\(TestPDF.object(ofPage: 2)) 0 R \(place)]"
        #expect(try await targets([link], pages: [.init(entries: entries)]).map(\.target) == [target])
    }

    @Test func aTargetIsRead() {
        #expect(PageTarget("#page=5") != nil && PageTarget("#page=5")?.y == nil)
        #expect(PageTarget("#page=5&y=12.5")?.page == 5 && PageTarget("#page=5&y=12.5")?.y == 12.5)
        for other in ["", "#page=", "#page=0", "#page=x", "other.pdf#page=5", "https://example.org/#page=5"] {
            #expect(PageTarget(other) == nil)
        }
    }

    @Test func aLinkOverTwoLinesHasTwoAreas() async throws {
        let content = "BT /F1 12 Tf 120 82 Td (see the) Tj -110 -22 Td (next page) Tj ET"
        let lines = "/Rect [10 55 190 95] /QuadPoints [120 95 190 95 120 80 190 80 10 73 80 73 10 55 80 55]"
        let action = "/A << /S /URI /URI (https://example.org/) >>"
        let areas = try await targets(["\(lines) \(action)"], content: content)
        #expect(areas.map(\.label) == ["see the next page", "see the next page"])
        #expect(areas.map(\.x) == [120, 10] && areas.map(\.y) == [5, 27] && areas.map(\.height) == [15, 18])
        // Corners outside the rectangle are ignored.
        let wrong = try await targets(["/Rect [10 55 60 95] /QuadPoints [120 95 190 95 120 80 190 80] \(action)"])
        #expect(wrong.map(\.width) == [50])
    }

    // MARK: Outlines

    private func outline(_ items: [String], catalog: String = "") async throws -> [DocumentInfo.Item] {
        let first = TestPDF.firstExtra()
        var pdf = TestPDF()
        pdf.catalog = "/Outlines \(first) 0 R"
        pdf.extra = ["<< /First \(first + 1) 0 R >>"] + items
        return try await withPages { try await $0.info(of: pdf.document) }.outline
    }

    @Test func itemsNamePlacesAndFiles() async throws {
        let (first, page) = (TestPDF.firstExtra(), "\(TestPDF.object(ofPage: 1)) 0 R")
        let items = try await outline([
            "<< /Title (Here) /Next \(first + 2) 0 R /A << /S /GoTo /D [\(page) /XYZ 0 70 0] >> >>",
            "<< /Title (There) /Next \(first + 3) 0 R /A << /S /GoToR /F (other.pdf) /D [2 /Fit] >> >>",
            "<< /Title (Web) /Next \(first + 4) 0 R /A << /S /URI /URI (https://example.org/) >> >>",
            "<< /Title (Script) /A << /S /URI /URI (javascript:alert) >> >>",
        ])
        #expect(
            items == [
                .init(title: "Here", level: 0, page: 1, y: 40),
                .init(title: "There", level: 0, target: "other.pdf#page=3"),
                .init(title: "Web", level: 0, target: "https://example.org/"),
                .init(title: "Script", level: 0),
            ])
    }

    /// A hundred levels; items that refer back to earlier ones end the list.
    @Test func deepAndEndlessOutlinesAreRead() async throws {
        let first = TestPDF.firstExtra()
        let deep = try await outline(
            (1...100).map { "<< /Title (\($0)) \($0 < 100 ? "/First \(first + 1 + $0) 0 R" : "") >>" })
        #expect(deep.map(\.level) == Array(0..<100))
        let endless = try await outline([
            "<< /Title (One) /First \(first + 1) 0 R /Next \(first + 2) 0 R >>",
            "<< /Title (Two) /First \(first + 1) 0 R /Next \(first + 1) 0 R >>",
        ])
        #expect(endless.map(\.title) == ["One", "Two"])
    }

    /// More items than fit into one report, and more than 100,000.
    @Test func aLongOutlineAndManyPagesAreComplete() async throws {
        let (count, first) = (101_000, TestPDF.firstExtra(pages: 0))
        var objects = [
            "<< /Type /Catalog /Pages 2 0 R /Outlines \(first) 0 R >>", "<< /Type /Pages /Kids [] /Count 0 >>", "null",
            "<< /First \(first + 1) 0 R >>",
        ]
        objects += (1...count).map { "<< /Title (\($0)) \($0 < count ? "/Next \(first + 1 + $0) 0 R" : "") >>" }
        let leaves = objects.count + 1
        objects += (0..<count).map { _ in "<< /Type /Page /MediaBox [0 0 9 9] >>" }
        let kids = (0..<count).map { "\(leaves + $0) 0 R" }.joined(separator: " ")
        objects[1] = "<< /Type /Pages /Count \(count) /Kids [\(kids)] >>"
        let document = PageDocument(TestPDF.file(objects))
        try await withPages { engine async throws in
            let info = try await engine.info(of: document)
            #expect(info.pages.count == count && info.outline.count == count)
            #expect(info.outline.last?.title == "\(count)")
            #expect(try await engine.pixels(DocumentPage(document, page: count)).size == size(12, 12))
        }
    }
}
