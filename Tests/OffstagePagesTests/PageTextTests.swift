import Foundation
import Offstage
import PageSamples
import Testing

@testable import OffstagePages

/// The words on pages, and search results.
struct PageTextTests {
    private func text(_ content: String, entries: String = "/MediaBox [0 0 200 100]") async throws -> PageText {
        try await withPages { try await $0.text(of: TestPDF(content, entries: entries).document, page: 1) }
    }

    @Test func wordsHaveTheirPlaces() async throws {
        let text = try await text("BT /F1 20 Tf 10 15 Td (Link) Tj 0 50 Td (Two  words) Tj ET")
        #expect(text.words.map(\.text) == ["Link", "Two", "words"])
        #expect(text.words.map(\.ending) == ["\n", " ", "\n"])
        #expect(text.text == "Link\nTwo words")
        let word = text.words[1].part
        // 10 points from the left, with its baseline 35 points from the top.
        #expect(abs(word.x * 200 - 10) < 1.5)
        #expect(abs(word.bottom * 100 - 35) < 1.5)
        #expect(word.height * 100 > 10 && word.height * 100 < 20)
        #expect(text.words[1].edges.count == 3)
        #expect(text.words[1].edges == text.words[1].edges.sorted())
    }

    /// On rotated pages, words are where the reader sees them.
    @Test func rotatedPagesHaveTheirWordsWhereTheyAreShown() async throws {
        let text = try await text(
            "BT /F1 20 Tf 10 15 Td (Link) Tj ET", entries: "/MediaBox [0 0 200 100] /Rotate 90")
        let part = try #require(text.words.first?.part)
        #expect(part.x < 0.3 && part.y < 0.2)
        #expect(part.height * 200 > part.width * 100)
    }

    @Test func aLongPageIsReadInParts() async throws {
        let line = (0..<40).map { "w\($0)" }.joined(separator: " ")
        let content =
            "BT /F1 1 Tf 1 99 Td " + (0..<150).map { "(\($0) \(line)) Tj 0 -0.6 Td" }.joined(separator: " ") + " ET"
        let text = try await text(content)
        #expect(text.words.count == 150 * 41)
        #expect(text.words.filter { $0.text == "w39" }.count == 150)
    }

    @Test func thingsThatAreNotWords() async throws {
        #expect(try await text("0 0 10 10 re f").words.isEmpty)
        let long = try await text(
            "BT /F1 1 Tf 1 50 Td (\(String(repeating: "x", count: 1_000))) Tj ET", entries: "/MediaBox [0 0 700 100]")
        #expect(long.text == String(repeating: "x", count: 1_000))
        await #expect(throws: DrawingError.self) {
            try await withPages { try await $0.text(of: TestPDF("").document, page: 2) }
        }
        await #expect(throws: DrawingError.self) {
            try await withPages { try await $0.text(of: TestPDF("").document, page: 0) }
        }
    }

    /// A hyphen, and a soft hyphen, which is visible at the end of a line.
    @Test(arguments: ["cap-", "cap\\255"]) func aWordIsDividedBetweenLines(start: String) async throws {
        let font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
        let text = try await text(
            "BT /F1 20 Tf 100 60 Td (all \(start)) Tj -90 -30 Td (tions are here) Tj ET",
            entries: "/MediaBox [0 0 200 100] /Resources << /Font << /F1 \(font) >> >>")
        #expect(text.words.map(\.text) == ["all", "cap", "tions", "are", "here"])
        #expect(text.words.map(\.isDivided) == [false, true, false, false, false])
        #expect(text.text == "all captions are here")
        for query in ["captions", "cap-tions", "L CAPTIONS A"] {
            let range = try #require(text.matches(of: query).first)
            let parts = text.parts(range)
            #expect(parts.count == 2 && parts[0].x > 0.4 && parts[1].x < 0.1 && parts[0].bottom <= parts[1].y + 0.05)
            // The hyphen is highlighted with its word.
            #expect(parts[0].right > 0.8)
        }
        #expect(text.matches(of: "capt").count == 1 && text.matches(of: "cap tions").isEmpty)
    }

    /// Right-to-left letters: the first one is on the right, and each part of the word has its own position.
    @Test func aPartOfAWordFromRightToLeft() {
        var word = PageText.Word("كتاب", part: PagePart(x: 0.5, y: 0.5, width: 0.4, height: 0.1))
        word.edges = [1, 0.75, 0.5, 0.25]
        let text = PageText(words: [word])
        func place(_ query: String) -> [Double] {
            text.matches(of: query).flatMap { text.parts($0) }.flatMap { [$0.x, $0.width] }
        }
        func isNear(_ one: [Double], _ other: [Double]) -> Bool {
            one.count == other.count && zip(one, other).allSatisfy { abs($0 - $1) < 0.001 }
        }
        #expect(
            isNear(place("كتاب"), [0.5, 0.4]) && isNear(place("كت"), [0.7, 0.2]) && isNear(place("ب"), [0.5, 0.1]))
        #expect(text.position(nearestX: 0.89, y: 0.5) == .init(word: 0, character: 0))
        #expect(text.position(nearestX: 0.51, y: 0.5) == .init(word: 0, character: 4))
    }

    /// On rotated pages, and for text that runs upwards, a part of a word is cut along the text's direction.
    @Test(arguments: ["/Rotate 90", "/Rotate 180", "/Rotate 270", ""]) func aPartOfATurnedWord(entry: String)
        async throws
    {
        let matrix = entry.isEmpty ? "0 1 -1 0 100 10 Tm" : "1 0 0 1 10 40 Tm"
        let text = try await text("BT /F1 20 Tf \(matrix) (abcdef) Tj ET", entries: "/MediaBox [0 0 200 100] \(entry)")
        let word = try #require(text.words.first?.part)
        let (first, last) = try (#require(text.matches(of: "abc").first), #require(text.matches(of: "def").first))
        let (one, other) = (try #require(text.parts(first).first), try #require(text.parts(last).first))
        let isVertical = entry != "/Rotate 180"
        #expect(
            abs((isVertical ? one.height + other.height - word.height : one.width + other.width - word.width)) < 0.01)
        #expect(isVertical ? one.height > word.height / 4 && one.width == word.width : one.width > word.width / 4)
        #expect(isVertical ? other.height > word.height / 4 && other.width == word.width : other.width > word.width / 4)
        // A position on the first letter is before or after that letter.
        let (x, y) = (one.x + one.width / 2, one.y + one.height / 2)
        #expect([1, 2].contains(text.position(nearestX: x, y: y)?.character))
    }

    /// A line may end after a hyphen that belongs to the text.
    @Test func numbersWithAHyphenAreFoundOverTwoLines() async throws {
        let text = try await text("BT /F1 20 Tf 10 60 Td (in 1990-) Tj 0 -30 Td (2000, all) Tj ET")
        for query in ["1990-2000", "1990- 2000", "in 1990-2000, all"] {
            let range = try #require(text.matches(of: query).first)
            #expect(text.parts(range).count == 2)
        }
        #expect(text.matches(of: "19902000").isEmpty)
    }

    @Test func hyphensInsideLinesStay() async throws {
        let text = try await text("BT /F1 10 Tf 10 60 Td (a well-known score, 1-) Tj 0 -30 Td (2 of 3) Tj ET")
        #expect(text.text.hasPrefix("a well-known score"))
        #expect(text.matches(of: "well-known").count == 1)
    }

    @Test func whatIsOutsideOfTheCropBoxIsNoText() async throws {
        let content = "BT /F1 12 Tf 20 50 Td (inside) Tj 0 -45 Td (below) Tj 130 45 Td (beside) Tj ET"
        let entries = "/MediaBox [0 0 200 100] /CropBox [0 30 100 100]"
        #expect(try await text(content, entries: entries).words.map(\.text) == ["inside"])
        var page = DocumentPage(TestPDF(content, entries: entries).document)
        page.keepsContent = true
        #expect(try await withPages { try await $0.draw(page).contents[0].text } == "inside")
    }

    @Test func aTextIsFoundInAWholeDocument() async throws {
        let pages = ["First, an Entropy", "nothing", "entropy and entropy"].map {
            TestPDF.Page(content: "BT /F1 10 Tf 10 50 Td (\($0)) Tj ET")
        }
        let matches = try await withPages { try await $0.matches(of: "entropy", in: TestPDF(pages: pages).document) }
        #expect(matches.map(\.page) == [1, 3, 3])
        #expect(matches.map(\.context) == ["First, an Entropy", "entropy and entropy", "entropy and entropy"])
        #expect(matches.allSatisfy { $0.parts.count == 1 } && matches[1].parts[0].x < matches[2].parts[0].x)
    }

    // MARK: Tests without a document

    private let sample = PageText(words: [
        .init("Élan", part: PagePart(x: 0, y: 0, width: 0.4, height: 0.1)),
        .init("vital", part: PagePart(x: 0.5, y: 0, width: 0.5, height: 0.1), ending: "\n"),
        .init("élan", part: PagePart(x: 0, y: 0.2, width: 0.4, height: 0.1), ending: "\n"),
    ])

    @Test func placesAreFoundWithoutCaseAndAccents() {
        #expect(sample.matches(of: "ELAN").map(sample.string) == ["Élan", "élan"])
        #expect(sample.matches(of: "lan  VIT").map(sample.string) == ["lan vit"])
        #expect(sample.matches(of: "vital elan").map(sample.string) == ["vital\nélan"])
        #expect(sample.matches(of: " ").isEmpty && sample.matches(of: "").isEmpty && sample.matches(of: "zz").isEmpty)
        #expect(PageText().matches(of: "a").isEmpty)
    }

    @Test func rangesHaveARectangleForEachLine() {
        let all = PageText.Position(word: 0, character: 2)..<PageText.Position(word: 2, character: 2)
        #expect(sample.string(all) == "an vital\nél")
        #expect(
            sample.parts(all) == [
                PagePart(x: 0.2, y: 0, width: 0.8, height: 0.1), PagePart(x: 0, y: 0.2, width: 0.2, height: 0.1),
            ])
        #expect(sample.position(nearestX: 0.21, y: 0.05) == .init(word: 0, character: 2))
        #expect(sample.position(nearestX: 9, y: 0.26) == .init(word: 2, character: 4))
        #expect(PageText().position(nearestX: 0, y: 0) == nil)
        let wrong = PageText.Position(word: -4, character: 9)..<PageText.Position(word: 90, character: -1)
        #expect(sample.string(wrong) == "")
    }
}
