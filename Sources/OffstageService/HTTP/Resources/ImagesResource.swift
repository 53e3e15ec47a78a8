import Foundation
import Offstage
import OffstageRequests

/// `/v1/images`: a picture for a document, and nothing remembered but what every drawing keeps.
@MainActor
struct ImagesResource {
    let context: ServeContext

    func post(_ request: HTTPRequest) throws(Problem) -> Handling {
        let source = try PictureAsked.source(request)
        guard source.body.count <= PictureAsked.smallBody else {
            return .later { [self] in
                switch await PictureAsked.read(source, context.configuration, reader: context.reader) {
                case .success(let asked): await answer(asked)
                case .failure(let problem): problem.answer
                }
            }
        }
        let asked = try PictureAsked(source, context.configuration, reader: &context.reader)
        if let pictures = context.service.filesAtOnce(for: asked.request), let data = pictures[0].files[0].dataAtOnce {
            return .now(answer(pictures[0], asked, data))
        }
        return .later { [self] in await answer(asked) }
    }

    private func answer(_ asked: PictureAsked) async -> HTTPAnswer {
        switch await context.draw(asked.request) {
        case .success(let drawn): answer(drawn.picture, asked, drawn.data, drawn.turn)
        case .failure(let problem): problem.answer
        }
    }

    private func answer(
        _ picture: RenderedFiles, _ asked: PictureAsked, _ data: Data, _ turn: BodiesUnderWay.Turn? = nil
    ) -> HTTPAnswer {
        let file = picture.files[0]
        let identifier = asked.request.picture.identifier
        context.recent.add(identifier, asked.format, file, data, isKept: picture.isKept)
        var picture = PictureAnswer(picture, file, as: asked.format, data)
        picture.name = identifier
        var answer = picture.answer
        answer.turn = turn
        return answer
    }
}

extension ServeContext {
    struct Drawn: Sendable {
        var picture: RenderedFiles
        var data: Data
        /// Of bytes that come from the disk.
        var turn: BodiesUnderWay.Turn?
    }

    /// The one picture of a request, kept or drawn, with its bytes.
    nonisolated func draw(
        _ request: ServiceRequest, orElse identifier: String? = nil
    ) async -> Result<Drawn, Problem> {
        var request = request
        do throws(ServiceError) {
            // Kept bytes may leave between their being found and read: then it is drawn.
            for isLast in [false, true] {
                if isLast { request.treatment.refreshes = true }
                let pictures = try await service.files(for: request, RequestControl(), orElse: identifier)
                let file = pictures[0].files[0]
                let isLarge = file.dataAtOnce == nil && file.byteCount >= BodiesUnderWay.smallest
                let turn = isLarge ? await bodies.turn() : nil
                if let data = await file.data() {
                    return .success(Drawn(picture: pictures[0], data: data, turn: turn))
                }
            }
            return .failure(Problem(500, "engine-failed", "the request: the picture's bytes cannot be read"))
        } catch {
            return .failure(
                Problem(error, retryAfter: service.secondsToDrawWaiting).without(configuration.paths))
        }
    }
}
