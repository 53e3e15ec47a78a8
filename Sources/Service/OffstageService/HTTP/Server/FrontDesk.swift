import Offstage
import OffstageRequests
import Synchronization

/// Decides which requests to answer, based on their headers: it knows the routes, the tokens and the limits. Use it
/// from any thread.
final class FrontDesk: Sendable {
    let configuration: ServeConfiguration
    let statistics: ServeStatistics
    let bodies: BodiesUnderWay
    let service: PictureService
    let connections: Connections
    let routes: Routes
    let memory: MemoryBudget
    /// Nil if the service writes no access log.
    let log: AccessLog?
    private let context: ServeContext
    private let originCheck: OriginCheck
    private let tokens: Mutex<ClientTokens?>
    private let certificate: Mutex<TLSContext?>
    private let state = Atomic(State.serving)

    enum State: UInt8, AtomicRepresentable {
        case serving
        /// Requests are answered, and connections end with their answers.
        case draining
        case stopping
    }

    init(
        _ context: ServeContext, routes: Routes, connections: Connections, log: AccessLog?, tokens: ClientTokens?,
        certificate: TLSContext?
    ) {
        configuration = context.configuration
        (statistics, bodies, memory) = (context.statistics, context.bodies, context.memory)
        (service, self.context) = (context.service, context)
        (self.routes, self.connections, self.log) = (routes, connections, log)
        originCheck = OriginCheck(proxies: configuration.proxyHosts)
        self.tokens = Mutex(tokens)
        self.certificate = Mutex(certificate)
    }

    var reader: ServiceRequestReader { context.reader.withLock { $0 } }

    // MARK: State

    var isStopping: Bool { state.load(ordering: .acquiring) == .stopping }

    /// True if connections end with the answer in progress.
    var closesConnections: Bool { state.load(ordering: .acquiring) != .serving }

    func become(_ new: State) { state.store(new, ordering: .releasing) }

    var tls: TLSContext? { certificate.withLock { $0 } }

    func replace(tokens new: ClientTokens?, certificate newCertificate: TLSContext?) {
        tokens.withLock { $0 = new }
        certificate.withLock { $0 = newCertificate }
    }

    // MARK: Requests

    /// A request that may be answered.
    struct Admission {
        let route: Route
        /// The part of the path that matches the braces, with its escapes.
        let parameter: String
    }

    /// Checks the request line, then the token, and only then everything else.
    ///
    /// - Parameter exchange: gets its route and its client as soon as they are known, even if the request is rejected.
    func admit(
        _ exchange: Exchange, _ head: RequestHead, from connection: Connection
    ) throws(Problem) -> Admission {
        let peer = connection.peer
        let found: (route: Route, parameter: String)
        do throws(Problem) { found = try routes.find(head.method, head.path) } catch {
            try identify(exchange, head, connection)
            try checkOrigin(head, peer)
            throw error
        }
        exchange.route = found.route.pattern
        if !found.route.isOpen { try identify(exchange, head, connection) }
        try checkOrigin(head, peer)
        if let client = exchange.client, let right = found.route.right {
            try Self.check(client.rights, right, found.parameter)
        }
        if isStopping, found.route.pattern != "/healthz" { throw .stopping }
        return Admission(route: found.route, parameter: found.parameter)
    }

    /// - Parameter parameter: the identifier in the path; empty for a route without one.
    private static func check(
        _ rights: ClientRights, _ right: ClientRights.Right, _ parameter: String
    ) throws(Problem) {
        do throws(NotAllowed) {
            try rights.check(right, at: "the request")
            // A suspension also has an identifier, but not that of a picture.
            guard right != .suspend, !parameter.isEmpty, let identifier = PercentEscapes.decoded(parameter) else {
                return
            }
            try rights.check(identifier: identifier, at: "the request")
        } catch { throw Problem(error) }
    }

    private func checkOrigin(_ head: RequestHead, _ peer: Peer) throws(Problem) {
        let refusal = originCheck.refusal(
            host: head.value("host"), origin: head.value("origin"), site: head.value("sec-fetch-site"),
            checksHost: peer.isNetwork && configuration.tokenFile == nil)
        if let refusal { throw refusal }
    }

    /// Identifies the client by its token, or by its connection, which from now on belongs to the client.
    private func identify(_ exchange: Exchange, _ head: RequestHead, _ connection: Connection) throws(Problem) {
        guard let tokens = tokens.withLock({ $0 }) else {
            exchange.client = ServiceClient(turns: RenderClient(connection.peer.clientName))
            _ = connections.admit(connection, client: nil)
            return
        }
        guard let token = ClientTokens.token(in: head.value("authorization")), let client = tokens.client(of: token)
        else {
            throw Problem(
                401, "token-needed", "the request needs the service's token: Authorization: Bearer TOKEN",
                headers: ["WWW-Authenticate": "Bearer", "WWW-Authenticate": "Basic realm=\"offstage\""])
        }
        (exchange.client, exchange.token) = (client, token)
        if connections.admit(connection, client: client.tokenName) { return }
        throw Problem(
            429, "too-many-connections", "the client uses half of all connections; reuse the open ones",
            headers: ["Retry-After": "1"])
    }

    /// The client that has the token now; nil if the token is no longer in the file.
    func client(of token: Digest) -> ServiceClient? { tokens.withLock { $0?.client(of: token) } }

    /// The client whose share of memory and files a request uses.
    func share(of client: ServiceClient?, _ peer: Peer) -> ClientShare {
        guard configuration.tokenFile != nil, let client else { return ClientShare(name: peer.accountName) }
        return ClientShare(name: "token " + client.turns.name, weight: client.turns.share)
    }

    /// Counts and logs a completed request.
    func note(_ entry: AccessLog.Entry) {
        statistics.end(entry)
        log?.add(entry)
    }
}

extension ServiceClient {
    /// The name of the client's token; nil for a client without one.
    var tokenName: String? {
        if turns.name.hasPrefix("client ") { return String(turns.name.dropFirst(7)) }
        return turns.name.hasPrefix("token ") ? turns.name : nil
    }
}
