import CSoup
import Foundation
import Offstage

/// The checks of a request before it is answered.
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
}
