import CGTK
import Foundation
import Offstage
import OffstageCommandLine
import OffstageGTK
import OffstageGTKLive
import OffstageRequests

/// `offstage browse --bench`: scrolls through the same rows in the same way, and shows them in several ways, one after
/// the other.
@MainActor
struct BrowseBench {
    let jobs: [Job]
    let rows: Int
    let engines: EngineOptions
    let script: ScrollScript
    let ways: [BrowseRun.Way]
    /// True: all rows are stored beforehand.
    let isWarm: Bool
    /// True: shows a grid, which has no live rows.
    let isGrid: Bool

    /// The limit of pictures in memory, bytes. The rows that pass by need more, so some are evicted.
    private static let limit = 64 << 20

    /// The number of jumps after the script.
    private static let jumps = 15

    func run(asJSON isJSON: Bool) async throws {
        var all: [BrowseFigures] = []
        for way in ways {
            if !isJSON { Console.status("\(way.name) …\n") }
            all.append(try await figures(of: way))
        }
        if isJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
            try Console.print(String(decoding: encoder.encode(all), as: UTF8.self))
        } else {
            try Console.print(BrowseFigures.table(all))
        }
    }

    private func figures(of way: BrowseRun.Way) async throws -> BrowseFigures {
        let folder = NSTemporaryDirectory() + "offstage-browse-\(getpid())-\(way)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        if isWarm { try await fill(folder) }
        var configuration = RendererConfiguration()
        let pictures = CachedPictures.cache(limits: MemoryCacheLimits(bytes: Self.limit))
        configuration.memory = pictures
        configuration.store = PictureStore(folder: folder)
        let renderer = engines.renderer(views: engines.viewsOrProcessors, configuration)
        let source = BrowseRows(jobs, count: rows)
        // The bench measures the list, not how fast files are read.
        for row in 0..<min(jobs.count, rows) { await source.makeReady(at: row) }
        let start = ContinuousClock.now
        let ride = BrowseRide(view(of: source, renderer, way), way)
        // The start of the engine is not part of the scrolling.
        if way != .live { try await ride.waitUntilComplete(seconds: 15) }
        let firstScreen = (ContinuousClock.now - start) / .milliseconds(1)
        // These ways need only the first pictures: each visible row gets its own web view, or nothing.
        let noPictures = way == .live || way == .none ? renderer.suspend() : nil
        if way == .live { try await ride.waitUntilComplete(seconds: 15) }
        let log = try await ride.run(script)
        var figures = ride.figures(log, named: way.name)
        if noPictures == nil {
            figures.firstScreen = firstScreen
            let times = await ride.jumps(Self.jumps).sorted()
            (figures.jumpMedian, figures.jumpMost) = (times[times.count / 2], times[times.count - 1])
        }
        noPictures?.end()
        figures.pictures = pictures.bytes >> 20
        figures.picturesLimit = Self.limit >> 20
        figures.drawn = renderer.counters.drawn
        ride.close()
        await renderer.finish(.cancelled)
        return figures
    }

    private func view(of source: BrowseRows, _ renderer: Renderer, _ way: BrowseRun.Way) -> any BrowseView {
        if isGrid {
            var options = GridOptions()
            options.drawing = way.drawing
            return PictureGrid(renderer: renderer, source: source, options: options)
        }
        var options = ListOptions()
        options.drawing = way.drawing
        if way == .live { (options.liveRows, options.liveLimit) = (.never, 64) }
        return PictureList(
            renderer: renderer, source: source, options: options, liveRows: renderer.liveSnippets)
    }

    /// Draws all rows as the list or grid requests them, and stores them.
    private func fill(_ folder: String) async throws {
        var configuration = RendererConfiguration()
        configuration.store = PictureStore(folder: folder)
        let renderer = engines.renderer(views: engines.viewsOrProcessors, configuration)
        let source = BrowseRows(jobs, count: rows)
        let view = view(of: source, renderer, .unlimited)
        let ride = BrowseRide(view, .unlimited)
        try await ride.waitUntilComplete(seconds: 15)
        let options = RenderOptions(thumbnail: view.thumbnail)
        await withTaskGroup(of: Void.self) { group in
            for row in 0..<source.rowCount {
                if row >= 16 { await group.next() }
                await source.makeReady(at: row)
                guard let request = view.request(at: row) else { continue }
                group.addTask { _ = try? await renderer.picture(for: request, options: options) }
            }
        }
        ride.close()
        await renderer.finish()
    }
}

extension BrowseRun.Way {
    /// For the table.
    fileprivate var name: String {
        switch self {
        case .governed: "governed"
        case .suspended: "suspended"
        case .unlimited: "no suspension"
        case .none: "no drawing"
        case .live: "web views"
        }
    }

    fileprivate var drawing: DrawingWhileScrolling {
        switch self {
        case .governed: .governed
        case .suspended: .suspended
        case .unlimited, .none, .live: .unlimited
        }
    }
}
