import Foundation
import Offstage
import OffstageRequests

/// `POST /v1/prefetch`: draws what a request would and keeps it, at low priority, while the client goes on.
@MainActor
struct PrefetchResource {
    let context: ServeContext

    func post(_ request: HTTPRequest) throws(Problem) -> Handling {
        if context.store == nil {
            throw Problem(503, "nothing-is-kept", "the service was started with --no-cache and keeps nothing")
        }
        let source = try PictureAsked.source(request)
        return .later { [self] in
            switch await PictureAsked.read(source, context.configuration, reader: context.reader) {
            case .failure(let problem): return problem.answer
            case .success(var asked):
                let saysPriority = source.query["priority"] != nil || asked.request.treatment.priority != .normal
                if !saysPriority { asked.request.treatment.priority = min(.low, asked.request.treatment.priority) }
                return begin(asked)
            }
        }
    }

    private func begin(_ asked: PictureAsked) -> HTTPAnswer {
        context.prefetches += 1
        Task { [context] in
            // Nobody waits for it; what goes wrong is told to who asks for the picture.
            _ = await context.draw(asked.request)
            context.prefetches -= 1
        }
        return .json(["accepted": true], status: 202)
    }
}
