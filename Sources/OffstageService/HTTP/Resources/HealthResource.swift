import Foundation
import Offstage

/// `/healthz`: the main loop turns. `/readyz`: clients are to send their requests here.
@MainActor
struct HealthResource {
    let context: ServeContext

    func healthy(_ request: HTTPRequest) throws(Problem) -> Handling {
        .now(HTTPAnswer(200, "text/plain", Data("ok\n".utf8)))
    }

    func ready(_ request: HTTPRequest) throws(Problem) -> Handling {
        if context.isStopping { throw Problem(503, "stopping", "the service is stopping; ask another one") }
        switch context.readiness {
        case .ready: break
        case .cold: throw Problem(503, "not-warm", "no view has drawn anything yet; ask again")
        case .draining: throw Problem(503, "draining", "the service is about to stop; ask another one")
        }
        return .now(HTTPAnswer(200, "text/plain", Data("ready\n".utf8)))
    }
}
