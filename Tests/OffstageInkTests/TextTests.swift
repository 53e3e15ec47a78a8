import Foundation
import Offstage
import Testing

@testable import OffstageInk

/// Texts and paper lines, in the worker.
struct TextTests {
    private static func page(_ content: String, style: String = "plain", width: Int = 200, height: Int = 100) -> Data {
        Data(
            """
            <xournal><page width="\(width)" height="\(height)"><background type="solid" color="#ffffffff" style="\(style)"/>
            <layer>\(content)</layer></page></xournal>
            """.utf8)
    }

    private static func text(_ text: String, font: String = "Sans", size: String = "40", x: String = "20") -> String {
        "<text font=\"\(font)\" size=\"\(size)\" x=\"\(x)\" y=\"10\" color=\"#ff0000ff\">\(text)</text>"
    }

    private struct Page {
        let warnings: [DrawingWarning]
        let width: Int
        /// Whether each pixel differs from white, row by row.
        let isInk: [Bool]
        let bytes: [UInt8]

        func count(_ columns: Range<Int>, _ rows: Range<Int>) -> Int {
            rows.reduce(0) { sum, y in sum + columns.count { isInk[y * width + $0] } }
        }

        var all: Int { isInk.count { $0 } }

        /// The runs of ink in a column, and where they begin.
        func lines(column: Int) -> [Int] {
            (1..<isInk.count / width).filter { isInk[$0 * width + column] && !isInk[($0 - 1) * width + column] }
        }
    }

    private func draw(_ data: Data, clip: ClipBox? = nil, scale: Double = 0.75) async throws -> Page {
        let engine = InkEngine(workers: 1, jail: .never)
        // One device px per point.
        var request = InkDrawing(InkDocument(data))
        request.scale = scale
        request.clip = clip
        let drawing = try await engine.draw(request)
        await engine.shutDown()
        let pixmap = try #require(drawing.pixmaps.first)
        var bytes: [UInt8] = []
        for y in 0..<pixmap.size.height { pixmap.withRow(y) { bytes += $0 } }
        let isInk = stride(from: 0, to: bytes.count, by: 4).map { bytes[$0] < 250 || bytes[$0 + 1] < 250 }
        return Page(warnings: drawing.warnings, width: pixmap.size.width, isInk: isInk, bytes: bytes)
    }

    @Test("A text's upper left corner is at its position, and lines follow each other")
    func place() async throws {
        let page = try await draw(Self.page(Self.text("H")))
        #expect(page.warnings.isEmpty)
        // A sans-serif H of 40 points is 29 points high, on a baseline 37 points below the upper edge, and its stems
        // are vertical.
        #expect(page.count(20..<60, 17..<48) == page.all && page.all > 300)
        #expect(page.count(25..<27, 19..<46) == 54)
        #expect(page.bytes.contains(255) && page.bytes[4 * (30 * 200 + 25)] == 0)
        let two = try await draw(Self.page(Self.text("H\nH")))
        #expect(two.all > page.all * 3 / 2)
        #expect(two.lines(column: 26).count == 2)
    }

    @Test("A tab extends to the next multiple of eight spaces, and other control characters are spaces")
    func tabs() async throws {
        let spaces = String(repeating: " ", count: 8)
        let (one, tab) = (try await draw(Self.page(Self.text("H"))), try await draw(Self.page(Self.text("H\tH"))))
        #expect(tab.warnings.isEmpty)
        // The two letters, with no box between them.
        #expect(tab.all > one.all * 3 / 2 && tab.all < one.all * 5 / 2)
        for (control, same) in [("\t", spaces), ("\u{85}", " ")] {
            let controlled = try await draw(Self.page(Self.text(control + "H")))
            let spaced = try await draw(Self.page(Self.text(same + "H")))
            #expect(controlled.bytes == spaced.bytes)
        }
    }

    @Test("A part that is drawn alone equals the same part of the whole")
    func part() async throws {
        let data = Self.page(Self.text("Bag &amp; Övβ", font: "Serif Bold Italic", size: "33.3"))
        let (whole, part) = (
            try await draw(data, scale: 2),
            try await draw(data, clip: ClipBox(x: 40, y: 20, width: 60, height: 30), scale: 2)
        )
        #expect(part.width == 120)
        for y in 0..<60 {
            let start = 4 * ((y + 40) * whole.width + 80)
            #expect(whole.bytes[start..<start + 480] == part.bytes[480 * y..<480 * (y + 1)])
        }
    }

    @Test("Other scripts, also right to left, are drawn; characters that no font has cause a warning")
    func scripts() async throws {
        for text in ["日本", "שלום", "مرحبا", "Ωμέγα", "a שלום b"] {
            let page = try await draw(Self.page(Self.text(text, size: "20")))
            #expect(page.warnings.isEmpty && page.all > 60, "\(text)")
        }
        // In a Hebrew word, the second letter is to the left of the first one.
        let (one, two) = (try await draw(Self.page(Self.text("ש"))), try await draw(Self.page(Self.text("שו"))))
        let right = { (page: Page) in (0..<200).last { page.count($0..<$0 + 1, 0..<100) > 0 } ?? 0 }
        #expect(right(two) > right(one))
        #expect(two.count(20..<30, 0..<100) < one.count(20..<30, 0..<100))
        let none = try await draw(Self.page(Self.text("a\u{10FFFD}")))
        #expect(none.warnings.map(\.code.name) == ["ink-text-missing"])
        #expect(none.all > 50)
    }

    @Test("Fonts: the closest loaded one is used")
    func fonts() async throws {
        var pictures: Set<[UInt8]> = []
        for font in ["Sans", "DejaVu Serif", "Courier New", "Noto Sans Bold", "Times Bold", "Sans Italic"] {
            pictures.insert(try await draw(Self.page(Self.text("Rag", font: font))).bytes)
        }
        #expect(pictures.count == 6)
    }

    @Test("Unusual texts are drawn as far as possible", .timeLimit(.minutes(20)))
    func strange() async throws {
        let long = String(repeating: "ab שלום ", count: 20_000)
        for text in [
            Self.text(long), Self.text("H", size: "1e30"), Self.text("H", size: "nan"), Self.text("H", size: "-3"),
            Self.text("H", x: "1e30"), Self.text("H", x: "nan"), Self.text(String(repeating: "\n", count: 100_000)),
            Self.text("H", font: ""), Self.text("H", font: String(repeating: "x", count: 100_000)),
            Self.text(String(repeating: "e\u{301}", count: 5_000)),
        ] { _ = try await draw(Self.page(text)) }
    }

    @Test("Staves and isometric paper are at the same positions as in Xournal++")
    func rulings() async throws {
        let staves = try await draw(Self.page("", style: "staves", width: 300, height: 200), scale: 1.5)
        // In device px, two per point: five lines from 80, and five from 142.5, which is not at the edge of a pixel.
        #expect(staves.lines(column: 300).map { $0 / 2 } == [79, 84, 89, 94, 99, 142, 147, 152, 157, 162])
        #expect(staves.lines(column: 99).count == 2 && staves.lines(column: 97).isEmpty)
        let low = try await draw(Self.page("", style: "staves", width: 300, height: 183))
        #expect(low.lines(column: 150).count == 5)
        // 24 columns of 12.27 points fit into 300, and 28 rows of 7.085 fit into 200; the frame omits the outermost
        // ones.
        let graph = try await draw(Self.page("", style: "isograph", width: 300, height: 200), scale: 3)
        let (columns, rows) = (
            (0..<1200).filter { graph.count($0..<$0 + 1, 0..<800) > 0 },
            (0..<800).filter { graph.count(0..<1200, $0..<$0 + 1) > 0 }
        )
        // The lines are four device px wide.
        let (left, right) = (try #require(columns.first), try #require(columns.last))
        let (top, bottom) = (try #require(rows.first), try #require(rows.last))
        #expect((58...60).contains(left) && (1_138...1_142).contains(right))
        #expect((56...60).contains(top) && (738...742).contains(bottom))
        let dots = try await draw(Self.page("", style: "isodotted", width: 300, height: 200), scale: 3)
        #expect(dots.count(0..<1200, 0..<50) == 0 && dots.all < graph.all / 10 && dots.all > 5_000)
    }
}
