import Foundation
import Offstage
import OffstageRequests
import OffstageService
import OffstageWebKit

/// The settings of a C program's renderer.
struct RendererSettings: Sendable {
    private static let own: [OptionTable.Option] =
        [
            .init("views", value: "N", help: "Draw so many at once, each in a process"),
            .init("memory", value: "N", help: "Bytes of pictures in memory"),
            .init("cache", value: "FOLDER", help: "Keep pictures here"),
            .init("cache-limit", value: "N", help: "Bytes on disk"),
            .init("max-waiting", value: "N", help: "Drawings that wait; of more, the least urgent fail"),
            .init("sandbox", value: "where-possible|always|never", help: "WebKit's sandbox"),
        ] + NetworkOptions.table

    /// The options of a drawing, as defaults of all requests.
    private static let defaults = RowSettings.table + LimitOptions.table.filter { $0.name != "run-timeout" }

    private static let place = "the renderer"

    let configuration: RendererConfiguration
    let reader: ServiceRequestReader
    private let views: Int
    private let sandbox: Sandbox
    private let hosts: AllowedHosts

    init(_ list: TextOptions.List?) throws(UsageError) {
        let pairs = try TextOptions.pairs(list, at: Self.place)
        let options = try TextOptions.parsed(pairs, Self.own + Self.defaults, at: Self.place)
        do {
            views =
                try options.integer("views", in: 1...64) ?? min(2, ProcessInfo.processInfo.activeProcessorCount)
            hosts = try NetworkOptions.value(options)
            configuration = try Self.configuration(options)
            // Report invalid defaults now, and not with each request.
            _ = try Settings(options)
        } catch {
            throw UsageError("\(Self.place): \(error)")
        }
        sandbox =
            switch options.string("sandbox") {
            case "always": .always
            case "never": .never
            default: .wherePossible
            }
        let own = Set(Self.own.map(\.name))
        let defaults = ParsedOptions(values: options.values.filter { !own.contains($0.key) })
        reader = ServiceRequestReader(RequestReader(defaults, folder: nil, allowsFiles: true))
    }

    private static func configuration(_ options: ParsedOptions) throws(UsageError) -> RendererConfiguration {
        var configuration = RendererConfiguration()
        configuration.maximumWaiting = try options.integer("max-waiting", in: 0...1_000_000)
        let bytes = try options.integer("memory", in: 0...(1 << 50)) ?? ImageCacheLimits.defaultBytes
        if bytes > 0 { configuration.memory = KeptImages.cache(limits: ImageCacheLimits(bytes: bytes)) }
        var limits = StoreLimits()
        limits.bytes = try options.integer("cache-limit", in: 0...(1 << 50)) ?? limits.bytes
        if let folder = options.string("cache") {
            if folder.isEmpty { throw UsageError("\"cache\" needs the name of a folder") }
            configuration.store = ImageStore(folder: absolutePath(folder), limits: limits)
            // A renderer uses a memory cache for files only together with a store.
            if bytes > 0 { configuration.files = KeptFile.cache(limits: ImageCacheLimits(bytes: bytes)) }
        } else if options.has("cache-limit") {
            throw UsageError("\"cache-limit\" goes with \"cache\" only")
        }
        return configuration
    }

    @MainActor func renderer() -> Renderer {
        let engine = WebEngine(views: views, allowedHosts: hosts)
        engine.sandbox = sandbox
        return Renderer(engine: engine, configuration: configuration)
    }
}
