import CSoup
import Foundation
import Offstage

/// The path of a request: its head, its body, its answer, its end.
extension HTTPServer {
    /// libsoup has read the head.
    func arrive(_ message: OpaquePointer) {
        let exchange = Exchange(message, on: connections.connection(of: message), bodies: context.bodies) {
            [weak self] in self?.finish(message)
        }
        exchanges[message] = exchange
        context.statistics.begin()
        var request = HTTPRequest(message)
        do throws(Problem) {
            let refusal = exchange.connection?.gate.refusal
            if let refusal, refusal != .bodyTooLarge { throw Problem(refusal, bodyLimit: configuration.bodyLimit) }
            let route = try admit(request, exchange)
            request.client = exchange.client
            if let refusal { throw Problem(refusal, bodyLimit: configuration.bodyLimit) }
            if route.handler == nil { return try beginBatch(request, exchange) }
            try exchange.takeBody(into: context.requestBodies) { [weak self, unowned exchange] in
                self?.refuse(exchange, $0)
            }
        } catch {
            refuse(exchange, error)
        }
    }

    /// - Returns: the route, if the client may use it.
    private func admit(_ request: HTTPRequest, _ exchange: Exchange) throws(Problem) -> Route {
        let isNetwork = exchange.connection?.isNetwork ?? true
        if let refusal = originCheck.refusal(
            host: request.header("Host"), origin: request.header("Origin"), site: request.header("Sec-Fetch-Site"),
            checksHost: isNetwork && tokens == nil)
        {
            throw refusal
        }
        let route: Route
        do throws(Problem) { route = try routes.find(request.method, request.path).route } catch {
            try authorise(request, exchange)
            throw error
        }
        exchange.route = route.pattern
        if !route.isOpen { try authorise(request, exchange) }
        if isStopping, route.pattern != "/healthz" { throw .stopping }
        return route
    }

    /// Identifies the client by its token, or by its connection.
    private func authorise(_ request: HTTPRequest, _ exchange: Exchange) throws(Problem) {
        guard let tokens else {
            exchange.client = exchange.connection.map { ServiceClient(turns: RenderClient($0.clientName)) }
            return
        }
        exchange.client = tokens.client(in: request.header("Authorization"))
        if exchange.client != nil { return }
        throw Problem(
            401, "token-needed", "the request needs the service's token: Authorization: Bearer TOKEN",
            headers: ["WWW-Authenticate": "Bearer", "WWW-Authenticate": "Basic realm=\"offstage\""])
    }

    /// Answers before the body has arrived.
    private func refuse(_ exchange: Exchange, _ problem: Problem) {
        exchange.dropBody()
        exchange.send(problem.answer.with("Connection", "close"))
    }

    /// Takes over the connection: libsoup finishes the exchange at once.
    private func beginBatch(_ request: HTTPRequest, _ exchange: Exchange) throws(Problem) {
        let batch = try BatchExchange(request, exchange, context)
        batches[ObjectIdentifier(batch)] = batch
        batch.begin { [self, unowned batch] in
            note(exchange, method: request.method, status: "200", bytes: batch.byteCount)
            batches[ObjectIdentifier(batch)] = nil
        }
    }

    private func note(_ exchange: Exchange, method: String, status: String, bytes: Int) {
        let time = exchange.start.duration(to: .now)
        context.statistics.end(method: method, route: exchange.route, status: status, bytes: bytes, time)
        let known = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"].contains(method)
        let milliseconds = String(format: "%.1f", time / .milliseconds(1))
        // No path, identifier, query or header: they are the client's content.
        writeLog?("\(known ? method : "-") \(exchange.route) \(status) \(bytes) \(milliseconds) ms \(exchange.how)")
    }

    /// libsoup has read the body.
    func answer(_ message: OpaquePointer) {
        guard let exchange = exchanges[message], exchange.status == 0 else { return }
        if let refusal = exchange.connection?.gate.refusal {
            return refuse(exchange, Problem(refusal, bodyLimit: configuration.bodyLimit))
        }
        var request = HTTPRequest(message)
        do throws(Problem) {
            let (route, parameter) = try routes.find(request.method, request.path)
            guard let handler = route.handler else { return }
            guard let parameter = HTTPRequest.decoded(parameter[...]) else {
                throw Problem(400, "invalid-path", "the path has an escape that is not UTF-8")
            }
            request.parameter = parameter
            request.client = exchange.client
            request.body = Data(
                taking: soup_message_body_flatten(soup_server_message_get_request_body(message)))
            switch try handler(request) {
            case .now(let answer):
                if let answer = context.bodies.holdAtOnce(answer) {
                    exchange.send(answer)
                } else {
                    exchange.answer { answer }
                }
            case .later(let make): exchange.answer(make)
            case .stream(let head, let make): exchange.stream(head, make)
            }
        } catch {
            exchange.send(error.answer)
        }
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
}
