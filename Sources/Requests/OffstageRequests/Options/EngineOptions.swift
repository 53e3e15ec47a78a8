import Foundation
import Offstage
import OffstageHTML
import OffstageWorkers

/// The options of the engines, which apply to a whole run: the same for every command that draws.
package struct EngineOptions: Sendable {
    package static let table: [OptionTable.Option] =
        [fonts].grouped(.appearance)
        + [
            .init("sandbox", help: "Refuse to render without a bubblewrap sandbox (default: use it where possible)"),
            .init("no-sandbox", help: "Render without the bubblewrap sandbox, even with page scripts"),
            .init(
                freshWorkers, value: FreshWorkers.allCases.map(\.rawValue).joined(separator: "|"),
                help:
                    "When a file other than HTML gets a new worker (default: never; serve and work: client)"
            ),
        ].grouped(.loading) + network
        + [
            .init(
                "jobs", letter: "j", value: "N",
                help: "Render N pictures at once, each in its own process (default: by the number of cores)")
        ].grouped(.run)

    package static let freshWorkers = "fresh-workers"

    package static let fonts = OptionTable.Option(
        "fonts", value: "FOLDER", help: "Use only the fonts in FOLDER, not the machine's")

    /// The options that give documents network access. Without them, documents have none.
    package static let network: [OptionTable.Option] = [
        .init(
            "allow-host", value: "HOST[:PORT]", isRepeatable: true,
            help: "Load files from this host, and do not cache the pictures; repeatable"),
        .init(
            "allow-private-addresses", help: "Let --allow-host name this machine and hosts in private networks"
        ),
    ].grouped(.loading)

    /// The number of drawings at once, if the user has set it.
    package var views: Int?
    package var sandbox = Sandbox.wherePossible
    /// When a document gets a worker that has drawn nothing before.
    package var fresh = FreshWorkers.never
    package var hosts = AllowedHosts([])
    /// The folder of the fonts; nil for the machine's fonts.
    package var fonts: String?

    /// The options, with the defaults for programs that draw for several clients.
    package static func forClients(_ options: ParsedOptions) -> ParsedOptions {
        options.with(defaults: [freshWorkers: FreshWorkers.client.rawValue])
    }

    package init(_ options: ParsedOptions = ParsedOptions()) throws(UsageError) {
        views = try options.integer("jobs", in: 1...64)
        sandbox = try Self.sandbox(options)
        fresh = try options.choice(Self.freshWorkers) ?? .never
        hosts = try Self.hosts(options)
        fonts = options.string("fonts")
    }

    /// The number of drawings at once for a program that runs for long: by default one per processor, at most 8.
    package var viewsOrProcessors: Int { views ?? min(ProcessInfo.processInfo.activeProcessorCount, 8) }

    /// The number of drawings at once for a run that draws a known number of pictures of a source: by default one per
    /// processor, and fewer for few pictures.
    package func views(of source: RegisteredSource, for pictures: Int) -> Int {
        min(views ?? min(viewsOrProcessors, pictures / source.picturesPerStart + 1), max(1, pictures))
    }

    /// A renderer with the engines of all registered sources. An engine starts with its first drawing.
    @MainActor package func renderer(
        views: Int, _ configuration: RendererConfiguration = RendererConfiguration()
    ) -> Renderer {
        renderer(views: { _ in views }, configuration)
    }

    /// - Parameter views: the number of drawings at once of a source.
    @MainActor package func renderer(
        views: (RegisteredSource) -> Int, _ configuration: RendererConfiguration
    ) -> Renderer {
        Renderer(engines: SourceRegistry.all.map { $0.engine(self, views($0)) }, configuration: configuration)
    }

    private static func sandbox(_ options: ParsedOptions) throws(UsageError) -> Sandbox {
        switch (options.has("sandbox"), options.has("no-sandbox")) {
        case (true, true): throw UsageError("--sandbox and --no-sandbox cannot be combined; use one")
        case (true, false): return .always
        case (false, true): return .never
        case (false, false): return .wherePossible
        }
    }

    package static func hosts(_ options: ParsedOptions) throws(UsageError) -> AllowedHosts {
        var hosts: [AllowedHost] = []
        for text in options.strings("allow-host") {
            guard let host = AllowedHost(text) else {
                throw UsageError(
                    "--allow-host takes a host such as example.org or example.org:8080, not '\(text.excerpt)'")
            }
            hosts.append(host)
        }
        let isPrivate = options.has("allow-private-addresses")
        if isPrivate, hosts.isEmpty { throw UsageError("--allow-private-addresses requires --allow-host") }
        return AllowedHosts(hosts, includesPrivateAddresses: isPrivate)
    }
}
