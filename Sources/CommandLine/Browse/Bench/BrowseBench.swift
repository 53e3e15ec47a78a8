import CWebKitGTK
import Foundation
import Offstage
import OffstageGTK
import OffstageRequests

/// `offstage browse --bench`: scrolls through the same rows in the same way, and shows them in four ways, one after
/// the other.
@MainActor
struct BrowseBench {
    let jobs: [Job]
    let rows: Int
    let engines: EngineOptions

    /// A way to show the list.
    enum Way: CaseIterable {
        case governed, suspended, unlimited, live

        var name: String {
            switch self {
            case .governed: "governed"
            case .suspended: "suspended"
            case .unlimited: "no suspension"
            case .live: "web views"
            }
        }
    }

    /// The limit of pictures in memory, bytes. It is less than the rows need that pass by, so that some are evicted.
    private static let limit = 64 << 20

    func run(_ script: ScrollScript, asJSON isJSON: Bool) async throws {
        var all: [BrowseFigures] = []
        for way in Way.allCases {
            if !isJSON { Console.status("\(way.name) …\n") }
            all.append(try await figures(of: way, script))
        }
        if isJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
            try Console.print(String(decoding: encoder.encode(all), as: UTF8.self))
        } else {
            try Console.print(BrowseFigures.table(all))
        }
    }

    private func figures(of way: Way, _ script: ScrollScript) async throws -> BrowseFigures {
        let folder = NSTemporaryDirectory() + "offstage-browse-\(getpid())-\(way)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var configuration = RendererConfiguration()
        let pictures = CachedPictures.cache(limits: MemoryCacheLimits(bytes: Self.limit))
        configuration.memory = pictures
        configuration.store = PictureStore(folder: folder)
        let renderer = engines.renderer(views: engines.viewsOrProcessors, configuration)
        var options = ListOptions()
        switch way {
        case .governed: options.drawing = .governed
        case .suspended: options.drawing = .suspended
        case .unlimited, .live: options.drawing = .unlimited
        }
        options.thumbnail = PixelSize(width: 120, height: 60)
        if way == .live { (options.liveRows, options.liveLimit) = (.never, 64) }
        let list = PictureList(renderer: renderer, source: BrowseRows(jobs, count: rows), options: options)
        // This way needs no pictures: each visible row gets its own web view.
        let noPictures = way == .live ? renderer.suspend() : nil
        let ride = BrowseRide(list, way)
        let log = try await ride.run(script)
        noPictures?.end()
        var figures = ride.figures(log, named: way.name)
        figures.pictures = pictures.bytes >> 20
        figures.picturesLimit = Self.limit >> 20
        figures.drawn = renderer.counters.drawn
        ride.close()
        await renderer.finish(.cancelled)
        return figures
    }
}
