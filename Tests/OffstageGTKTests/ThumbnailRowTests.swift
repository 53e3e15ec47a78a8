import CGTK
import Offstage
import XCTest

@testable import OffstageGTK

/// Between its placeholder and its picture, a row shows its cached thumbnail.
final class ThumbnailRowTests: XCTestCase {
    /// The difference in colour between thumbnails and pictures. A picture's colour is its number.
    private static let tint = 0x40_00_00

    /// Draws rows once and keeps only their thumbnails, on disk.
    @MainActor
    private static func thumbnails(of rows: Range<Int>, box: PixelSize, width: Int = 384) -> Kept {
        HostDisplay.start()
        let (kept, source) = (Kept(), Numbers(rows.upperBound))
        var configuration = RendererConfiguration()
        configuration.store = kept.store
        let renderer = Renderer(engine: NumberEngine(tint: tint), configuration: configuration)
        var isDone = false
        let task = Task {
            for row in rows {
                let request = source.request(at: row, width: width, scale: 1)!
                let image = try await renderer.thumbnail(for: request, fittingInto: box)
                XCTAssertLessThanOrEqual(image.size.width, box.width)
                kept.images[image.identifier] = image
            }
            await renderer.finish()
            isDone = true
        }
        XCTAssert(pump { isDone })
        task.cancel()
        kept.forgetPictures(of: rows)
        return kept
    }

    /// A store in its own folder.
    @MainActor
    private final class Kept {
        var images: [String: RenderedPicture] = [:]
        let folder = NSTemporaryDirectory() + "offstage-thumbnails-\(UUID().uuidString)"
        let store: PictureStore

        init() { store = PictureStore(folder: folder) }

        /// Removes the folder when nothing writes to it any more.
        func remove(after renderer: Renderer? = nil) {
            if let renderer { finish(renderer) }
            try? FileManager.default.removeItem(atPath: folder)
        }

        func forgetPictures(of rows: Range<Int>) {
            var isDone = false
            Task {
                await store.remove(rows.map { .pixels(of: "row/\($0)") })
                isDone = true
            }
            XCTAssert(pump { isDone })
        }
    }

    private static func options(_ box: PixelSize) -> ListOptions {
        var options = ListOptions()
        options.thumbnail = box
        return options
    }

    /// The expected position of a row's picture on the screen, in device px.
    @MainActor
    private static func box(of row: Int, in bench: NumberList) -> (columns: Range<Int>, rows: Range<Int>) {
        let padding = bench.list.options.verticalPadding
        let (left, top) = (bench.list.layout.pictureBox(of: row).x, Int(bench.list.screenTop(of: row)) + padding)
        let bottom = Int(bench.list.screenTop(of: row + 1)) - padding
        return (left..<left + bench.list.sizing.width, max(0, top)..<min(500, bottom))
    }

    /// Thumbnails use lossy compression.
    private static func areNear(_ one: UInt32, _ other: UInt32) -> Bool {
        [0, 8, 16].allSatisfy { abs(Int(one >> $0 & 255) - Int(other >> $0 & 255)) <= 8 }
    }

    /// Checks that nearly one colour fills a row, up to its edges and not beyond.
    @MainActor
    private static func assertFilled(
        _ row: Int, with color: UInt32, in bench: NumberList, file: StaticString = #filePath, line: UInt = #line
    ) {
        let (screen, (columns, rows)) = (bench.screen(), box(of: row, in: bench))
        let wrong = rows.flatMap { y in columns.filter { !areNear(screen[$0, y], color) }.map { ($0, y) } }
        XCTAssert(
            wrong.isEmpty, "row \(row): \(wrong.count) pixels, first \(wrong.first ?? (0, 0))", file: file, line: line)
        for y in [rows.lowerBound - 1, rows.upperBound] where y >= 0 && y < screen.height {
            XCTAssertFalse(
                areNear(screen[columns.lowerBound + 9, y], color), "row \(row), beyond", file: file, line: line)
        }
        for x in [columns.lowerBound - 1, columns.upperBound] {
            XCTAssertFalse(areNear(screen[x, rows.lowerBound], color), file: file, line: line)
        }
    }

    func testTheThumbnailStandsInThePicturesPlaceUntilThatIsThere() {
        onMain {
            // The box is a quarter of the row's width.
            let box = PixelSize(width: 96, height: 96)
            let kept = Self.thumbnails(of: 0..<100, box: box)
            let engine = NumberEngine(capacity: 1)
            engine.hold()
            let bench = NumberList(rows: 100, engine: engine, options: Self.options(box), store: kept.store)
            XCTAssert(pump { bench.list.visibleRows.allSatisfy { bench.list.content(of: $0) == .thumbnail } })
            pump(frames: 2, of: bench.inner)
            for row in 0..<4 { Self.assertFilled(row, with: UInt32(row + Self.tint), in: bench) }
            let tops = (0..<6).map { bench.list.screenTop(of: $0) }
            // The picture replaces the thumbnail when it arrives, and nothing moves.
            engine.release()
            bench.pumpUntilComplete()
            for row in 0..<4 { Self.assertFilled(row, with: UInt32(row), in: bench) }
            XCTAssertEqual((0..<6).map { bench.list.screenTop(of: $0) }, tops)
            bench.close()
            kept.remove(after: bench.renderer)
        }
    }

    /// A thumbnail has the picture's proportions, except for rounding, so the row keeps its known height.
    func testARowWhoseHeightIsKnownDoesNotGetItsThumbnails() {
        onMain {
            let box = PixelSize(width: 100, height: 37)
            let kept = Self.thumbnails(of: 0..<100, box: box)
            let (engine, memory) = (NumberEngine(capacity: 1), CachedPictures.cache())
            let bench = NumberList(
                rows: 1_000, engine: engine, options: Self.options(box), memory: memory, store: kept.store)
            bench.pumpUntilComplete()
            let tops = (0..<6).map { bench.list.screenTop(of: $0) }
            bench.list.scroll(to: 900, .top)
            bench.pumpUntilComplete()
            // The pictures have been evicted; the thumbnails have not.
            for row in 0..<100 { memory.remove(.pixels(of: "row/\(row)")) }
            kept.forgetPictures(of: 0..<100)
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
            kept.remove(after: bench.renderer)
        }
    }

    /// Another source of thumbnails, which has one for any width.
    private struct Given: ThumbnailProviding {
        let images: [String: RenderedPicture]

        func thumbnail(for request: some DrawingRequest) async -> RenderedPicture? { images[request.identifier] }
    }

    /// A picture of another width is better than a thumbnail of the right width.
    func testAThumbnailDoesNotTakeAPicturesPlace() {
        onMain {
            let box = PixelSize(width: 96, height: 96)
            let kept = Self.thumbnails(of: 0..<100, box: box)
            kept.remove()
            let given = Given(images: kept.images)
            let engine = NumberEngine(capacity: 50)
            engine.hold()
            let bench = NumberList(rows: 100, engine: engine, thumbnails: given)
            XCTAssert(pump { bench.list.visibleRows.allSatisfy { bench.list.content(of: $0) == .thumbnail } })
            engine.release()
            bench.pumpUntilComplete()
            engine.hold()
            gtk_window_resize(cast(bench.window), 300, 500)
            XCTAssert(pump { bench.list.sizing.width == 284 && engine.started.count { $0 == 0 } == 2 })
            // The thumbnail is looked up while the drawing waits.
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
