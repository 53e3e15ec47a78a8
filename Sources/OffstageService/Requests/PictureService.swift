import Foundation
import Offstage
import OffstageRequests
import OffstageWebKit

/// Draws what programs ask for: the one thing behind the pipe and the HTTP service. From any thread.
package final class PictureService: Sendable {
    package let renderer: Renderer
    private let pace = DrawingPace()

    package init(renderer: Renderer) { self.renderer = renderer }

    /// The files of a request's picture, or of each of its parts. Cancelling the calling task withdraws it.
    ///
    /// - Parameters:
    ///   - control: of this request alone. The caller may use it before this call.
    ///   - identifier: what it is kept under where the request names none.
    /// - Throws: `ServiceError`.
    package func files(
        for request: ServiceRequest, _ control: RequestControl, orElse identifier: String? = nil
    ) async throws(ServiceError) -> [RenderedFiles] {
        let files = try await draw(request, orElse: identifier) { [self] snippet, options in
            try await renderer.files(
                for: snippet, as: request.picture.settings.variants, options: options, control: control)
        }
        if let first = files.first, !first.isKept { pace.note(first.duration) }
        return files
    }

    /// Seconds until what waits now is drawn, by the pace of the last drawings; at least 1.
    package var secondsToDrawWaiting: Int {
        pace.seconds(toDraw: renderer.waitingCount, width: renderer.width)
    }

    /// The pixels of a request's picture, or of each of its parts. As `files`.
    package func images(
        for request: ServiceRequest, _ control: RequestControl, orElse identifier: String? = nil
    ) async throws(ServiceError) -> [RenderedImage] {
        try await draw(request, orElse: identifier) { [self] snippet, options in
            try await renderer.images(for: snippet, options: options, control: control)
        }
    }

    private func draw<Value: Sendable>(
        _ request: ServiceRequest, orElse identifier: String?,
        _ body: @escaping @Sendable (Snippet, RenderOptions) async throws -> Value
    ) async throws(ServiceError) -> Value {
        let treatment = request.treatment
        let options = RenderOptions(
            priority: treatment.priority, isImmediate: treatment.isImmediate, client: treatment.client,
            usesCache: !treatment.refreshes, storesResult: treatment.stores)
        let work: @Sendable () async -> Result<Value, ServiceError> = { [self] in
            do {
                return .success(try await body(try await read(request.picture, orElse: identifier), options))
            } catch let error as RenderError {
                return .failure(.notDrawn(request.picture.place, error.reason))
            } catch {
                // One of the text itself names the request; a file is not the request.
                if case .file = request.picture.content {
                    return .failure(.unusable("\(request.picture.place): \(error)"))
                }
                return .failure(.unusable("\(error)"))
            }
        }
        guard let deadline = treatment.deadline else { return try await work().get() }
        return try await Self.within(deadline, of: request, work).get()
    }

    /// The pixels where they are in memory and nothing has to be looked at, for who paints in the same turn; nil where there is
    /// no such thing. A file is not read for that.
    package func imagesAtOnce(for request: ServiceRequest) -> [RenderedImage]? {
        guard !request.treatment.refreshes, renderer.configuration.memory != nil, case .html = request.picture.content,
            let snippet = try? snippet(request.picture, orElse: nil)
        else { return nil }
        return renderer.imagesAtOnce(for: snippet)
    }

    /// The files where they are in memory and nothing has to be looked at, for who answers in the same turn; nil where there is
    /// no such thing. Of a small document: it is read on the caller's thread.
    package func filesAtOnce(for request: ServiceRequest, orElse identifier: String? = nil) -> [RenderedFiles]? {
        guard !request.treatment.refreshes, renderer.configuration.files != nil,
            case .html(let html) = request.picture.content, html.utf8.count <= 65_536,
            let snippet = try? request.picture.snippet(""), var keyed = renderer.keyed(snippet)
        else { return nil }
        keyed.identifier = request.picture.identifier ?? identifier ?? "\(keyed.fingerprint.digest)"
        return renderer.filesAtOnce(for: keyed, as: request.picture.settings.variants)
    }

    /// Off the caller's thread: a document may be large, or on a slow disk.
    @concurrent
    private func read(_ picture: PictureRequest, orElse identifier: String?) async throws -> Snippet {
        try snippet(picture, orElse: identifier)
    }

    private func snippet(_ picture: PictureRequest, orElse identifier: String?) throws(SnippetFileError) -> Snippet {
        if let identifier = picture.identifier ?? identifier { return try picture.snippet(identifier) }
        // What is the same is found by what it is.
        var snippet = try picture.snippet("request")
        if let fingerprint = renderer.fingerprint(of: snippet) {
            snippet.identifier = "\(fingerprint.digest)"
        }
        return snippet
    }

    private static func within<Value: Sendable>(
        _ deadline: Double, of request: ServiceRequest,
        _ work: @escaping @Sendable () async -> Result<Value, ServiceError>
    ) async -> Result<Value, ServiceError> {
        await withTaskGroup(of: Result<Value, ServiceError>?.self) { group in
            group.addTask { await work() }
            group.addTask {
                // Nil: cancelled, since the picture is there.
                try? await Task.sleep(for: .seconds(deadline))
                return Task.isCancelled ? nil : .failure(.late(request.picture.place, seconds: deadline))
            }
            defer { group.cancelAll() }
            while let first = await group.next() {
                if let first { return first }
            }
            return .failure(.notDrawn(request.picture.place, .cancelled))
        }
    }
}

/// Why there is no picture for a request.
package enum ServiceError: Error, Sendable, CustomStringConvertible {
    /// The document cannot be read.
    case unusable(String)
    /// - Parameter place: the request's.
    case notDrawn(_ place: String, DrawingError)
    /// Its deadline is over.
    case late(_ place: String, seconds: Double)

    package var description: String {
        switch self {
        case .unusable(let message): message
        case .notDrawn(let place, let reason): "\(place): \(reason)"
        case .late(let place, let seconds):
            "\(place): not drawn within its deadline of \(String(format: "%g", seconds)) s; raise it"
        }
    }

    package var reason: DrawingError? {
        if case .notDrawn(_, let reason) = self { reason } else { nil }
    }

    /// For programs.
    package var code: ServiceResult.Code {
        switch self {
        case .unusable: .unreadable
        case .late: .late
        case .notDrawn(_, .cancelled): .cancelled
        case .notDrawn(_, .unavailable), .notDrawn(_, .finished): .unavailable
        case .notDrawn(_, .queueFull): .queueFull
        case .notDrawn: .notDrawn
        }
    }
}
