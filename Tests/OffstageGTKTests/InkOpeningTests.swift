import CGTK
import CTestEvents
import Foundation
import XCTest

@testable import OffstageGTK
@testable import OffstageInk

/// A page with many strokes, which other threads draw, and a file that is being read.
final class InkOpeningTests: XCTestCase {
    /// Some strokes are translucent: if they were drawn twice, they would be darker.
    private static func strokes(_ range: Range<Int>) -> [Stroke] {
        range.map { number in
            let points = (0..<30).map {
                InkPoint(
                    x: Float(number * 7 % 280) + Float($0) / 3, y: Float(number * 11 % 200) + Float($0 * number % 23))
            }
            let color = InkColor(red: UInt8(number % 256), green: 40, blue: 90, opacity: 120)
            return Stroke(points, tool: number % 5 == 0 ? .highlighter : .pen, color: color, width: 2)
        }
    }

    private static func page(_ count: Int) -> InkPage {
        InkPage(width: 300, height: 225, layers: [InkLayer(strokes: strokes(0..<count))])
    }

    func testOtherThreadsDrawTheSamePixels() {
        onMain {
            let bench = InkBench(InkEditor(Ink(pages: [Self.page(600)])))
            let canvas = bench.canvas
            XCTAssertTrue(bench.pixels() == bench.fresh())
            @MainActor func check(_ what: String) {
                pump { canvas.isComplete }
                XCTAssertTrue(bench.pixels() == bench.fresh(), what)
            }
            // The canvas may change in other ways while bands are being drawn.
            canvas.zoom = 2
            XCTAssertFalse(canvas.sheet!.bands.isEmpty, "the bands are drawn here")
            canvas.scroll(x: 30, y: 70)
            check("scroll")
            canvas.zoom = 1.5
            bench.line(from: (50, 50), to: (300, 200))
            check("a stroke on top")
            canvas.zoom = 2
            canvas.undo()
            check("undo")
            canvas.zoom = 1.2
            canvas.scroll(x: 0, y: 1000)
            canvas.scroll(x: 0, y: -1000)
            canvas.mode = .erase(.stroke, radius: 4)
            bench.line(from: (100, 100), to: (200, 120))
            check("erase")
            canvas.zoom = 1
            canvas.zoom = 0.5
            check("zoom twice")
            bench.close()
        }
    }

    func testAFileIsShownWhileItIsRead() {
        onMain {
            let bench = InkBench(InkEditor(Ink()))
            let canvas = bench.canvas
            let page = Self.page(700)
            var opening = page
            opening.layers = []
            for (number, range) in [0..<150, 150..<400, 400..<700].enumerated() {
                let items = Self.strokes(range).map(InkItem.stroke)
                let part = InkSlice.Page(number: 0, page: opening, items: items, boxes: items.map(\.bounds))
                canvas.show(InkSlice(isFirst: number == 0, pages: [part]))
                XCTAssertEqual(canvas.itemCount, range.upperBound)
                // This also works when a slice arrives before the previous one has been drawn.
                if number != 1 { pump { canvas.isComplete } }
            }
            // A stroke drawn now would be lost, so the canvas ignores it.
            bench.line(from: (50, 50), to: (300, 200))
            XCTAssertEqual(canvas.itemCount, 700)
            let shown = bench.pixels()
            let editor = InkEditor(Ink(pages: [page]))
            let file = InkFile(lookingAt: "")
            canvas.open(InkFile.Opened(file: file, editor: editor, warnings: []))
            XCTAssertTrue(canvas.isComplete, "the pixels are there already")
            XCTAssertTrue(bench.pixels() == shown)
            XCTAssertTrue(bench.pixels() == bench.fresh())
            bench.line(from: (50, 50), to: (300, 200))
            XCTAssertEqual(canvas.editor.ink.strokeCount, 701)
            pump { canvas.isComplete }
            XCTAssertTrue(bench.pixels() == bench.fresh())
            bench.close()
        }
    }
}
