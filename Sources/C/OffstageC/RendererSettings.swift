import Foundation
import Offstage
import OffstageHTML
import OffstageRequests
import OffstageService

/// The settings of a C program's renderer.
struct RendererSettings: Sendable {
    private static let own: [OptionTable.Option] =
        [
            .init("views", value: "N", help: "Draw N pictures at once, each in its own process"),
            .init("memory", value: "N", help: "Bytes of pictures in memory"),
            .init("cache", value: "FOLDER", help: "Store pictures in this folder"),
            .init("cache-limit", value: "N", help: "Bytes on disk"),
            .init(
                "max-waiting", value: "N",
                help: "The maximum number of waiting drawings; beyond it, the least urgent fail"),
            .init("sandbox", value: "where-possible|always|never", help: "WebKit's sandbox"),
            .init(
                EngineOptions.freshWorkers, value: "document|client|never",
                help: "Start a new worker for each document, for each client, or never; HTML has no worker"),
        ] + EngineOptions.network

    /// The options of a drawing, as defaults of all requests.
    private static let defaults = RowSettings.table + SourceRegistry.limits

    private static let place = "the renderer"

    let configuration: RendererConfiguration
    let reader: ServiceRequestReader
    private let views: Int
    private let engines: EngineOptions

    init(_ list: TextOptions.List?) throws(UsageError) {
        let pairs = try TextOptions.pairs(list, at: Self.place)
        var engines = try EngineOptions()
        let options = try TextOptions.parsed(pairs, Self.own + Self.defaults, at: Self.place)
        do {
            views =
                try options.integer("views", in: 1...64) ?? min(2, ProcessInfo.processInfo.activeProcessorCount)
            engines.hosts = try EngineOptions.hosts(options)
            engines.fresh = try options.choice(EngineOptions.freshWorkers) ?? .never
            configuration = try Self.configuration(options)
            // Report invalid defaults now, not with each request.
            try OptionUse(options).check()
            _ = try Settings(OptionUse(options).options(for: SourceRegistry.first))
        } catch {
            throw UsageError("\(Self.place): \(error)")
        }
        engines.sandbox =
            switch options.string("sandbox") {
            case "always": .always
            case "never": .never
            default: .wherePossible
            }
        self.engines = engines
        let own = Set(Self.own.map(\.name))
        let defaults = ParsedOptions(values: options.values.filter { !own.contains($0.key) })
        reader = ServiceRequestReader(RequestReader(defaults, folder: nil, allowsFiles: true))
    }

    private static func configuration(_ options: ParsedOptions) throws(UsageError) -> RendererConfiguration {
        var configuration = RendererConfiguration()
        configuration.maximumWaiting = try options.integer("max-waiting", in: 0...1_000_000)
        let bytes = try options.integer("memory", in: 0...(1 << 50)) ?? MemoryCacheLimits.defaultBytes
        if bytes > 0 { configuration.memory = CachedPictures.cache(limits: MemoryCacheLimits(bytes: bytes)) }
        var limits = StoreLimits()
        limits.bytes = try options.integer("cache-limit", in: 0...(1 << 50)) ?? limits.bytes
        if let folder = options.string("cache") {
            if folder.isEmpty { throw UsageError("\"cache\" needs the name of a folder") }
            configuration.store = PictureStore(folder: absolutePath(folder), limits: limits)
            // A renderer uses a memory cache for files only together with a store.
            if bytes > 0 { configuration.files = CachedFile.cache(limits: MemoryCacheLimits(bytes: bytes)) }
        } else if options.has("cache-limit") {
            throw UsageError("\"cache-limit\" requires \"cache\"")
        }
        return configuration
    }

    @MainActor func renderer() -> Renderer {
        engines.renderer(views: views, configuration)
    }
}
