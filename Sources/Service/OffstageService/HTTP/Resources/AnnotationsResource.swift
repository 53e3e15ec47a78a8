import Foundation
import Offstage
import OffstagePages
import OffstageRequests

/// `POST /v1/annotations`: returns a PDF document with the given annotations added.
struct AnnotationsResource: Sendable {
    let context: ServeContext

    func post(_ request: HTTPRequest) throws(Problem) -> Handling {
        guard request.contentType == "application/json" else {
            throw Problem(
                415, "unsupported-body", "the body must be application/json; set Content-Type",
                headers: ["Accept-Post": "application/json"])
        }
        if let charset = request.charset, !["utf-8", "utf8"].contains(charset) {
            throw Problem(415, "unsupported-charset", "JSON must be UTF-8, not \(charset.quoted)")
        }
        if request.header("content-encoding") != nil {
            throw Problem(415, "unsupported-encoding", "the body must not have a Content-Encoding")
        }
        if try !request.query().isEmpty {
            throw Problem(400, "invalid-query", "annotations take no query; put the keys into the body")
        }
        return .later { [memory = request.memory] () async throws(Problem) in
            defer { withExtendedLifetime(memory) {} }
            do {
                return try await answer(try await asked(request))
            } catch let problem as Problem {
                throw problem.without(context.configuration.paths)
            } catch let error as UsageError {
                throw Problem(error).without(context.configuration.paths)
            } catch {
                throw Problem(500, "engine-failed", "the request: the annotations could not be saved")
            }
        }
    }

    /// Off the main thread, because a body can be large.
    @concurrent
    private nonisolated func asked(_ request: HTTPRequest) async throws -> AnnotationRequest {
        let body = try AnnotationBody(request.body)
        try context.configuration.policy.check(body.object)
        return try context.reader.withLock { $0 }.annotations(
            body.object, document: body.document, value: body.annotations, at: "the request")
    }

    private func answer(_ asked: AnnotationRequest) async throws(Problem) -> HTTPAnswer {
        let saved: AnnotationRequest.Saved
        let service = context.service
        do {
            saved = try await service.annotations.save(asked, with: service.renderer)
        } catch let error as AnnotationFailure {
            switch error {
            case .file, .notPDF: throw Problem(422, "unusable-document", error.error(of: asked).text)
            case .invalid: throw Problem(422, "invalid-annotations", error.error(of: asked).text)
            case .notDone(_, let reason):
                throw Problem(.notDrawn(asked.place, reason), retryAfter: service.secondsToDrawWaiting)
            }
        } catch let error as ServiceError {
            throw Problem(error, retryAfter: service.secondsToDrawWaiting)
        } catch {
            throw Problem(422, "invalid-request", "\(asked.place): \(error)")
        }
        var answer = HTTPAnswer(200, "application/pdf", saved.data)
        if saved.data.count >= BodiesUnderWay.smallest { answer.turn = await context.bodies.turn() }
        answer.headers += [
            (name: "Cache-Control", value: "private, no-store"),
            (name: "Offstage-Left-Out", value: "\(saved.leftOut.count)"),
            (name: "X-Content-Type-Options", value: "nosniff"),
        ]
        return answer
    }
}
