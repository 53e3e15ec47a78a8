import Foundation
import Offstage
import OffstageWorkers
import PageSamples
import Testing

@testable import OffstagePages

/// The words of free texts, on a page of 200 points drawn on 400 px.
struct FreeTextTests {
    private static let red = PageAnnotation.Color(red: 255, green: 0, blue: 0)
    private static let document = TestPDF("q Q", entries: "/MediaBox [0 0 200 200]").document

    private func text(_ words: String, at part: PagePart = PagePart(x: 0.25, y: 0.25, width: 0.5, height: 0.5))
        -> PageAnnotation
    {
        PageAnnotation.text(.freeText, words, at: part)!
    }

    private func request(_ annotations: [PageAnnotation]) -> DocumentPage {
        var page = DocumentPage(Self.document, fit: FitBox(width: 400, height: 400))
        page.annotations = PageAnnotations(annotations)
        return page
    }

    /// The bounding box of the pixels of a colour; nil if there are none.
    private func box(_ shown: Pixmap, _ isPart: (RGB) -> Bool = { $0 != 0xFFFFFF }) -> (
        left: Int, top: Int, right: Int, bottom: Int
    )? {
        var box: (left: Int, top: Int, right: Int, bottom: Int)?
        for y in 0..<shown.size.height {
            for x in 0..<shown.size.width where isPart(shown.color(x, y)) {
                let old = box ?? (x, y, x, y)
                box = (min(old.left, x), min(old.top, y), max(old.right, x), max(old.bottom, y))
            }
        }
        return box
    }

    @Test func colorSizeAlignmentBoxAndBackground() async throws {
        var words = text("HHH")
        words.color = Self.red
        try await withPages { engine async throws in
            let small = try #require(box(try await engine.pixels(request([words]))))
            #expect(small.left >= 100 && small.left < 106 && small.right < 180)
            words.fontSize = 24
            let large = try #require(box(try await engine.pixels(request([words]))))
            let ratio = Double(large.right - large.left) / Double(small.right - small.left)
            #expect(abs(ratio - 2) < 0.1)
            words.alignment = .center
            let middle = try #require(box(try await engine.pixels(request([words]))))
            #expect(abs(middle.left + middle.right - 400) < 8)
            words.alignment = .right
            let right = try #require(box(try await engine.pixels(request([words]))))
            #expect(right.right > 290 && right.right <= 300)
            (words.fill, words.borderWidth) = (.init(red: 255, green: 255, blue: 0), 2)
            let boxed = try await engine.pixels(request([words]))
            #expect(try #require(box(boxed)) == (100, 100, 299, 299))
            #expect(boxed.color(102, 200) == 0xFF0000 && boxed.color(110, 250) == 0xFFFF00)
            words.opacity = 0.5
            let pale = try await engine.pixels(request([words])).color(110, 250)
            #expect((0xFFFF7E...0xFFFF80).contains(pale))
        }
    }

    /// In a right-to-left line, the first word is on the right; Latin letters and digits keep their order.
    @Test func wordsFromRightToLeft() async throws {
        try await withPages { engine async throws in
            let alone = try #require(box(try await engine.pixels(request([text("שלום")]))))
            #expect(alone.right > 290 && alone.left > 200)
            // A full stop at the end is on the left.
            let stop = try #require(box(try await engine.pixels(request([text("שלום.")]))))
            #expect(stop.right == alone.right && stop.left < alone.left)
            // Joined letters are narrower than separate ones.
            let joined = try #require(box(try await engine.pixels(request([text("بببب")]))))
            let apart = try #require(box(try await engine.pixels(request([text("ب ب ب ب")]))))
            #expect(apart.right - apart.left > (joined.right - joined.left) * 5 / 4)
        }
    }

    /// Lines break between ideographs, but not before a closing mark; a long word may break anywhere.
    @Test func linesBreak() async throws {
        try await withPages { engine async throws in
            // 12 points each, which are 24 px: eight in a line of 200 px.
            let one = try #require(box(try await engine.pixels(request([text("漢漢漢漢漢漢漢漢")]))))
            let two = try #require(box(try await engine.pixels(request([text("漢漢漢漢漢漢漢漢漢")]))))
            #expect(one.bottom < 130 && two.bottom > 130 && two.bottom < 160)
            // The closing mark moves to the next line together with the character before it.
            let mark = try await engine.pixels(request([text("漢漢漢漢漢漢漢漢。")]))
            #expect((270..<300).allSatisfy { x in (100..<128).allSatisfy { mark.color(x, $0) == 0xFFFFFF } })
            let long = try #require(box(try await engine.pixels(request([text(String(repeating: "m", count: 60))]))))
            #expect(long.right <= 300 && long.bottom > 180)
        }
    }

    @Test func emojiHaveColorsAndMissingCharactersAreAWarning() async throws {
        try await withPages { engine async throws in
            let smile = try await engine.draw(request([text("😀")]))
            #expect(smile.warnings.isEmpty)
            func isYellow(_ color: RGB) -> Bool { color >> 16 > 200 && color >> 8 & 255 > 150 && color & 255 < 100 }
            let yellow = try #require(box(smile.pixmaps[0], isYellow))
            #expect(yellow.right - yellow.left > 15 && yellow.left >= 100)
            for words in ["指使い 運指", "Größer слово", "नमस्ते", "𝄞 ♭", "مرحبا"] {
                let drawing = try await engine.draw(request([text(words)]))
                #expect(drawing.warnings.isEmpty && drawing.pixmaps[0].ink > 0.001, "\(words)")
            }
            let missing = try await engine.draw(request([text("a\u{E123}b")]))
            #expect(missing.warnings.map(\.code.name) == ["page-text-missing"])
            var file = AnnotationFile()
            file.add(text("a\u{E123}b"), page: 1)
            let saved = try await engine.saved(file, into: Self.document)
            #expect(saved.warnings.map(\.problem) == [.textMissing])
        }
    }

    /// If a text is longer than its box, a warning says that the end is missing.
    @Test func aTextThatDoesNotFitIsAWarning() async throws {
        let low = PagePart(x: 0.25, y: 0.25, width: 0.5, height: 0.07)
        try await withPages { engine async throws in
            for (words, isCut) in [
                ("One", false), ("One\n\n\n", false), ("One\nTwo", true), (String(repeating: "long ", count: 30), true),
            ] {
                let drawing = try await engine.draw(request([text(words, at: low)]))
                #expect(drawing.warnings.map(\.code.name) == (isCut ? ["page-text-cut"] : []), "\(words)")
                var file = AnnotationFile()
                file.add(text(words, at: low), page: 1)
                let saved = try await engine.saved(file, into: Self.document)
                #expect(saved.warnings.map(\.problem) == (isCut ? [.textCut] : []), "\(words)")
            }
        }
    }

    @Test func aLetterThatIsWiderThanItsBoxIsAWarning() async throws {
        let narrow = PagePart(x: 0.25, y: 0.25, width: 0.03, height: 0.5)
        try await withPages { engine async throws in
            let drawing = try await engine.draw(request([text("W", at: narrow)]))
            #expect(drawing.warnings.map(\.code.name) == ["page-text-cut"])
        }
    }

    /// The fonts are loaded once, not once per text.
    @Test func manyTextsTakeLittleMemory() async throws {
        let many = (0..<1_000).map { number in
            text(
                "\(number % 5 + 1)",
                at: PagePart(x: Double(number % 40) / 40, y: Double(number / 40) / 25, width: 0.1, height: 0.1))
        }
        var page = request(many)
        page.budget.memory = 400 << 20
        try await withPages { engine async throws in
            #expect(try await engine.draw(page).pixmaps[0].ink > 0.05)
        }
    }
}
