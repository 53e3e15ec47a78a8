import Foundation
import Offstage
import OffstageRequests
import OffstageService

/// The options of the cache.
struct CacheOptions: Sendable {
    static let folder = OptionTable.Option(
        "cache", value: "FOLDER", help: "Cache pictures in FOLDER (default: offstage in XDG_CACHE_HOME or ~/.cache)")
    static let table: [OptionTable.Option] = [
        folder,
        .init("no-cache", help: "Do not use the cache"),
        .init("refresh", help: "Render everything again, and cache it"),
    ].grouped(.cache)

    /// Nil with `--no-cache`.
    let store: PictureStore?
    let refreshes: Bool

    /// - Parameter isQuiet: true to suppress warnings about an unusable cache.
    init(_ options: ParsedOptions, isQuiet: Bool) throws(UsageError) {
        refreshes = options.has("refresh")
        if options.has("no-cache") {
            if refreshes { throw UsageError("--refresh caches the new pictures, and --no-cache caches none; use one") }
            if options.has("cache") { throw UsageError("--cache and --no-cache cannot be combined; use one") }
            store = nil
        } else {
            store = try Self.store(options, isQuiet: isQuiet)
        }
    }

    /// The store that `--cache` names, or the user's store.
    static func store(_ options: ParsedOptions, isQuiet: Bool = false) throws(UsageError) -> PictureStore {
        if options.string("cache") == "" { throw UsageError("--cache needs the name of a folder") }
        let folder = options.string("cache").map { absolutePath($0) }
        var limits = StoreLimits()
        limits.bytes = try options.integer("cache-limit", in: 1_000_000...(1 << 50)) ?? limits.bytes
        return PictureStore(folder: folder ?? PictureStore.defaultFolder, limits: limits) { event in
            if isQuiet { return }
            switch event {
            case .warning(let warning): Console.error("\(warning)")
            case .gaveWay(let evictions): Console.error("\(evictions)")
            case .damaged, .evicted, .dropped: break
            }
        }
    }

    var render: RenderOptions { RenderOptions(usesCache: !refreshes) }

    var configuration: RendererConfiguration {
        var configuration = RendererConfiguration()
        configuration.store = store
        return configuration
    }
}
