import Foundation
import Offstage

/// `/healthz` answers while the main loop runs. `/readyz` reports whether clients should send requests.
struct HealthResource: Sendable {
    let context: ServeContext

    func healthy(_ request: HTTPRequest) throws(Problem) -> Handling {
        .later { @MainActor () async throws(Problem) in HTTPAnswer(200, "text/plain", Data("ok\n".utf8)) }
    }

    func ready(_ request: HTTPRequest) throws(Problem) -> Handling {
        .later { @MainActor () async throws(Problem) in try ready() }
    }

    @MainActor
    private func ready() throws(Problem) -> HTTPAnswer {
        if context.isStopping { throw .stopping }
        if !context.configuration.servesPictures, context.service.remote?.shelf.statistics.isWell == false {
            throw Problem(503, "database-away", "the shared database cannot be reached, so there is nothing to draw")
        }
        switch context.readiness {
        case .ready: return HTTPAnswer(200, "text/plain", Data("ready\n".utf8))
        case .cold: throw Problem(503, "not-warm", "no view has drawn anything yet; try again")
        case .starting: throw Problem(503, "starting", "the machine does not know its class yet; try again")
        case .draining: throw Problem(503, "draining", "the service will stop soon; use another one")
        }
    }
}
