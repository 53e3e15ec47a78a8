import CSoup
import Foundation

/// The way of a request: its head, its body, who answers it, and its end.
extension HTTPServer {
    /// The head is there.
    func arrive(_ message: OpaquePointer) {
        let exchange = Exchange(message, on: connections.connection(of: message))
        exchanges[message] = exchange
        context.statistics.begin()
        exchange.bodies = context.bodies
        exchange.whenFinished { [weak self] in self?.finish(message) }
        var request = HTTPRequest(message)
        do throws(Problem) {
            let refusal = exchange.connection?.gate.refusal
            if let refusal, refusal != .bodyTooLarge { throw refusal.problem(limit: configuration.bodyLimit) }
            let route = try admit(request, exchange)
            request.client = exchange.client
            if let refusal { throw refusal.problem(limit: configuration.bodyLimit) }
            if route.pattern == Self.batchPath { try beginBatch(request, exchange) }
        } catch {
            refuse(exchange, error)
        }
    }

    /// Refuses before the body is there: it is read, and dropped.
    func refuse(_ exchange: Exchange, _ problem: Problem) {
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

    /// The body is there.
    func answer(_ message: OpaquePointer) {
        guard let exchange = exchanges[message], exchange.status == 0 else { return }
        if let refusal = exchange.connection?.gate.refusal {
            return refuse(exchange, refusal.problem(limit: configuration.bodyLimit))
        }
        var request = HTTPRequest(message)
        guard case .route(let route, let parameter) = routes.find(request.method, request.path) else { return }
        do throws(Problem) {
            guard let parameter = HTTPRequest.decoded(parameter[...]) else {
                throw Problem(400, "invalid-path", "the path has an escape that is no UTF-8")
            }
            request.parameter = parameter
            request.client = exchange.client
            request.body = body(of: message)
            switch try route.handler(request) {
            case .now(let answer):
                if let answer = context.bodies.holdAtOnce(answer) {
                    exchange.send(answer)
                } else {
                    exchange.answer { answer }
                }
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

    func finish(_ message: OpaquePointer) {
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
