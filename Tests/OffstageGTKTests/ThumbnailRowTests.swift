import CWebKitGTK
import Offstage
import XCTest

@testable import OffstageGTK

/// A row between its placeholder and its picture: the thumbnail that is kept of it.
final class ThumbnailRowTests: XCTestCase {
    /// What the thumbnails' colours have more than the pictures', which are the numbers.
    private static let tint = 0x4000

    /// Draws rows once and keeps their thumbnails alone.
    @MainActor
    private static func thumbnails(of rows: Range<Int>, box: PixelSize, width: Int = 384) -> MemoryCache<CachedPictures>
    {
        HostDisplay.start()
        let (memory, source) = (CachedPictures.cache(), Numbers(rows.upperBound))
        var configuration = RendererConfiguration()
        configuration.memory = memory
        let renderer = Renderer(engine: NumberEngine(tint: tint), configuration: configuration)
        var isDone = false
        let task = Task {
            for row in rows {
                let request = source.request(at: row, width: width, scale: 1)!
                let image = try await renderer.thumbnail(for: request, fittingInto: box)
                XCTAssertLessThanOrEqual(image.size.width, box.width)
            }
            await renderer.finish()
            isDone = true
        }
        XCTAssert(pump { isDone })
        task.cancel()
        forgetPictures(of: rows, in: memory)
        return memory
    }

    private static func forgetPictures(of rows: Range<Int>, in memory: MemoryCache<CachedPictures>) {
        for row in rows { memory.remove(.pixels(of: "row/\(row)")) }
    }

    private static func options(_ box: PixelSize) -> ListOptions {
        var options = ListOptions()
        options.thumbnail = box
        return options
    }

    /// Where a row's picture is to be, device px of the screen.
    @MainActor
    private static func box(of row: Int, in bench: NumberList) -> (columns: Range<Int>, rows: Range<Int>) {
        let padding = bench.list.options.verticalPadding
        let (left, top) = (bench.list.layout.pictureBox(of: row).x, Int(bench.list.screenTop(of: row)) + padding)
        let bottom = Int(bench.list.screenTop(of: row + 1)) - padding
        return (left..<left + bench.list.sizing.width, max(0, top)..<min(500, bottom))
    }

    /// That a row's place is filled with one colour, to its edges and not beyond.
    @MainActor
    private static func assertFilled(
        _ row: Int, with color: UInt32, in bench: NumberList, file: StaticString = #filePath, line: UInt = #line
    ) {
        let (screen, (columns, rows)) = (bench.screen(), box(of: row, in: bench))
        let wrong = rows.flatMap { y in columns.filter { screen[$0, y] != color }.map { ($0, y) } }
        XCTAssert(
            wrong.isEmpty, "row \(row): \(wrong.count) pixels, first \(wrong.first ?? (0, 0))", file: file, line: line)
        for y in [rows.lowerBound - 1, rows.upperBound] where y >= 0 && y < screen.height {
            XCTAssertNotEqual(screen[columns.lowerBound + 9, y], color, "row \(row), beyond", file: file, line: line)
        }
        XCTAssertNotEqual(screen[columns.lowerBound - 1, rows.lowerBound], color, file: file, line: line)
        XCTAssertNotEqual(screen[columns.upperBound, rows.lowerBound], color, file: file, line: line)
    }

    func testTheThumbnailStandsInThePicturesPlaceUntilThatIsThere() {
        onMain {
            // A quarter of each side.
            let box = PixelSize(width: 96, height: 96)
            let memory = Self.thumbnails(of: 0..<100, box: box)
            let engine = NumberEngine(capacity: 1)
            engine.hold()
            let bench = NumberList(rows: 100, engine: engine, options: Self.options(box), memory: memory)
            // Nothing has been looked up yet.
            XCTAssertEqual(bench.list.content(of: 0), .text)
            XCTAssert(pump { bench.list.visibleRows.allSatisfy { bench.list.content(of: $0) == .thumbnail } })
            pump(frames: 2, of: bench.inner)
            for row in 0..<4 { Self.assertFilled(row, with: UInt32(row + Self.tint), in: bench) }
            let tops = (0..<6).map { bench.list.screenTop(of: $0) }
            // What comes then takes the thumbnails' place and moves nothing.
            engine.release()
            bench.pumpUntilComplete()
            for row in 0..<4 { Self.assertFilled(row, with: UInt32(row), in: bench) }
            XCTAssertEqual((0..<6).map { bench.list.screenTop(of: $0) }, tops)
            bench.close()
        }
    }

    /// A thumbnail's proportions are those of the picture but for what rounding took.
    func testARowWhoseHeightIsKnownDoesNotGetItsThumbnails() {
        onMain {
            let box = PixelSize(width: 100, height: 37)
            let memory = Self.thumbnails(of: 0..<100, box: box)
            let engine = NumberEngine(capacity: 1)
            let bench = NumberList(rows: 1_000, engine: engine, options: Self.options(box), memory: memory)
            bench.pumpUntilComplete()
            let tops = (0..<6).map { bench.list.screenTop(of: $0) }
            bench.list.scroll(to: 900, .top)
            bench.pumpUntilComplete()
            // The pictures have left, for newer ones, say; the thumbnails have not.
            for row in 0..<100 {
                let image = Self.forget(row, in: memory, box: box)
                XCTAssertNotNil(image, "row \(row)")
            }
            engine.hold()
            bench.list.scroll(to: 0, .top)
            XCTAssert(pump { bench.list.visibleRows.allSatisfy { bench.list.content(of: $0) == .thumbnail } })
            XCTAssertEqual((0..<6).map { bench.list.screenTop(of: $0) }, tops)
            pump(frames: 2, of: bench.inner)
            for row in 0..<4 { Self.assertFilled(row, with: bench.screen()[200, Int(tops[row]) + 20], in: bench) }
            engine.release()
            bench.pumpUntilComplete()
            XCTAssertEqual((0..<6).map { bench.list.screenTop(of: $0) }, tops)
            bench.close()
        }
    }

    /// - Returns: the thumbnail that is left.
    private static func forget(_ row: Int, in memory: MemoryCache<CachedPictures>, box: PixelSize) -> CachedPictures? {
        memory.remove(.pixels(of: "row/\(row)"))
        return memory.value(
            for: PictureKey("row/\(row)", variant: FileVariant(.png(), fittingInto: box, scale: 1).name))
    }

    /// Another source of thumbnails, which has one at any width.
    private struct Given: ThumbnailProviding {
        let memory: MemoryCache<CachedPictures>
        let box: PixelSize

        func thumbnail(for request: some DrawingRequest) async -> RenderedPicture? {
            memory.value(for: thumbnailKey(request.identifier, box))?.images[0]
        }
    }

    /// A picture at another width is better than a thumbnail at the right one.
    func testAThumbnailDoesNotTakeAPicturesPlace() {
        onMain {
            let box = PixelSize(width: 96, height: 96)
            let given = Given(memory: Self.thumbnails(of: 0..<100, box: box), box: box)
            let engine = NumberEngine(capacity: 50)
            engine.hold()
            let bench = NumberList(rows: 100, engine: engine, thumbnails: given)
            XCTAssert(pump { bench.list.visibleRows.allSatisfy { bench.list.content(of: $0) == .thumbnail } })
            engine.release()
            bench.pumpUntilComplete()
            engine.hold()
            gtk_window_resize(cast(bench.window), 300, 500)
            XCTAssert(pump { bench.list.sizing.width == 284 && engine.started.count { $0 == 0 } == 2 })
            // The thumbnail is looked for while the drawing waits.
            for _ in 0..<20 {
                pump(frames: 1, of: bench.inner)
                XCTAssertEqual(bench.list.content(of: 0), .picture)
                XCTAssertEqual(bench.screen()[150, 20], 0)
            }
            engine.release()
            bench.pumpUntilComplete()
            bench.close()
        }
    }
}

private func thumbnailKey(_ identifier: String, _ box: PixelSize) -> PictureKey {
    PictureKey(identifier, variant: FileVariant(.png(), fittingInto: box, scale: 1).name)
}
