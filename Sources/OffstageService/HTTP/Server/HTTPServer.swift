import CSoup
import Foundation
import Offstage
import OffstageRequests
import OffstageWebKit

/// The HTTP front end: takes requests in, finds who answers them, and sees to it that each gets an answer.
@MainActor
package final class HTTPServer {
    let configuration: ServeConfiguration
    let context: ServeContext
    private let server: UnsafeMutablePointer<SoupServer>
    private let log: AccessLog
    private let originCheck: OriginCheck
    private var routes = Routes(all: [])
    private var listeners: [Listener] = []
    private var connections: Connections!
    private var exchanges: [OpaquePointer: Exchange] = [:]
    private var certificate: UnsafeMutablePointer<GTlsCertificate>?
    private var isStopping = false

    private var batches: [ObjectIdentifier: Task<Void, Never>] = [:]

    var connectionCount: Int { connections.count }

    /// Where it listens, for people.
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
        originCheck = OriginCheck()
        context = ServeContext(configuration, service: service, store: store)
        server = Self.makeServer()
        if let files = configuration.certificate { certificate = try Self.certificate(files) }
        connections = Connections(limit: configuration.connectionLimit, idleTimeout: configuration.idleTimeout) {
            [unowned self] descriptor, isNetwork in self.speak(descriptor, isNetwork)
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

    private static func certificate(
        _ files: TLSFiles
    ) throws(UsageError) -> UnsafeMutablePointer<GTlsCertificate> {
        var error: UnsafeMutablePointer<GError>?
        if let certificate = g_tls_certificate_new_from_files(files.certificate, files.key, &error) {
            return certificate
        }
        throw UsageError(
            "--tls-cert \(files.certificate) and --tls-key \(files.key) cannot be used: \(takeMessage(error))")
    }

    private func listen() throws {
        let allowsAny = configuration.token != nil
        for descriptor in Activation.descriptors() {
            listeners.append(try Listener.inherited(descriptor, allowsAny: allowsAny))
        }
        for path in configuration.sockets { listeners.append(try Listener.atPath(path)) }
        for address in configuration.addresses {
            listeners.append(try Listener.at(address, allowsAny: allowsAny))
        }
    }

    private func register() {
        soup_server_add_early_handler(
            server, nil,
            { _, message, _, _, data in
                onMainActor((message!, data!)) { (object($0.1) as HTTPServer).arrive($0.0) }
            }, unretained(self), nil)
        soup_server_add_handler(
            server, nil,
            { _, message, _, _, data in
                onMainActor((message!, data!)) { (object($0.1) as HTTPServer).answer($0.0) }
            }, unretained(self), nil)
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
        let certificate = isNetwork ? certificate : nil
        guard let connection = Connection(descriptor, isNetwork: isNetwork, certificate: certificate) else { return }
        connections.add(connection)
        connection.serve(by: server) { [weak self, weak connection] in
            if let connection { self?.connections.remove(connection) }
        }
    }

    // MARK: A request

    /// The head is there.
    private func arrive(_ message: OpaquePointer) {
        let exchange = Exchange(message, on: connections.connection(of: message))
        exchanges[message] = exchange
        context.statistics.begin()
        g_signal_connect_data(
            UnsafeMutableRawPointer(message), "finished",
            unsafeBitCast(
                { message, data in
                    onMainActor((message, data)) { (object($0.1) as HTTPServer).finish(OpaquePointer($0.0)) }
                } as @convention(c) (gpointer, gpointer) -> Void, to: GCallback.self),
            unretained(self), nil, GConnectFlags(rawValue: 0))
        let request = HTTPRequest(message)
        do throws(Problem) {
            let route = try admit(request, exchange)
            if route.pattern == Self.batchPath { return try beginBatch(request, exchange) }
            try limitBody(of: request, exchange, route)
        } catch {
            refuse(exchange, error)
        }
    }

    /// Refuses before the body is there: it is read, and dropped.
    private func refuse(_ exchange: Exchange, _ problem: Problem) {
        soup_message_body_set_accumulate(soup_server_message_get_request_body(exchange.message), 0)
        exchange.send(problem.answer.with("Connection", "close"))
    }

    /// Takes the connection over: to libsoup the exchange is over then.
    private func beginBatch(_ request: HTTPRequest, _ exchange: Exchange) throws(Problem) {
        let method = request.method
        let batch = try BatchExchange(request, context) {
            exchange.isTakenOver = true
            return soup_server_message_steal_connection(request.message)
        }
        let name = ObjectIdentifier(batch)
        batches[name] = Task { [self] in
            await batch.run(on: exchange.connection)
            batches[name] = nil
            note(exchange, method: method, status: "200", bytes: batch.byteCount)
        }
    }

    private func note(_ exchange: Exchange, method: String, status: String, bytes: Int) {
        let time = exchange.start.duration(to: .now)
        context.statistics.end(method: method, route: exchange.route, status: status, bytes: bytes, time)
        log.note(method, exchange.route, status: status, bytes: bytes, time, how: exchange.how)
    }

    private func admit(_ request: HTTPRequest, _ exchange: Exchange) throws(Problem) -> Route {
        let isNetwork = exchange.connection?.isNetwork ?? true
        if let refusal = originCheck.refusal(
            host: request.header("Host"), origin: request.header("Origin"), site: request.header("Sec-Fetch-Site"),
            checksHost: isNetwork && configuration.token == nil)
        {
            throw refusal
        }
        let route: Route
        switch routes.find(request.method, request.path) {
        case .route(let found, _): route = found
        case .refused(let problem):
            try authorise(request)
            throw problem
        }
        exchange.route = route.pattern
        if !route.isOpen { try authorise(request) }
        if isStopping, route.pattern != "/healthz" {
            throw Problem(
                503, "stopping", "the service is stopping; ask another one",
                headers: [(name: "Retry-After", value: "1")])
        }
        return route
    }

    private func authorise(_ request: HTTPRequest) throws(Problem) {
        guard let token = configuration.token, !token.isIn(request.header("Authorization")) else { return }
        throw Problem(
            401, "token-needed", "the request needs the service's token: Authorization: Bearer TOKEN",
            headers: [
                (name: "WWW-Authenticate", value: "Bearer"),
                (name: "WWW-Authenticate", value: "Basic realm=\"offstage\""),
            ])
    }

    private func limitBody(of request: HTTPRequest, _ exchange: Exchange, _ route: Route) throws(Problem) {
        let limit = configuration.bodyLimit
        let tooLarge = Problem(
            413, "body-too-large",
            "the request's body has more than \(limit) bytes; send less, or start the service with a larger --max-body")
        let headers = soup_server_message_get_request_headers(request.message)
        if let length = request.header("Content-Length").flatMap({ Int($0) }) {
            if length > limit { throw tooLarge }
            // Each piece moves the connection; small bodies are there at once.
            if length < 65_536 { return }
        } else if soup_message_headers_get_encoding(headers) != SOUP_ENCODING_CHUNKED {
            return
        }
        exchange.countBody(limit: limit) { [weak self, weak exchange] in
            guard let self, let exchange, exchange.status == 0 else { return }
            refuse(exchange, tooLarge)
        }
    }

    /// The body is there.
    private func answer(_ message: OpaquePointer) {
        guard let exchange = exchanges[message], exchange.status == 0 else { return }
        var request = HTTPRequest(message)
        guard case .route(let route, let parameter) = routes.find(request.method, request.path) else { return }
        do throws(Problem) {
            guard let parameter = HTTPRequest.decoded(parameter[...]) else {
                throw Problem(400, "invalid-path", "the path has an escape that is no UTF-8")
            }
            request.parameter = parameter
            request.body = body(of: message)
            switch try route.handler(request) {
            case .now(let answer): exchange.send(answer)
            case .later(let work): exchange.answer(work)
            case .stream(let start): start(exchange)
            }
        } catch {
            exchange.send(error.answer)
        }
    }

    private func body(of message: OpaquePointer) -> Data {
        guard let bytes = soup_message_body_flatten(soup_server_message_get_request_body(message)) else {
            return Data()
        }
        defer { g_bytes_unref(bytes) }
        var size: gsize = 0
        guard let data = g_bytes_get_data(bytes, &size), size > 0 else { return Data() }
        return Data(bytes: data, count: Int(size))
    }

    private func finish(_ message: OpaquePointer) {
        guard let exchange = exchanges.removeValue(forKey: message) else { return }
        exchange.end()
        if !exchange.isTakenOver {
            let status = exchange.isAbandoned || exchange.status == 0 ? "-" : String(exchange.status)
            let method = String(cString: soup_server_message_get_method(message))
            note(exchange, method: method, status: status, bytes: exchange.isAbandoned ? 0 : exchange.byteCount)
        }
        if isStopping { connections.closeIdle() }
    }

    // MARK: The end

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
        soup_server_disconnect(server)
        g_object_unref(server)
        if let certificate { g_object_unref(certificate) }
    }
}
