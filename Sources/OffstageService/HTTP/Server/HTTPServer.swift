import CSoup
import Foundation
import Offstage
import OffstageGLib
import OffstageRequests
import OffstageWebKit

/// The HTTP front end: its listeners, its connections, and its end. `HTTPServer+Exchanges` has the path of a request.
@MainActor
package final class HTTPServer {
    let configuration: ServeConfiguration
    let context: ServeContext
    private let server: UnsafeMutablePointer<SoupServer>
    /// Nil if the service writes no access log.
    let writeLog: (@Sendable (String) -> Void)?
    let originCheck: OriginCheck
    private(set) var tokens: ClientTokens?
    private(set) var routes = Routes(all: [])
    private var listeners: [Listener] = []
    private(set) var connections: Connections!
    /// The exchanges in progress, by libsoup's messages.
    var exchanges: [OpaquePointer: Exchange] = [:]
    var batches: [ObjectIdentifier: BatchExchange] = [:]
    private var certificate: Certificate?
    private let handlers = SignalHandlers()

    var isStopping: Bool { context.isStopping }

    /// The addresses and sockets of the listeners, for people.
    package var names: [String] { listeners.map(\.name) }

    /// - Parameter writeLog: gets the lines of the access log.
    /// - Throws: `UsageError` for an address or a file that cannot be used; `EngineUnavailable`.
    package init(
        _ configuration: ServeConfiguration, service: PictureService, store: PictureStore?,
        writeLog: @escaping @Sendable (String) -> Void
    ) throws {
        try SharedLibrary.soup.load()
        self.configuration = configuration
        self.writeLog = configuration.writesLog ? writeLog : nil
        originCheck = OriginCheck(proxies: configuration.proxyHosts)
        context = ServeContext(configuration, service: service, store: store)
        server = Self.makeServer()
        try reload()
        connections = Connections(limit: configuration.connectionLimit, idleTimeout: configuration.idleTimeout) {
            [unowned self] descriptor, isNetwork in
            self.speak(descriptor, isNetwork)
        } onSweep: { [bodies = context.bodies] in
            bodies.tidy()
        }
        context.connections = connections
        try listen()
        try Listener.keepOpen(server)
        routes = Routes(all: allRoutes())
        register()
    }

    private static func makeServer() -> UnsafeMutablePointer<SoupServer> {
        // An identifier may have an escaped slash.
        var value = GValue()
        true.fill(&value)
        let object: UnsafeMutablePointer<GObject> = "raw-paths".withCString { name in
            var names: [UnsafePointer<CChar>?] = [name]
            return g_object_new_with_properties(soup_server_get_type(), 1, &names, &value)
        }
        return cast(object)
    }

    private func listen() throws {
        let allowsAny = tokens != nil
        for descriptor in Activation.descriptors() {
            listeners.append(try Listener.inherited(descriptor, allowsAny: allowsAny))
        }
        for path in configuration.sockets { listeners.append(try Listener.atPath(path)) }
        for address in configuration.addresses {
            listeners.append(try Listener.at(address, allowsAny: allowsAny))
        }
    }

    private func register() {
        let started: @convention(c) (gpointer, gpointer, gpointer?) -> Void = { _, message, _ in
            onMainActor(message) {
                let headers = soup_server_message_get_response_headers(OpaquePointer($0))
                soup_message_headers_replace(headers, "Date", HTTPDate.now)
            }
        }
        handlers.connect(
            "request-started", of: UnsafeMutableRawPointer(server), unsafeBitCast(started, to: GCallback.self), to: self
        )
        soup_server_add_early_handler(
            server, nil,
            { _, message, _, _, data in
                onMainActor((message!, data!)) { receiver($0.1, as: HTTPServer.self)?.arrive($0.0) }
            }, CallbackTarget.data(for: self), CallbackTarget.release)
        soup_server_add_handler(
            server, nil,
            { _, message, _, _, data in
                onMainActor((message!, data!)) { receiver($0.1, as: HTTPServer.self)?.answer($0.0) }
            }, CallbackTarget.data(for: self), CallbackTarget.release)
    }

    /// Accepts connections from now on.
    package func start() {
        for listener in listeners {
            listener.start { [unowned self, isNetwork = listener.isNetwork] in
                connections.add($0, isNetwork: isNetwork)
            }
        }
    }

    private func speak(_ descriptor: Int32, _ isNetwork: Bool) {
        let certificate = isNetwork ? certificate?.pointer : nil
        let limit = configuration.bodyLimit
        // Each request of a batch has its own limits; the batch has none.
        let gate = RequestGate(addsHost: !isNetwork) { $0.method == "POST" && $0.path == Self.batchPath ? .max : limit }
        guard let connection = Connection(descriptor, isNetwork: isNetwork, certificate: certificate, gate: gate) else {
            return
        }
        connections.add(connection)
        connection.serve(by: server) { [weak self] in self?.connections.remove($0) }
    }

    /// Reads the tokens and the certificate again, and applies both or neither. Open connections stay open.
    ///
    /// - Throws: if a file cannot be used; then nothing changes.
    package func reload() throws(UsageError) {
        let newTokens = try configuration.tokenFile.map { path throws(UsageError) in try ClientTokens(file: path) }
        certificate = try configuration.tls.map { files throws(UsageError) in try Certificate(files) }
        tokens = newTokens
    }

    // MARK: The work for others

    /// A machine without clients of its own takes jobs from now on.
    package func beginWork() { context.readiness = .ready }

    /// It takes no more of them, and finishes those under way.
    package func endWork() { context.readiness = .draining }

    // MARK: The end

    /// Continues to take requests for a while, but is not ready.
    package func drain() async {
        if configuration.drainTime == 0 { return }
        context.readiness = .draining
        Activation.notify("STOPPING=1")
        try? await Task.sleep(for: .seconds(configuration.drainTime))
    }

    /// Takes no more requests and waits for those in progress. After the timeout, cancels the rest, which get an answer, too.
    package func stop() async {
        if isStopping { return }
        context.isStopping = true
        Activation.notify("STOPPING=1")
        for listener in listeners { listener.close() }
        connections.closeIdle()
        for exchange in exchanges.values where exchange.isStreaming { exchange.cancel() }
        // Nothing ends a suspension any more.
        if context.renderer.isSuspended { for exchange in exchanges.values { exchange.cancel() } }
        await settle(within: configuration.stopTimeout)
        for exchange in exchanges.values { exchange.cancel() }
        for batch in batches.values { batch.cancel() }
        await settle(within: 1)
        connections.closeAll()
    }

    /// Waits until nothing is in progress.
    private func settle(within seconds: Double) async {
        let end = ContinuousClock.now + .seconds(seconds)
        while !exchanges.isEmpty || !batches.isEmpty, ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    isolated deinit {
        // Its messages may live longer, and must not call us.
        soup_server_remove_handler(server, nil)
        soup_server_disconnect(server)
        g_object_unref(server)
    }
}
