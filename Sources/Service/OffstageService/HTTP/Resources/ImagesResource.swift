import Foundation
import Offstage
import OffstageRequests

/// `/v1/images`: returns the picture of a document. It is stored only in the usual cache.
struct ImagesResource: Sendable {
    let context: ServeContext

    func post(_ request: HTTPRequest) throws(Problem) -> Handling {
        let source = try ImageRequest.source(request)
        guard source.body.count <= ImageRequest.smallBody else {
            return .later { [memory = request.memory] () async throws(Problem) in
                defer { withExtendedLifetime(memory) {} }
                return try await answer(context.read(source))
            }
        }
        let asked = try context.readAtOnce(source)
        if let pictures = context.service.filesAtOnce(for: asked.request), let data = pictures[0].files[0].dataAtOnce {
            return .now(answer(asked, ServeContext.Drawn(picture: pictures[0], data: data)))
        }
        return .later { [memory = request.memory] () async throws(Problem) in
            defer { withExtendedLifetime(memory) {} }
            return try await answer(asked)
        }
    }

    private func answer(_ asked: ImageRequest) async throws(Problem) -> HTTPAnswer {
        answer(asked, try await context.draw(asked.request))
    }

    private func answer(_ asked: ImageRequest, _ drawn: ServeContext.Drawn) -> HTTPAnswer {
        let picture = PictureAnswer(drawn, as: asked.format, name: asked.request.picture.identifier)
        context.recent.add(picture)
        var answer = picture.answer
        answer.turn = drawn.turn
        return answer
    }
}

extension ServeContext {
    /// Reads a request on the caller's thread, so the request must be small.
    nonisolated func readAtOnce(_ source: ImageRequest.Source) throws(Problem) -> ImageRequest {
        var reader = reader.withLock { $0 }
        let asked = try ImageRequest(source, configuration, reader: &reader)
        self.reader.withLock { [reader] in $0 = reader }
        return asked
    }

    /// Reads a request off the caller's thread.
    nonisolated func read(_ source: ImageRequest.Source) async throws(Problem) -> ImageRequest {
        try await ImageRequest.read(source, configuration, reader: reader.withLock { $0 })
    }

    /// A request's picture and its bytes.
    struct Drawn: Sendable {
        var picture: RenderedFiles
        var data: Data
        /// The right to send a large picture from disk; nil for others.
        var turn: BodiesUnderWay.Turn?
    }

    /// Returns the picture of a request for one file, cached or drawn.
    nonisolated func draw(_ request: ServiceRequest) async throws(Problem) -> Drawn {
        var request = request
        do throws(ServiceError) {
            // Cached bytes may be evicted between the lookup and the reading: then the picture is drawn.
            for isLast in [false, true] {
                if isLast { request.options.usesCache = false }
                let pictures = try await service.files(for: request, RequestControl())
                let file = pictures[0].files[0]
                let isLarge = file.dataAtOnce == nil && file.byteCount >= BodiesUnderWay.smallest
                let turn = isLarge ? await bodies.turn() : nil
                if let data = await file.data() { return Drawn(picture: pictures[0], data: data, turn: turn) }
            }
        } catch {
            throw Problem(error, retryAfter: service.secondsToDrawWaiting).without(configuration.paths)
        }
        throw Problem(500, "engine-failed", "the request: the picture's bytes cannot be read")
    }
}
