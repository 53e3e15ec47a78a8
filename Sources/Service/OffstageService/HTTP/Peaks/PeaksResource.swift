import Foundation
import Offstage
import OffstageRequests
import OffstageSound

/// `/v1/peaks` and `/v1/peaks/{identifier}`: a part of a sound's peaks at a zoom. A sound is decoded once, and only if its peaks are
/// not stored.
struct PeaksResource: Sendable {
    let context: ServeContext

    /// The peaks of a sound that a client has PUT at `/v1/images/{identifier}`.
    func get(_ request: HTTPRequest) throws(Problem) -> Handling {
        let identifier = try ImageResource.checked(request.parameter)
        let query = try PeaksQuery(request)
        if query.file != nil { throw PeaksQuery.problem("\"file\" and the path cannot both name the sound; use one") }
        guard let store = context.store else { throw Self.absent }
        let conditions = Conditions(request)
        return .later { @MainActor () async throws(Problem) in
            guard let sound = try await context.kept.sound(identifier, in: store) else { throw Self.absent }
            return try await Self.answer(query, sound, conditions, name: identifier)
        }
    }

    private static let absent = Problem(
        404, "no-such-sound", "no sound has this identifier; PUT the sound at /v1/images/IDENTIFIER first")

    /// The peaks of a file that requests may name.
    func getFile(_ request: HTTPRequest) throws(Problem) -> Handling {
        let query = try PeaksQuery(request)
        guard let file = query.file else {
            throw PeaksQuery.problem(
                "there is no \"file\"; add it, or request /v1/peaks/IDENTIFIER for a sound that was PUT")
        }
        let object: [String: JSONValue] = ["file": .text(file)]
        try context.configuration.policy.check(object)
        let asked: ServiceRequest
        do throws(UsageError) {
            asked = try context.reader.withLock { (reader) throws(UsageError) in
                try reader.read(object, of: request.client, at: "the request")
            }
        } catch { throw Problem(error).without(context.configuration.paths) }
        let conditions = Conditions(request)
        return .later { () async throws(Problem) in
            guard let sound = try await context.sound(of: asked) else {
                throw Problem(422, "not-a-sound", "the request: the file is not a sound; name a sound file")
            }
            let name = ((file as NSString).lastPathComponent as NSString).deletingPathExtension
            return try await Self.answer(query, sound, conditions, name: name)
        }
    }

    /// Off the main thread, because an hour has 600,000 values.
    @concurrent
    private nonisolated static func answer(
        _ query: PeaksQuery, _ sound: DecodedSound, _ conditions: Conditions, name: String
    ) async throws(Problem) -> HTTPAnswer {
        let range = try query.range(of: sound)
        let data: Data
        do throws(EncodingError) { data = try query.format.encode(range.peaks) } catch {
            throw Problem(500, "engine-failed", "the request: \(error)")
        }
        let tag = EntityTag(Digest(of: data))
        try conditions.checkMatch(tag)
        let isThere = conditions.excludes(tag)
        var answer = isThere ? HTTPAnswer(304) : HTTPAnswer(200, query.format.kind.mediaType, data)
        answer.headers += [
            (name: "ETag", value: tag.text), (name: "Cache-Control", value: "private, no-cache"),
            (name: "Vary", value: "Accept, Authorization"),
        ]
        answer.isCached = true
        if isThere { return answer }
        answer.headers += [
            (
                name: "Offstage-Values",
                value: "\(range.numbers.lowerBound)-\(range.numbers.upperBound - 1)/\(range.total)"
            ),
            (name: "Offstage-Duration", value: String(format: "%.3f", sound.facts.duration)),
            (name: "Offstage-Warnings", value: PictureAnswer.summary(of: sound.facts.warnings)),
            (name: "Content-Disposition", value: PictureAnswer.disposition(name, query.format)),
            (name: "X-Content-Type-Options", value: "nosniff"),
        ]
        return answer
    }
}

extension ServeContext {
    /// The sound of a request: its stored peaks, or peaks decoded by an ordinary drawing in the queue. Nil if the
    /// request is not for a sound.
    nonisolated func sound(of asked: ServiceRequest) async throws(Problem) -> DecodedSound? {
        guard asked.picture.document.source === RegisteredSource.sounds,
            let engine = service.renderer.engine(SoundEngine.self)
        else { return nil }
        let paths = configuration.paths
        guard let waveform = try await Self.waveform(asked.picture, paths) else { return nil }
        do throws(ServiceError) {
            for isLast in [false, true] {
                do throws(DrawingError) {
                    if let sound = try await engine.stored(waveform) { return sound }
                } catch { throw .notDrawn(asked.picture.place, error) }
                if isLast { break }
                // A picture may be cached without its peaks.
                var drawing = asked
                drawing.options.usesCache = false
                drawing.options.storesResult = false
                _ = try await service.files(for: drawing, RequestControl())
            }
        } catch { throw Problem(error, retryAfter: service.secondsToDrawWaiting).without(paths) }
        throw Problem(500, "engine-failed", "the request: the sound's peaks cannot be stored")
    }

    /// Reads off the caller's thread, because a disk may be slow.
    @concurrent
    private nonisolated static func waveform(
        _ picture: PictureRequest, _ paths: MachinePaths
    ) async throws(Problem) -> Waveform? {
        do throws(SourceFileError) {
            let request = try picture.drawing(picture.identifier ?? "request")
            return ((request as? OverlaidRequest)?.below ?? request) as? Waveform
        } catch {
            let isAbsent = if case .unreadable(ENOENT) = error.problem { true } else { false }
            let text = "\(picture.place): \(error)"
            throw (isAbsent ? Problem(404, "no-such-file", text) : Problem(422, "unusable-document", text))
                .without(paths)
        }
    }
}
