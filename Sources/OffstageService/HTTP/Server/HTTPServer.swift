import CSoup
import Foundation
import Offstage
import OffstageGLib
import OffstageRequests
import OffstageWebKit

/// The HTTP front end: where it listens, its connections, and its end. `HTTPServer+Exchanges` has the way of a request.
@MainActor
package final class HTTPServer {
    let configuration: ServeConfiguration
    let context: ServeContext
    private let server: UnsafeMutablePointer<SoupServer>
    let log: AccessLog
    let originCheck: OriginCheck
    private(set) var tokens: ClientTokens?
    private(set) var routes = Routes(all: [])
    private var listeners: [Listener] = []
    private(set) var connections: Connections!
    /// Under way, by libsoup's messages.
    var exchanges: [OpaquePointer: Exchange] = [:]
    var batches: [ObjectIdentifier: Task<Void, Never>] = [:]
    private var certificate: Certificate?
    private(set) var isStopping = false

    var connectionCount: Int { connections.count }

    /// The addresses and sockets at which it listens, as people read them.
    package var names: [String] { listeners.map(\.name) }

    /// - Parameter writeLog: gets the access log's lines.
    /// - Throws: `UsageError`, for what it is to listen at or a file that cannot be used; `EngineUnavailable`.
    package init(
        _ configuration: ServeConfiguration, service: PictureService, store: ImageStore?,
        writeLog: @escaping @Sendable (String) -> Void
    ) throws {
        try SharedLibrary.soup.load()
        self.configuration = configuration
        log = AccessLog(write: configuration.writesLog ? writeLog : nil)
        originCheck = OriginCheck(proxies: configuration.proxyHosts)
        tokens = try configuration.tokenFile.map { path throws(UsageError) in try ClientTokens(file: path) }
        context = ServeContext(configuration, service: service, store: store)
        server = Self.makeServer()
        certificate = try configuration.certificate.map { files throws(UsageError) in try Certificate(files) }
        connections = Connections(limit: configuration.connectionLimit, idleTimeout: configuration.idleTimeout) {
            [unowned self] descriptor, isNetwork in
            self.speak(descriptor, isNetwork)
        } onSweep: { [bodies = context.bodies] in
            bodies.tidy()
        }
        try listen()
        try Listener.keepOpen(server)
        routes = Routes(all: allRoutes())
        register()
    }

    private static func makeServer() -> UnsafeMutablePointer<SoupServer> {
        // An identifier may hold an escaped slash.
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
        g_signal_connect_data(
            UnsafeMutableRawPointer(server), "request-started",
            unsafeBitCast(
                { _, message, _ in
                    onMainActor(message) {
                        let headers = soup_server_message_get_response_headers(OpaquePointer($0))
                        soup_message_headers_replace(headers, "Date", HTTPDate.now)
                    }
                } as @convention(c) (gpointer, gpointer, gpointer?) -> Void, to: GCallback.self),
            nil, nil, GConnectFlags(rawValue: 0))
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

    /// Takes connections from now on.
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
        // A batch's requests have their limits, it has none.
        let gate = RequestGate(addsHost: !isNetwork) { $0.method == "POST" && $0.path == Self.batchPath ? .max : limit }
        guard let connection = Connection(descriptor, isNetwork: isNetwork, certificate: certificate, gate: gate) else {
            return
        }
        connections.add(connection)
        connection.serve(by: server) { [weak self] in self?.connections.remove($0) }
    }

    /// Reads the tokens and the certificate again: both change, or neither. Connections that are open stay.
    ///
    /// - Throws: for a file that cannot be used; then all is as before.
    package func reload() throws(UsageError) {
        let newTokens = try configuration.tokenFile.map { path throws(UsageError) in try ClientTokens(file: path) }
        certificate = try configuration.certificate.map { files throws(UsageError) in try Certificate(files) }
        tokens = newTokens
    }

    // MARK: The end

    /// Takes requests as before, and says that it is not ready.
    package func drain() async {
        if configuration.drainTime == 0 { return }
        context.readiness = .draining
        Activation.tell("STOPPING=1")
        try? await Task.sleep(for: .seconds(configuration.drainTime))
    }

    /// Takes nothing new, lets what is in work be answered for a while, then withdraws the rest: those get an answer, too.
    package func stop() async {
        if isStopping { return }
        isStopping = true
        context.isStopping = true
        Activation.tell("STOPPING=1")
        for listener in listeners { listener.close() }
        connections.closeIdle()
        for exchange in exchanges.values where exchange.isStreaming { exchange.cancel() }
        let end = ContinuousClock.now + .seconds(configuration.stopTimeout)
        // What waits for the end of a suspension waits in vain.
        if context.renderer.isSuspended { for exchange in exchanges.values { exchange.cancel() } }
        while !exchanges.isEmpty || !batches.isEmpty, ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(10))
        }
        for exchange in exchanges.values { exchange.cancel() }
        for batch in batches.values { batch.cancel() }
        let last = ContinuousClock.now + .seconds(1)
        while !exchanges.isEmpty || !batches.isEmpty, ContinuousClock.now < last {
            try? await Task.sleep(for: .milliseconds(10))
        }
        connections.closeAll()
    }

    isolated deinit {
        // Its messages may live longer, and must not call.
        soup_server_remove_handler(server, nil)
        soup_server_disconnect(server)
        g_object_unref(server)
    }
}
