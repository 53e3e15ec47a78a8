import Foundation
import Offstage

/// `/healthz`: the main loop turns. `/readyz`: requests are taken in.
@MainActor
struct HealthResource {
    let context: ServeContext

    func healthy(_ request: HTTPRequest) throws(Problem) -> Handling {
        .now(HTTPAnswer(200, "text/plain", Data("ok\n".utf8)))
    }

    func ready(_ request: HTTPRequest) throws(Problem) -> Handling {
        if context.isStopping { throw Problem(503, "stopping", "the service is stopping; ask another one") }
        return .now(HTTPAnswer(200, "text/plain", Data("ready\n".utf8)))
    }
}
