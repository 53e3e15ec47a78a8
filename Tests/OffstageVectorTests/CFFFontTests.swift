import Foundation
import SeededRandom
import Testing

@testable import Offstage
@testable import OffstageVector

/// The outline fonts in a PDF: a reader gets back the outlines that were written.
@Suite struct CFFFontTests {
    private typealias Point = GlyphOutline.Point

    private func square(_ side: Double, width: Double = 500) -> GlyphOutline {
        let corners = [Point(x: side, y: 0), Point(x: side, y: side), Point(x: 0, y: side)]
        let contour = GlyphOutline.Contour(start: Point(x: 0, y: 0), segments: corners.map { .line($0) })
        return GlyphOutline(width: width, contours: [contour])
    }

    /// Includes repeated steps in one direction, long runs, fractions and the largest possible jumps.
    private func outline(_ chance: inout SeededGenerator) -> GlyphOutline {
        let sizes = [0, 0, 1, 107, 108, 1131, 1132, 9000, 0.5, 21_845.0 / 65_536]
        func point(_ chance: inout SeededGenerator, from last: Point) -> Point {
            func coordinate(_ number: Double) -> Double {
                let step = sizes.randomElement(using: &chance)! * (Bool.random(using: &chance) ? 1 : -1)
                return abs(number + step) < 16_000 ? number + step : number
            }
            return Point(x: coordinate(last.x), y: coordinate(last.y))
        }
        var outline = GlyphOutline(width: [500, 600, 0, 333.25].randomElement(using: &chance)!)
        var last = Point(x: 0, y: 0)
        for _ in 0..<Int.random(in: 0...3, using: &chance) {
            last = point(&chance, from: last)
            var contour = GlyphOutline.Contour(start: last)
            let isStraight = Bool.random(using: &chance)
            for _ in 0..<Int.random(in: 1...60, using: &chance) {
                var points: [Point] = []
                for _ in 0..<3 {
                    points.append(point(&chance, from: points.last ?? last))
                }
                // Lines of zero length are omitted.
                if isStraight, points[2] == last { continue }
                contour.segments.append(isStraight ? .line(points[2]) : .curve(points[0], points[1], points[2]))
                last = points[2]
            }
            outline.contours.append(contour)
        }
        return outline
    }

    @Test(arguments: Seed.some(20)) func aReaderGetsTheOutline(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        for _ in 0..<30 {
            let outline = outline(&chance)
            let read = try CharstringReader(CFFCharstring(outline, defaultWidth: 500).bytes)
            #expect(read.width ?? 500 == outline.width)
            #expect(read.contours == outline.contours)
        }
    }

    /// 0, then right, up and left, in encoded numbers.
    @Test func aSquareInBytes() {
        #expect(CFFCharstring(square(100), defaultWidth: 500).bytes == [139, 22, 239, 239, 39, 6, 14])
        let wide = CFFCharstring(square(1, width: 501), defaultWidth: 500)
        #expect(wide.bytes == [248, 137, 139, 22, 140, 140, 138, 6, 14])
        #expect(CFFCharstring(GlyphOutline(width: 500), defaultWidth: 500).bytes == [14])
    }

    @Test func numbersOfADictionary() {
        #expect(CFFNumber.integer(-107) == [32] && CFFNumber.integer(1131) == [250, 255])
        #expect(CFFNumber.integer(-1131) == [254, 255] && CFFNumber.integer(2000) == [29, 0, 0, 7, 208])
        #expect(CFFNumber.real(0.00048828125) == [30, 0x0A, 0x00, 0x04, 0x88, 0x28, 0x12, 0x5F])
        #expect(CFFNumber.real(1 / 16_384) == [30, 0x6A, 0x10, 0x35, 0x15, 0x62, 0x5C, 0x05, 0xFF])
    }

    @Test func theTagIsThatOfTheGlyphs() {
        func name(_ side: Double, _ glyph: String = "a", units: Int = 1000) -> String {
            CFFFont(name: "Sample-Regular", unitsPerEm: units, glyphs: [(glyph, square(side))]).taggedName
        }
        #expect(name(10).wholeMatch(of: /[A-Z]{6}\+Sample-Regular/) != nil, "\(name(10))")
        #expect(name(10) == name(10))
        #expect(Set([name(10), name(11), name(10, "b"), name(10, units: 2048)]).count == 4)
    }

    @Test func theBoxHasAllGlyphsInIt() {
        var low = square(10)
        low.contours[0].start = GlyphOutline.Point(x: -3.5, y: -200)
        let font = CFFFont(name: "A", unitsPerEm: 1000, glyphs: [("a", square(700.25)), ("b", low)])
        #expect(font.box == [-4, -200, 701, 701])
        let blank = CFFFont(name: "A", unitsPerEm: 1000, glyphs: [("space", GlyphOutline(width: 250))])
        #expect(blank.box == [0, 0, 0, 0])
    }
}
