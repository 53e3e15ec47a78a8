import Foundation
import Offstage
import PageSamples
import Testing

@testable import OffstagePages

struct GeometryTests {
    private let document = TestPDF(TestPDF.redLeft).document

    @Test func aPageHasItsOwnSizeOrFits() async throws {
        try await withPages { engine async throws in
            var page = DocumentPage(document)
            // 96 CSS px per inch of 72 points.
            #expect(try await engine.pixels(page).size == size(267, 133))
            page.fit = FitBox(width: 100, height: 100)
            #expect(try await engine.pixels(page).size == size(100, 50))
            page.fit = FitBox(width: 1000, height: 100)
            #expect(try await engine.pixels(page).size == size(200, 100))
            page.scale = 2
            #expect(try await engine.pixels(page).size == size(400, 200))
            let drawing = try await engine.draw(page)
            #expect(drawing.scale == 2 && drawing.pixmaps[0].isOpaque)
        }
    }

    @Test func theLeftHalfIsRed() async throws {
        try await withPages { engine async throws in
            var page = DocumentPage(document, fit: FitBox(width: 200, height: 200))
            var picture = try await engine.pixels(page)
            #expect(picture.color(50, 50) == 0xFF0000 && picture.color(150, 50) == 0xFFFFFF)
            // Clockwise: the left side becomes the top.
            page.rotation = .quarter
            picture = try await engine.pixels(page)
            #expect(picture.size == size(100, 200))
            #expect(picture.color(50, 50) == 0xFF0000 && picture.color(50, 150) == 0xFFFFFF)
            page.rotation = .half
            picture = try await engine.pixels(page)
            #expect(picture.color(50, 50) == 0xFFFFFF && picture.color(150, 50) == 0xFF0000)
            page.rotation = .threeQuarters
            picture = try await engine.pixels(page)
            #expect(picture.color(50, 50) == 0xFFFFFF && picture.color(50, 150) == 0xFF0000)
        }
    }

    @Test func aPagesOwnTurnCounts() async throws {
        let turned = TestPDF(TestPDF.redLeft, entries: "/MediaBox [0 0 200 100] /Rotate 90").document
        try await withPages { engine async throws in
            var page = DocumentPage(turned, fit: FitBox(width: 200, height: 200))
            let picture = try await engine.pixels(page)
            #expect(picture.size == size(100, 200) && picture.color(50, 50) == 0xFF0000)
            page.rotation = .threeQuarters
            #expect(try await engine.pixels(page).size == size(200, 100))
        }
    }

    @Test func aBoxIsAPartOfThePage() async throws {
        let boxes =
            "/MediaBox [0 0 200 100] /CropBox [0 0 150 100] /BleedBox [0 0 120 100] /TrimBox [0 0 100 100] "
            + "/ArtBox [0 0 60 100]"
        let document = TestPDF(TestPDF.redLeft, entries: boxes).document
        try await withPages { engine async throws in
            for (box, width) in [(PageBox.media, 200), (.bleed, 120), (.trim, 100), (.art, 60), (.crop, 150)] {
                var page = DocumentPage(document, fit: FitBox(width: 1000, height: 100))
                page.box = box
                let picture = try await engine.pixels(page)
                #expect(picture.size == size(width, 100), "\(box)")
                #expect(picture.color(width - 1, 50) == (width > 100 ? 0xFFFFFF : 0xFF0000), "\(box)")
            }
        }
    }

    @Test func aPageWithoutABoxHasTheCropBox() async throws {
        let document = TestPDF(entries: "/MediaBox [0 0 200 100] /CropBox [0 0 150 100]").document
        try await withPages { engine async throws in
            for box in [PageBox.bleed, .trim, .art] {
                var page = DocumentPage(document, fit: FitBox(width: 1000, height: 100))
                page.box = box
                #expect(try await engine.pixels(page).size == size(150, 100))
            }
        }
    }

    @Test func aClipIsAPartOfThePicture() async throws {
        let content = TestPDF.redLeft + " 0 0 1 rg 20 20 m 180 90 l 100 10 l f BT /F1 30 Tf 40 40 Td (Clip) Tj ET"
        let document = TestPDF(content).document
        try await withPages { engine async throws in
            var page = DocumentPage(document, fit: FitBox(width: 400, height: 400))
            page.scale = 2
            let whole = try await engine.pixels(page)
            page.clip = ClipBox(x: 100, y: 50, width: 150, height: 100)
            let part = try await engine.pixels(page)
            #expect(part.size == size(300, 200))
            for y in stride(from: 0, to: 200, by: 7) {
                for x in stride(from: 0, to: 300, by: 7) { #expect(part.color(x, y) == whole.color(200 + x, 100 + y)) }
            }
            // Parts outside the page are cropped.
            page.clip = ClipBox(x: 350, y: 150, width: 1e9, height: 1e9)
            #expect(try await engine.pixels(page).size == size(100, 100))
            page.clip = ClipBox(x: 400, y: 0, width: 10, height: 10)
            #expect(
                await engine.failure(page)
                    == .invalidRequest("the clip is outside the page, whose picture is 800 × 400 device px in size"))
        }
    }

    @Test func wrongRequestsAreErrors() async throws {
        try await withPages { engine async throws in
            for change: @Sendable (inout DocumentPage) -> Void in [
                { $0.page = 0 }, { $0.page = .min }, { $0.scale = 0 }, { $0.scale = .nan }, { $0.scale = 1e9 },
                { $0.fit = FitBox(width: 0, height: 10) }, { $0.fit = FitBox(width: .max, height: 10) },
                { $0.thumbnail = FitBox(width: -1, height: 10) },
                { $0.clip = ClipBox(x: .nan, y: 0, width: 1, height: 1) },
                { $0.clip = ClipBox(x: 0, y: 0, width: 0, height: 1) },
            ] {
                var page = DocumentPage(document)
                change(&page)
                guard case .invalidRequest = await engine.failure(page) else {
                    Issue.record("\(page.page) \(page.scale) was drawn")
                    continue
                }
            }
            #expect(await engine.restarts == 0)
        }
    }
}
