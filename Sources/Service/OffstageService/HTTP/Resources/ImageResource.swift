import Foundation
import Offstage
import OffstageRequests

/// `/v1/images/{identifier}`: a picture that a client puts under an identifier. It survives a restart, and nothing but another
/// request or the operator removes it.
struct ImageResource: Sendable {
    let context: ServeContext

    // MARK: PUT

    func put(_ request: HTTPRequest) throws(Problem) -> Handling {
        let identifier = try Self.checked(request.parameter)
        guard let store = context.store else { throw .noStore }
        let source = try ImageRequest.source(request)
        let (conditions, client) = (Conditions(request), client(of: request))
        return .later { @MainActor [memory = request.memory] () async throws(Problem) in
            defer { withExtendedLifetime(memory) {} }
            let asked = try await context.read(source)
            if let own = asked.request.picture.identifier, own != identifier {
                throw Problem(
                    422, "other-identifier",
                    "\"identifier\" in the body differs from the one in the path; leave it out")
            }
            // Check the owner first, because otherwise a drawing would be useless.
            if !client.mayChangeOthers, client.name != nil,
                !client.mayChange(try await context.kept.owner(of: identifier, in: store))
            {
                throw Self.foreign
            }
            try conditions.check(try await context.kept.content(identifier, in: store))
            let drawn = try await context.draw(asked.request)
            let sound = try await context.sound(of: asked.request)
            // Another client may have put a picture there meanwhile.
            let before = try await change(identifier, conditions, in: store) { (expected) throws(Problem) in
                try await context.kept.put(drawn, asked, sound, identifier, by: client, over: expected, in: store)
            }
            return answer(drawn, asked, identifier, isNew: before == nil)
        }
    }

    /// The client as the owner of the pictures it puts. Without tokens, pictures have no owner.
    private func client(of request: HTTPRequest) -> PinningClient {
        let name = context.configuration.tokenFile == nil ? nil : request.client?.turns.name
        return PinningClient(name: name, mayChangeOthers: request.client?.rights.allows(.delete) ?? true)
    }

    /// Changes the picture under an identifier if the conditions are met at that moment, even if others change it
    /// concurrently.
    ///
    /// - Returns: the digest of the previous picture.
    @MainActor
    private func change(
        _ identifier: String, _ conditions: Conditions, isRemoval: Bool = false, in store: PictureStore,
        _ body: (ExpectedPicture) async throws(Problem) -> PutPictures.Outcome
    ) async throws(Problem) -> Digest? {
        await context.changeTurns.enter(identifier)
        defer { context.changeTurns.leave(identifier) }
        while true {
            let before = try await context.kept.content(identifier, in: store)
            try conditions.check(before)
            let expected = conditions.isEmpty ? .any : before.map { .content($0) } ?? ExpectedPicture.nothing
            switch try await body(expected) {
            case .done: return before
            case .refused(let refusal): throw Problem(refusal, isRemoval: isRemoval)
            case .isForeign: throw Self.foreign
            case .isOther: continue
            }
        }
    }

    @MainActor
    private func answer(
        _ drawn: ServeContext.Drawn, _ asked: ImageRequest, _ identifier: String, isNew: Bool
    ) -> HTTPAnswer {
        let file = drawn.picture.files[0]
        let picture = PictureAnswer(drawn, as: asked.format, name: identifier)
        context.recent.add(picture)
        var answer = HTTPAnswer.json(
            [
                "identifier": identifier, "width": file.size.width, "height": file.size.height, "scale": file.scale,
                "format": asked.format.name, "bytes": drawn.data.count,
                "warnings": drawn.picture.warnings.map(\.object),
            ], status: isNew ? 201 : 200)
        answer.headers += picture.headers.filter { ["ETag", "Offstage-Warnings"].contains($0.name) }
        if isNew {
            let path = identifier.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? identifier
            answer.headers.append((name: "Location", value: "/v1/images/" + path))
        }
        answer.isCached = drawn.picture.isCached
        return answer
    }

    // MARK: GET and HEAD

    func get(_ request: HTTPRequest) throws(Problem) -> Handling {
        let identifier = try Self.checked(request.parameter)
        guard let store = context.store else { throw Self.absent }
        let conditions = Conditions(request)
        if let picture = context.kept.atOnce(identifier) { return .now(try answer(picture, conditions)) }
        return .later { @MainActor () async throws(Problem) in
            if let answer = try await withoutReading(identifier, in: store, conditions) { return answer }
            let turn = await context.bodies.turn()
            // Another request may have read it meanwhile.
            if let answer = try await withoutReading(identifier, in: store, conditions) { return answer }
            guard let picture = try await context.kept.picture(identifier, in: store) else { throw absent(in: store) }
            var answer = try answer(picture, conditions)
            answer.turn = turn
            return answer
        }
    }

    /// The answer if the client already has the picture, or if others are reading its bytes, which are then in memory
    /// or in a file. Nil if the bytes have to be read from the store.
    @MainActor
    private func withoutReading(
        _ identifier: String, in store: PictureStore, _ conditions: Conditions
    ) async throws(Problem) -> HTTPAnswer? {
        guard context.bodies.hasReaders || conditions.canExclude,
            let picture = await context.kept.description(identifier, in: store)
        else { return nil }
        let answer = try answer(picture, conditions)
        return answer.status == 304 ? answer : context.bodies.sharing(answer)
    }

    private func answer(_ picture: PictureAnswer, _ conditions: Conditions) throws(Problem) -> HTTPAnswer {
        try conditions.checkMatch(picture.tag)
        if !conditions.excludes(picture.tag) { return picture.answer }
        var answer = HTTPAnswer(304)
        answer.headers = picture.headers.filter { ["ETag", "Cache-Control", "Vary"].contains($0.name) }
        answer.isCached = true
        return answer
    }

    // MARK: DELETE

    func delete(_ request: HTTPRequest) throws(Problem) -> Handling {
        let identifier = try Self.checked(request.parameter)
        guard let store = context.store else { throw Self.absent }
        let (conditions, client) = (Conditions(request), client(of: request))
        return .later { @MainActor () async throws(Problem) in
            let before = try await change(identifier, conditions, isRemoval: true, in: store) {
                (expected) throws(Problem) in
                if expected == .nothing { throw absent(in: store) }
                return try await context.kept.remove(identifier, by: client, expected, in: store)
            }
            if before == nil { throw absent(in: store) }
            context.recent.remove(identifier)
            return HTTPAnswer(204)
        }
    }

    private static let absent = Problem(
        404, "no-such-picture", "no picture has this identifier; PUT one first")

    /// An unusable store finds nothing, so a miss does not mean that the picture is absent.
    private func absent(in store: PictureStore) -> Problem {
        context.service.remote != nil || store.isAvailable ? Self.absent : .unusableStore
    }

    private static let foreign = Problem(
        403, "other-owner", "the picture under this identifier belongs to another client; use another identifier")

    static func checked(_ identifier: String) throws(Problem) -> String {
        do throws(UsageError) {
            return try RowIdentifier.read(["identifier": .text(identifier)], at: "the path")
        } catch { throw Problem(400, "invalid-identifier", error.description) }
    }
}

extension Problem {
    static let noStore = Problem(
        503, "nothing-is-kept", "the service was started with --no-cache and stores nothing")

    /// The picture exists, but cannot be read now, for example because too many files are open.
    static let unreadable = Problem(
        503, "cache-busy", "the picture cannot be read now; try again", headers: ["Retry-After": "1"])

    /// Without the database, only an older picture might be available, which would be wrong.
    init(_ error: SharedUnavailable) {
        self.init(
            503, "shared-store-unavailable", "the shared database cannot be reached; try again",
            headers: ["Retry-After": "2"])
    }

    fileprivate static let unusableStore = Problem(
        503, "nothing-is-kept", "the cache cannot be used; the service's log has the reason")

    /// - Parameter isRemoval: true if the failure is a picture that was not removed, false if it is one that was not
    ///   stored.
    fileprivate init(_ refusal: PictureStore.Refusal, isRemoval: Bool) {
        let failure = "the picture was not \(isRemoval ? "removed" : "stored")"
        switch refusal {
        case .tooLarge:
            self.init(
                422, "too-large-to-keep", "the picture is larger than a tenth of the cache's limit and was not stored")
        case .full: self.init(507, "no-space", "\(failure): the disk is full; free some space on it")
        case .noRoom(.limit(let bytes)):
            self.init(
                507, "no-space",
                "\(failure): pictures that were PUT take all of the cache's \(StoreEvictions.megabytes(bytes)); DELETE some, "
                    + "or start the service with a larger --cache-limit")
        case .noRoom(.littleSpace(let bytes)):
            self.init(
                507, "no-space",
                "\(failure): the disk has less than \(StoreEvictions.megabytes(bytes)) left; free some space on it, or "
                    + "DELETE pictures")
        case .unusable: self = .unusableStore
        case .busy:
            self.init(
                503, "cache-busy", "\(failure): another process uses the cache", headers: ["Retry-After": "1"])
        }
    }
}

/// Conditions for the picture under an identifier (RFC 9110, 13.1).
struct Conditions: Sendable {
    private let match: String?
    private let noneMatch: String?

    private static let failed = Problem(
        412, "precondition-failed", "the picture under this identifier does not meet the request's condition")

    init(_ request: HTTPRequest) {
        match = request.header("if-match")
        noneMatch = request.header("if-none-match")
    }

    var isEmpty: Bool { match == nil && noneMatch == nil }

    /// Checks the conditions of a request that changes the picture.
    ///
    /// - Parameter content: the digest of the current picture; nil for none.
    func check(_ content: Digest?) throws(Problem) {
        let tag = content.map { EntityTag($0) }
        try checkMatch(tag)
        if excludes(tag) { throw Self.failed }
    }

    func checkMatch(_ tag: EntityTag?) throws(Problem) {
        if let match, tag?.isNamed(in: match, isStrong: true) != true { throw Self.failed }
    }

    /// True if there is an `If-None-Match`.
    var canExclude: Bool { noneMatch != nil }

    /// True if `If-None-Match` has the tag.
    func excludes(_ tag: EntityTag?) -> Bool {
        if let noneMatch, let tag { tag.isNamed(in: noneMatch, isStrong: false) } else { false }
    }
}
