import CGTK
import Offstage
import XCTest

@testable import OffstageGTK

/// Rows that were never drawn look like the rows around them.
final class PlaceholderTests: XCTestCase {
    func testAPlaceholderHasTheColourOfMostRows() {
        onMain {
            let engine = NumberEngine()
            let source = Numbers(1_000)
            source.numbers = Array(repeating: 77, count: 500) + Array(500..<1_000)
            source.height = { _ in 60 }
            let bench = NumberList(engine: engine, options: Self.options, source: source)
            bench.pumpUntilComplete()
            var tones = RowTones()
            for row in [3, 7, 7, 5] { tones.note(Self.image(color: 0xFF10_2000 | UInt32(row))) }
            XCTAssertEqual(tones.usual, RowTones.Tone(red: 16 / 255, green: 32 / 255, blue: 7 / 255))
            XCTAssertEqual(tones.usual?.isLight, false)
            tones.note(Self.image(color: 0xFF00_0000))
            XCTAssertNil(tones.usual, "fewer than half")
            engine.hold()
            bench.list.scroll(to: 900, .top)
            pump(frames: 2, of: bench.inner)
            XCTAssertEqual(bench.list.content(of: 900), .text)
            let color = bench.screen()[Int(bench.list.layout.pictureBox(of: 900).x) + 2, 30]
            XCTAssertEqual(color, 77)
            engine.release()
            bench.pumpUntilComplete()
            bench.close()
        }
    }

    func testPicturesWithoutABackgroundSayNothing() {
        var tones = RowTones()
        tones.note(Self.image(color: 0x8010_2000))
        XCTAssertNil(tones.usual)
        // A photograph whose corners all differ.
        tones.note(Self.image { UInt32($0) * 999 | 0xFF00_0000 })
        XCTAssertNil(tones.usual)
        for _ in 0..<3 { tones.note(Self.image(color: 0xFFFF_FFFF)) }
        XCTAssertEqual(tones.usual?.isLight, true)
    }

    private static var options: ListOptions {
        var options = ListOptions()
        options.thumbnail = nil
        return options
    }

    private static func image(color: UInt32) -> Offstage.Pixmap { image { _ in color } }

    private static func image(_ color: (Int) -> UInt32) -> Offstage.Pixmap {
        Offstage.Pixmap.filled(size: PixelSize(width: 5, height: 3), isOpaque: false) { bytes in
            for (index, _) in bytes.bindMemory(to: UInt32.self).enumerated() {
                bytes.storeBytes(of: color(index), toByteOffset: 4 * index, as: UInt32.self)
            }
        }
    }
}
