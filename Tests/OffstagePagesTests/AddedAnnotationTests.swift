import Foundation
import Offstage
import OffstageWorkers
import PageSamples
import Testing

@testable import OffstagePages

/// Annotations that are not in the document but appear in its pictures.
struct AddedAnnotationTests {
    private static let red = PageAnnotation.Color(red: 255, green: 0, blue: 0)
    private static let fit = FitBox(width: 400, height: 400)

    /// A horizontal line across the upper quarter of the page, and a mark in the lower half.
    private static let some = PageAnnotations([
        .ink([[.init(x: 0.125, y: 0.25), .init(x: 0.875, y: 0.25)]], color: red, width: 4)!,
        .mark(.highlight, [PagePart(x: 0.5, y: 0.5, width: 0.25, height: 0.25)], color: red)!,
    ])

    private func page(_ document: PageDocument, _ annotations: PageAnnotations?, _ variant: PageVariant = .annotated)
        -> DocumentPage
    {
        var page = DocumentPage(document, fit: Self.fit, variant: variant)
        page.annotations = annotations
        return page
    }

    /// Added annotations are drawn as if they were in the document: where the reader sees them, for any rotation and
    /// box.
    @Test(arguments: [0, 90, 180, 270]) func theyAreDrawnWhereTheyWouldBeInTheDocument(rotation: Int) async throws {
        let document = TestPDF(
            "q Q", entries: "/MediaBox [0 0 220 140] /CropBox [10 20 210 120] /Rotate \(rotation)"
        ).document
        try await withPages { engine async throws in
            let saved = try await engine.adding(Self.some.annotations, to: document, page: 1)
            for box in [PageBox.crop, .media] {
                var drawn = page(document, Self.some)
                var same = page(saved, nil)
                (drawn.box, same.box) = (box, box)
                let pixels = try await engine.pixels(drawn)
                #expect(try await engine.pixels(same).bytes == pixels.bytes)
                #expect(pixels.ink > 0.03)
            }
            let shown = try await engine.pixels(page(document, Self.some))
            func color(_ x: Double, _ y: Double) -> RGB {
                shown.color(Int(x * Double(shown.size.width)), Int(y * Double(shown.size.height)))
            }
            #expect(color(0.5, 0.25) == 0xFF0000 && color(0.6, 0.6) == 0xFF0000 && color(0.25, 0.6) == 0xFFFFFF)
        }
    }

    /// A pen with pressure, a translucent pen that crosses itself, and a highlighter over both: in a drawing, and in
    /// a saved document.
    @Test func thePensWidthsOpacityAndBlendingAreDrawn() async throws {
        let document = TestPDF("q Q", entries: "/MediaBox [0 0 200 200]").document
        let black = PageAnnotation.Color(red: 0, green: 0, blue: 0)
        let annotations: [PageAnnotation] = [
            .ink(
                [[.init(x: 0.1, y: 0.25), .init(x: 0.9, y: 0.25)]], color: Self.red, width: 20,
                pen: .init(widths: [[4, 20]]))!,
            .ink(
                [[.init(x: 0.1, y: 0.6), .init(x: 0.9, y: 0.6), .init(x: 0.1, y: 0.6)]], color: black, width: 10,
                pen: .init(opacity: 128))!,
            .ink(
                [[.init(x: 0.5, y: 0.1), .init(x: 0.5, y: 0.9)]],
                color: .init(red: 255, green: 255, blue: 0), width: 10, pen: .init(isHighlighter: true))!,
        ]
        try await withPages { engine async throws in
            let saved = try await engine.adding(annotations, to: document, page: 1)
            for request in [page(document, PageAnnotations(annotations)), page(saved, nil)] {
                let shown = try await engine.pixels(request)
                func color(_ x: Int, _ y: Int) -> RGB { shown.color(x, y) }
                // 2 px per point. Near its thin end the line is 4 to 6 points wide, near the other end 18 to 20.
                #expect(color(50, 100) == 0xFF0000 && color(50, 112) == 0xFFFFFF)
                #expect(color(350, 100) == 0xFF0000 && color(350, 116) == 0xFF0000 && color(350, 124) == 0xFFFFFF)
                // A stroke that crosses itself is not darker there.
                #expect(color(100, 240) == 0x7F7F7F)
                // Multiplied: red stays red, and grey becomes a darker yellow.
                #expect(color(200, 100) == 0xFF0000 && color(200, 240) == 0x7F7F00 && color(200, 180) == 0xFFFF00)
            }
            // The document contains the line itself, for programs that make their own appearance.
            let listed = try await engine.annotations(of: saved, page: 1)
            #expect(listed.map(\.kind) == [.ink, .ink, .ink] && listed[0].strokes[0].count == 2)
        }
    }

    @Test func widthsThatDoNotFitAreLeftOut() throws {
        let line = PageAnnotation.ink(
            [[.init(x: 0, y: 0), .init(x: 1, y: 1)]], width: 2, pen: .init(widths: [[1, 2, 3]], opacity: 7))!
        let even = PageAnnotation.ink([[.init(x: 0, y: 0), .init(x: 1, y: 1)]], width: 2, pen: .init(opacity: 7))!
        #expect(line.wire == even.wire)
        // A file from an earlier version has no pens.
        var file = AnnotationFile()
        file.add(.ink([[.init(x: 0, y: 0)]], width: 2)!, page: 1)
        let text = String(decoding: try JSONEncoder().encode(file), as: UTF8.self)
        #expect(!text.contains("pen"))
        #expect(try JSONDecoder().decode(AnnotationFile.self, from: Data(text.utf8)) == file)
        file.add(line, page: 1)
        #expect(try JSONDecoder().decode(AnnotationFile.self, from: JSONEncoder().encode(file)) == file)
    }

    /// The worker keeps a document open, but the document's next drawing must not include the annotations.
    @Test func theNextDrawingOfTheDocumentIsWithoutThem() async throws {
        let document = TestPDF(TestPDF.redLeft).document
        try await withPages { engine async throws in
            let before = try await engine.pixels(page(document, nil, .plain))
            let facts = try await engine.draw(page(document, Self.some)).contents[0].facts
            #expect(facts["annotated"] == .flag(true))
            var other = page(document, nil)
            other.rotation = .half
            #expect(try await engine.draw(other).contents[0].facts["annotated"] == .flag(false))
            #expect(try await engine.pixels(page(document, Self.some, .plain)).bytes == before.bytes)
            let small = try await engine.pixels(page(document, Self.some, .thumbnail))
            #expect(small.ink > before.ink)
        }
    }

    @Test func theyBelongToTheFingerprintOfAPictureThatHasThem() {
        let document = TestPDF().document
        let renderer = Digest(of: "")
        func print(_ annotations: PageAnnotations?, _ variant: PageVariant = .annotated) -> Fingerprint {
            page(document, annotations, variant).fingerprint(renderer: renderer)
        }
        let other = PageAnnotations(Self.some.annotations.reversed())
        #expect(print(Self.some) != print(nil) && print(Self.some) != print(other))
        #expect(print(PageAnnotations(Self.some.annotations)) == print(Self.some))
        #expect(print(PageAnnotations([])) == print(nil))
        #expect(print(Self.some, .plain) == print(nil, .plain))
        #expect(print(Self.some, .thumbnail) != print(nil, .thumbnail))
    }

    /// These strokes are too long for one message, and for a single annotation in the worker.
    @Test func anyNumberOfPointsIsDrawn() async throws {
        let wave = (0..<20_000).map { PageAnnotation.Point(x: Double($0) / 20_000, y: $0 % 2 == 0 ? 0.4 : 0.6) }
        let dots = (0..<5_000).map { [PageAnnotation.Point(x: Double($0) / 5_000, y: 0.9)] }
        let many = PageAnnotations([.ink([wave], color: Self.red, width: 1)!, .ink(dots, color: Self.red, width: 4)!])
        #expect(many.wire.count > 200_000)
        try await withPages { engine async throws in
            let shown = try await engine.pixels(page(TestPDF().document, many))
            for x in stride(from: 2, to: 398, by: 4) {
                #expect(
                    shown.color(x, 100) == 0xFF0000 && shown.color(x, 180) == 0xFF0000 && shown.color(x, 20) == 0xFFFFFF
                )
            }
        }
    }

    /// The words are upright for the reader, divided into lines, and within the box.
    @Test(arguments: [0, 90]) func aFreeTextHasWords(rotation: Int) async throws {
        let text = PageAnnotation.text(
            .freeText, "Größer, слово\nmany words that need a second line",
            at: PagePart(x: 0.25, y: 0.25, width: 0.5, height: 0.5))!
        let document = TestPDF("q Q", entries: "/MediaBox [0 0 200 200] /Rotate \(rotation)").document
        try await withPages { engine async throws in
            let shown = try await engine.pixels(page(document, PageAnnotations([text])))
            func ink(_ rows: Range<Int>, _ columns: Range<Int>) -> Int {
                rows.reduce(0) { sum, y in sum + columns.count { shown.color($0, y) < 0x808080 } }
            }
            // Lines of 15 points, which are 30 px, from the upper edge of the box.
            for line in 0..<4 { #expect(ink(100 + 30 * line..<130 + 30 * line, 100..<300) > 50, "\(line)") }
            #expect(ink(0..<100, 0..<400) == 0 && ink(300..<400, 0..<400) == 0)
            #expect(ink(100..<300, 0..<99) == 0 && ink(100..<300, 301..<400) == 0)
            if let path = ProcessInfo.processInfo.environment["OFFSTAGE_LOOK"] {
                try FileFormat.png().encode(shown, scale: 1).write(to: URL(fileURLWithPath: "\(path)-\(rotation).png"))
            }
        }
    }

    @Test func anEncryptedDocumentHasThemToo() async throws {
        let document = PageDocument(try encrypted(TestPDF().data, password: "secret"))
        try await withPages { engine async throws in
            var request = page(document, Self.some)
            request.password = "secret"
            #expect(try await engine.pixels(request).color(200, 50) == 0xFF0000)
        }
    }

    @Test func theLimitOfADocumentIsWithoutThem() async throws {
        let document = TestPDF().document
        try await withPages { engine async throws in
            var request = page(document, Self.some)
            request.budget.documentBytes = document.data.count
            #expect(await engine.failure(request) == nil)
            request.budget.documentBytes -= 1
            guard case .overLimit = await engine.failure(request) else {
                Issue.record("too large")
                return
            }
        }
    }

    /// Annotations from a file can contain any numbers.
    @Test func strangeAnnotationsAreNoCrash() async throws {
        let nan = Double.nan
        let odd = PageAnnotations([
            .ink([[.init(x: nan, y: .infinity), .init(x: -1e300, y: 1e300)]], width: nan)!,
            .text(.freeText, "x", at: PagePart(x: nan, y: 0, width: -5, height: 1e300))!,
            .text(.freeText, String(repeating: "🎼 ", count: 4_000), at: .whole)!,
            .mark(.highlight, [PagePart](repeating: .whole, count: 5_000))!,
            PageAnnotation(kind: .other, part: .whole), PageAnnotation(kind: .ink, part: .whole),
        ])
        try await withPages { engine async throws in
            #expect(await engine.failure(page(TestPDF().document, odd)) == nil)
        }
    }
}
