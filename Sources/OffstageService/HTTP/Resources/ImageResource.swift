import Foundation
import Offstage
import OffstageRequests

/// `/v1/images/{identifier}`: a picture that a client puts there and finds again, after a restart too.
@MainActor
struct ImageResource {
    let context: ServeContext

    // MARK: PUT

    func put(_ request: HTTPRequest) throws(Problem) -> Handling {
        let identifier = try checked(request.parameter)
        guard let store = context.store else {
            throw Problem(503, "nothing-is-kept", "the service was started with --no-cache and keeps nothing")
        }
        let source = try PictureAsked.source(request)
        let conditions = Conditions(request)
        return .later { [self] in
            let asked: PictureAsked
            switch await PictureAsked.read(source, context.configuration, reader: context.reader) {
            case .success(let read): asked = read
            case .failure(let problem): return problem.answer
            }
            if let own = asked.request.picture.identifier, own != identifier {
                return Problem(422, "other-identifier", "the body's \"identifier\" is not the path's; leave it out")
                    .answer
            }
            if let refusal = conditions.refusal(await context.kept.record(identifier, in: store)) {
                return refusal.answer
            }
            switch await context.draw(asked.request) {
            case .failure(let problem): return problem.answer
            case .success(let drawn): return await keep(drawn, asked, identifier, conditions, in: store)
            }
        }
    }

    private func keep(
        _ drawn: ServeContext.Drawn, _ asked: PictureAsked, _ identifier: String, _ conditions: Conditions,
        in store: ImageStore
    ) async -> HTTPAnswer {
        // Another client may have put one there meanwhile.
        let before = await context.kept.record(identifier, in: store)
        if let refusal = conditions.refusal(before) { return refusal.answer }
        if let refusal = await context.kept.put(drawn, asked, identifier, in: store) { return Problem(refusal).answer }
        let file = drawn.picture.files[0]
        context.recent.add(identifier, asked.format, file, drawn.data, isKept: drawn.picture.isKept)
        var picture = PictureAnswer(drawn.picture, file, as: asked.format, drawn.data)
        picture.name = identifier
        var answer = HTTPAnswer.json(
            [
                "identifier": identifier, "width": file.size.width, "height": file.size.height, "scale": file.scale,
                "format": asked.format.name, "bytes": drawn.data.count,
                "warnings": drawn.picture.warnings.map { ["code": $0.code.name, "subject": $0.subject] },
            ], status: before == nil ? 201 : 200)
        answer.headers += [
            (name: "ETag", value: picture.tag.text),
            (name: "Offstage-Warnings", value: picture.headers.first { $0.name == "Offstage-Warnings" }?.value ?? "0"),
        ]
        if before == nil { answer.headers.append((name: "Location", value: Self.path(of: identifier))) }
        answer.isKept = drawn.picture.isKept
        return answer
    }

    // MARK: GET and HEAD

    func get(_ request: HTTPRequest) throws(Problem) -> Handling {
        let identifier = try checked(request.parameter)
        guard let store = context.store else { throw Self.absent }
        let conditions = Conditions(request)
        if let picture = context.kept.atOnce(identifier) {
            return .now(answer(picture, conditions))
        }
        return .later { [self] in
            let turn = await context.bodies.turn()
            guard let picture = await context.kept.picture(identifier, in: store) else { return Self.absent.answer }
            var answer = answer(picture, conditions)
            answer.turn = turn
            return answer
        }
    }

    /// libsoup leaves the body of an answer to HEAD out.
    private func answer(_ picture: PictureAnswer, _ conditions: Conditions) -> HTTPAnswer {
        if let list = conditions.match, !picture.tag.isNamed(in: list, isStrong: true) {
            return Conditions.failed.answer
        }
        guard let list = conditions.noneMatch, picture.tag.isNamed(in: list, isStrong: false) else {
            return picture.answer
        }
        var answer = HTTPAnswer(304)
        answer.headers = picture.headers.filter { ["ETag", "Cache-Control", "Vary"].contains($0.name) }
        answer.isKept = true
        return answer
    }

    // MARK: DELETE

    func delete(_ request: HTTPRequest) throws(Problem) -> Handling {
        let identifier = try checked(request.parameter)
        guard let store = context.store else { throw Self.absent }
        let conditions = Conditions(request)
        return .later { [self] in
            let before = await context.kept.record(identifier, in: store)
            if let refusal = conditions.refusal(before) { return refusal.answer }
            if before == nil { return Self.absent.answer }
            await context.kept.remove(identifier, in: store)
            context.recent.remove(identifier)
            return HTTPAnswer(204)
        }
    }

    private static let absent = Problem(
        404, "no-such-picture", "there is no picture under this identifier; PUT one there")

    private func checked(_ identifier: String) throws(Problem) -> String {
        do throws(UsageError) {
            return try RowIdentifier.read(["identifier": .text(identifier)], at: "the path")
        } catch { throw Problem(400, "invalid-identifier", error.description) }
    }

    static func path(of identifier: String) -> String {
        "/v1/images/" + (identifier.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? identifier)
    }
}

extension Problem {
    fileprivate init(_ refusal: ImageStore.Refusal) {
        let again = [(name: "Retry-After", value: "1")]
        switch refusal {
        case .tooLarge:
            self.init(
                422, "too-large-to-keep", "the picture was drawn, and takes more than a tenth of the cache's limit")
        case .full: self.init(507, "no-space", "the picture was drawn and cannot be kept: the disk is full")
        case .unusable:
            self.init(503, "nothing-is-kept", "the cache cannot be used; the service's log says why")
        case .busy:
            self.init(
                503, "cache-busy", "the picture was drawn and not kept: another process uses the cache", headers: again)
        }
    }
}

/// What has to hold of a picture that is there (RFC 9110, 13.1).
struct Conditions: Sendable {
    let match: String?
    let noneMatch: String?

    static let failed = Problem(
        412, "precondition-failed", "the picture under this identifier is another one than the request allows")

    @MainActor
    init(_ request: HTTPRequest) {
        match = request.header("If-Match")
        noneMatch = request.header("If-None-Match")
    }

    /// Of what changes the picture.
    func refusal(_ record: PictureRecord?) -> Problem? {
        let tag = record.map { EntityTag($0.content) }
        if let match, tag?.isNamed(in: match, isStrong: true) != true { return Self.failed }
        if let noneMatch, tag?.isNamed(in: noneMatch, isStrong: false) == true { return Self.failed }
        return nil
    }
}
