import Foundation
import Offstage
import OffstageRequests

/// `POST /v1/prefetch`: draws and stores a picture at low priority, while the client continues.
struct PrefetchResource: Sendable {
    let context: ServeContext

    func post(_ request: HTTPRequest) throws(Problem) -> Handling {
        if context.store == nil { throw .noStore }
        let source = try ImageRequest.source(request)
        return .later { [memory = request.memory] () async throws(Problem) in
            var request = try await context.read(source).request
            if source.query["priority"] == nil, request.options.priority == .normal {
                request.options.priority = .low
            }
            // Nobody waits for the result; a later request for the picture gets the error. The document stays charged to the client
            // until the drawing ends.
            Task { [context, request] in
                _ = try? await context.draw(request)
                withExtendedLifetime(memory) {}
            }
            return .json(["accepted": true], status: 202)
        }
    }
}
