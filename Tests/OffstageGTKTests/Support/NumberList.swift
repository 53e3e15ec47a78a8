import CGTK
import COffstageGTK
import CTestEvents
import Foundation
import Offstage
import XCTest

@testable import OffstageGTK

/// Rows with one number each.
@MainActor
final class Numbers: ListSource {
    /// The numbers, in the rows' order.
    var numbers: [Int]
    /// The height for each number, in CSS px.
    var height: (Int) -> Int = { 40 + $0 % 7 * 20 }
    var version: (Int) -> Int = { _ in 0 }
    var areas: (Int) -> [PictureArea] = { _ in [] }
    private(set) var asked: [Int] = []

    init(_ count: Int) { numbers = Array(0..<count) }

    /// Numbers whose content has been requested.
    private(set) var readying: Set<Int> = []
    /// Numbers whose requests were cancelled.
    private(set) var withdrawn: Set<Int> = []
    private var ready: Set<Int>?
    private var waiting: [CheckedContinuation<Void, Never>]?

    /// From now on, only rows that were ready are ready, until `release`.
    func holdReady() {
        ready = ready ?? []
        waiting = waiting ?? []
    }

    func release() {
        for continuation in waiting ?? [] { continuation.resume() }
        waiting = nil
    }

    func isReady(at row: Int) -> Bool { ready?.contains(numbers[row]) ?? true }

    func makeReady(at row: Int) async {
        let number = numbers[row]
        readying.insert(number)
        await withTaskCancellationHandler {
            if waiting != nil { await withCheckedContinuation { waiting?.append($0) } }
        } onCancel: {
            Task { @MainActor in withdrawn.insert(number) }
        }
        ready?.insert(number)
    }

    var rowCount: Int { numbers.count }
    func identifier(at row: Int) -> String { "row/\(numbers[row])" }
    func plainText(at row: Int) -> String? { "Number \(numbers[row])" }

    func request(at row: Int, width: Int, scale: Double) -> (any DrawingRequest)? {
        let number = numbers[row]
        asked.append(number)
        return NumberRow(
            number: number, width: width, scale: scale, height: height(number), version: version(number),
            areas: areas(number))
    }
}

/// A provider of live rows that the test creates.
struct LiveRows<Request: DrawingRequest>: LiveRowProvider {
    let make: @MainActor (Request) async throws -> any LiveRow

    func liveRow(for request: Request) async throws -> any LiveRow { try await make(request) }
}

/// A window with a list of numbers in it, on the host's display.
@MainActor
final class NumberList: HostBench {
    let engine: NumberEngine
    let renderer: Renderer
    let source: Numbers
    var list: PictureList!
    let window: UnsafeMutablePointer<GtkWidget>

    init(
        rows: Int = 1_000, engine: NumberEngine = NumberEngine(), options: ListOptions = ListOptions(),
        width: Int = 400,
        height: Int = 500, keeps: Bool = true, memory: MemoryCache<CachedPictures>? = nil,
        store: PictureStore? = nil,
        thumbnails: (any ThumbnailProviding)? = nil, source: Numbers? = nil,
        liveRows: [any LiveRowProvider] = []
    ) {
        HostDisplay.start()
        self.engine = engine
        var configuration = RendererConfiguration()
        if keeps { configuration.memory = memory ?? CachedPictures.cache() }
        configuration.store = store
        configuration.thumbnails = thumbnails
        renderer = Renderer(engine: engine, configuration: configuration)
        self.source = source ?? Numbers(rows)
        list = PictureList(renderer: renderer, source: self.source, options: options, liveRows: liveRows)
        window = gtk_window_new(GTK_WINDOW_TOPLEVEL)
        gtk_window_set_default_size(cast(window), Int32(width), Int32(height))
        gtk_container_add(cast(window), list.widget)
        // The test itself must choose the pointer's position.
        test_pointer_move(999, 799)
        gtk_widget_show_all(window)
        pump { gtk_widget_get_mapped(self.list.canvas.inner) != 0 && self.list.slots.window.visible.count > 0 }
    }

    var canvas: Canvas { list.canvas }
    var pointer: ItemPointer { list.pointer }
    var adjustment: UnsafeMutablePointer<GtkAdjustment> { list.canvas.adjustment }
    var value: Double { gtk_adjustment_get_value(adjustment) }

    func close() {
        if list.canvas.isThere { gtk_widget_destroy(window) }
        list = nil
    }

    /// Whether every visible row shows its full picture and nothing scrolls.
    var isComplete: Bool {
        !list.isScrolling && !list.updates.isDue && !list.updates.isLookDue
            && list.slots.window.visible.allSatisfy {
                guard let picture = list.slots[$0]?.picture else { return false }
                return picture.quality == .full && picture.askedWidth == list.sizing.width
                    && picture.image.scale == list.sizing.scale
            }
    }

    func pumpUntilComplete(file: StaticString = #filePath, line: UInt = #line) {
        XCTAssert(pump { isComplete }, "the rows in sight are not complete: \(state)", file: file, line: line)
        // Some drawings may have started before the last picture arrived.
        pump(frames: 2, of: inner)
    }

    private var state: String {
        let rows = list.slots.window.visible.map { row -> String in
            guard let slot = list.slots[row] else { return "\(row) none" }
            return "\(row) \(slot.isAsked) \(slot.hasFailed) \(slot.picture.map { "\($0.quality)" } ?? "nothing")"
        }
        return "scrolls \(list.isScrolling), dirty \(list.updates.isDue), suspended \(renderer.isSuspended), \(rows)"
    }
}

/// A cast of a widget to another type, as with a cast macro in C.
func cast<To>(_ pointer: UnsafeMutablePointer<GtkWidget>, to type: To.Type = To.self) -> UnsafeMutablePointer<To> {
    UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: type)
}
