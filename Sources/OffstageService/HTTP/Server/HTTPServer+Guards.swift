import CSoup
import Foundation
import Offstage
import OffstageWebKit

/// What a request has to pass before it is answered.
extension HTTPServer {
    /// - Returns: who answers it, for a client that may ask.
    func admit(_ request: HTTPRequest, _ exchange: Exchange) throws(Problem) -> Route {
        let isNetwork = exchange.connection?.isNetwork ?? true
        if let refusal = originCheck.refusal(
            host: request.header("Host"), origin: request.header("Origin"), site: request.header("Sec-Fetch-Site"),
            checksHost: isNetwork && tokens == nil)
        {
            throw refusal
        }
        let route: Route
        switch routes.find(request.method, request.path) {
        case .route(let found, _): route = found
        case .refused(let problem):
            try authorise(request, exchange)
            throw problem
        }
        exchange.route = route.pattern
        if !route.isOpen { try authorise(request, exchange) }
        if isStopping, route.pattern != "/healthz" {
            throw Problem(
                503, "stopping", "the service is stopping; ask another one",
                headers: [(name: "Retry-After", value: "1")])
        }
        return route
    }

    /// Finds out who asks: by a token, or by the connection.
    private func authorise(_ request: HTTPRequest, _ exchange: Exchange) throws(Problem) {
        guard let tokens else {
            exchange.client = exchange.connection.map { ServiceClient(RenderClient($0.clientName)) }
            return
        }
        exchange.client = tokens.client(in: request.header("Authorization"))
        if exchange.client != nil { return }
        throw Problem(
            401, "token-needed", "the request needs the service's token: Authorization: Bearer TOKEN",
            headers: [
                (name: "WWW-Authenticate", value: "Bearer"),
                (name: "WWW-Authenticate", value: "Basic realm=\"offstage\""),
            ])
    }

    /// Refuses a body that is too large, as soon as that is known.
    func limitBody(of request: HTTPRequest, _ exchange: Exchange, _ route: Route) throws(Problem) {
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
}
