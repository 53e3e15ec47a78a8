import Foundation
import Offstage
import OffstageHTML

/// Files for documents that are not on a disk.
struct Bundle: ResourceProvider {
    let files: [String: Data]

    func resource(at path: String) async throws(ResourceError) -> Data {
        guard let data = files[path] else { throw .missing }
        return data
    }
}

func showFeed() async throws {
    var configuration = RendererConfiguration()
    configuration.memory = CachedPictures.cache()
    let renderer = Renderer(engine: HTMLEngine(views: 2), configuration: configuration)
    let style = Bundle(files: ["row.css": Data("p { margin: 8px; color: #1e90ff }".utf8)])

    @Sendable func row(_ number: Int) -> Snippet {
        let html = Data("<!doctype html><link rel=stylesheet href=row.css><p>Row \(number)</p>".utf8)
        return Snippet(
            identifier: "feed/\(number)", html: html, base: style, geometry: Geometry(width: 200, scale: 2))
    }

    // Requests the rows that come next in a list that shows rows 0 to 4. You can cancel them by their group.
    let prefetcher = Prefetcher(renderer: renderer, lookAhead: 3, group: "feed") { name in
        name.split(separator: "/").last.flatMap { Int($0) }.map { row($0) }
    }
    prefetcher.prefetch((0..<20).map { "feed/\($0)" }, around: 0..<5, travel: .forward)

    // While the lease is active, only immediate requests start.
    let lease = renderer.suspend(for: .seconds(2))
    let urgent = try await renderer.picture(for: row(19), options: RenderOptions(isImmediate: true))
    lease.end()
    print("\(urgent.size) device px at once")

    let options = RenderOptions(priority: .veryHigh, thumbnail: PixelSize(width: 50, height: 50))
    for try await update in renderer.updates(for: row(12), options: options) {
        switch update {
        case .placeholder: print("nothing yet")
        case .stale: print("as it was before")
        case .thumbnail(let image): print("small, \(image.size)")
        case .full(let image): print("whole, \(image.size)")
        }
    }

    var wrong = row(20)
    wrong.geometry.width = -1
    do throws(RenderError) {
        _ = try await renderer.picture(for: wrong)
    } catch {
        print("\(error.identifier): \(error.reason)")
    }

    await renderer.finish(.drawn)
    print("\(renderer.counters.drawn) drawn, \(renderer.counters.failed) failed")
}

try await showFeed()
