import Foundation
import Offstage
import OffstageRequests
import Synchronization

/// Draws the requests of programs, for the pipe, the HTTP service and the C library. Use it from any thread.
package final class PictureService: Sendable {
    package let renderer: Renderer
    private let pace = DrawingPace()
    /// Saves annotations in documents.
    package let annotations = AnnotationService()
    /// The suspensions of the sessions.
    package let suspensions = Suspensions()
    /// The number of requests that look up their files, or wait for them here. The queue does not count those that are
    /// still looking.
    private let underWay = Mutex(0)
    /// Other machines, which draw requests when this one's slots are in use; nil for none.
    package let remote: RemoteRequests?
    /// Other machines, which draw everything; nil to draw here.
    private let via: ViaRequests?

    package init(renderer: Renderer, remote: RemoteRequests? = nil, via: ViaRequests? = nil) {
        (self.renderer, self.remote, self.via) = (renderer, remote, via)
    }

    /// The files of a request's picture, or of each of its parts. Cancelling the calling task cancels the request.
    ///
    /// - Parameter control: for this request only. The caller may use it before this call.
    package func files(
        for request: ServiceRequest, _ control: RequestControl
    ) async throws(ServiceError) -> [RenderedFiles] {
        let files = try await draw(request) { [self] in
            if let via { return try await filesVia(via, of: $0, for: request, control) }
            try await drawElsewhere($0, request)
            underWay.withLock { $0 += 1 }
            defer { underWay.withLock { $0 -= 1 } }
            return try await renderer.files(
                for: $0, as: request.picture.settings.variants, options: request.options, control: control)
        }
        if let first = files.first, !first.isCached { pace.note(first.duration) }
        return request.withWarnings(files)
    }

    /// Lets another machine draw the request, and then looks up the files.
    private func filesVia(
        _ via: ViaRequests, of drawing: any DrawingRequest, for request: ServiceRequest, _ control: RequestControl
    ) async throws(RenderError) -> [RenderedFiles] {
        let (document, settings) = (request.picture.document, request.picture.settings)
        var options = request.options
        let isDrawnElsewhere = try await via.draw(drawing, settings, options, control, for: renderer) { document }
        // Another machine has already made the new drawing that the request asked for.
        if isDrawnElsewhere { options.usesCache = true }
        let files = try await renderer.files(
            for: drawing, as: settings.variants, options: options, control: control)
        return isDrawnElsewhere ? files.map(\.asDrawn) : files
    }

    /// While this machine has no free slots, the first machine with a free slot draws the request, and the renderer
    /// then finds the pictures. Requests that cannot be sent, or that depend on local files, wait here.
    private func drawElsewhere(_ drawing: any DrawingRequest, _ request: ServiceRequest) async throws(RenderError) {
        guard let remote, underWay.withLock({ $0 }) >= 2 * renderer.width, request.options.usesCache,
            request.options.storesResult, request.picture.document.folder == nil, request.picture.document.file == nil,
            let portable = try? PortableRequest(request.picture.document, request.picture.settings),
            case let variants = request.picture.settings.variants,
            await !renderer.hasFiles(for: drawing, as: variants)
        else { return }
        if case .failed(let reason) = await remote.drawn(portable, drawing, variants, request.options, for: renderer) {
            throw RenderError(identifier: drawing.identifier, reason: reason)
        }
    }

    /// An estimate of the seconds until the waiting drawings are finished; at least 1.
    package var secondsToDrawWaiting: Int {
        pace.seconds(toDraw: renderer.waitingCount, width: renderer.width)
    }

    /// The pixels of a request's picture, or of each of its parts. Cancelling the calling task cancels the request.
    package func pictures(
        for request: ServiceRequest, _ control: RequestControl
    ) async throws(ServiceError) -> [RenderedPicture] {
        let pictures = try await draw(request) { [self] in
            try await renderer.pictures(for: $0, options: request.options, control: control)
        }
        let warnings = request.picture.settings.withoutEffect
        return warnings.isEmpty ? pictures : pictures.map { $0.adding(warnings) }
    }

    private func draw<Value: Sendable>(
        _ request: ServiceRequest, _ body: @escaping @Sendable (any DrawingRequest) async throws -> Value
    ) async throws(ServiceError) -> Value {
        let work: @Sendable () async -> Result<Value, ServiceError> = { [self] in
            do {
                return .success(try await body(try await read(request.picture)))
            } catch let error as RenderError {
                return .failure(.notDrawn(request.picture.place, error.reason))
            } catch {
                // Unlike other messages, those about files do not name the request.
                if request.picture.document.file != nil {
                    return .failure(.unusable("\(request.picture.place): \(error)"))
                }
                return .failure(.unusable("\(error)"))
            }
        }
        guard let deadline = request.deadline else { return try await work().get() }
        return try await Self.within(deadline, of: request, work).get()
    }

    /// The pixels, if they are in memory and no file has to be checked: for a caller that paints in the same turn of its loop. Nil
    /// for a file, which is not read here.
    package func picturesAtOnce(for request: ServiceRequest) -> [RenderedPicture]? {
        guard request.options.usesCache, renderer.configuration.memory != nil,
            case .text = request.picture.document.content, let drawing = try? drawing(request.picture)
        else { return nil }
        let warnings = request.picture.settings.withoutEffect
        return renderer.picturesAtOnce(for: drawing).map { $0.map { $0.adding(warnings) } }
    }

    /// The files, if they are in memory and no other file has to be checked: for a caller that answers in the same turn of its loop.
    /// Nil for a large document, because this reads it on the caller's thread.
    package func filesAtOnce(for request: ServiceRequest) -> [RenderedFiles]? {
        guard request.options.usesCache, renderer.configuration.files != nil,
            case .text(let text) = request.picture.document.content, text.utf8.count <= 65_536,
            let drawing = try? request.picture.drawing(""), var keyed = renderer.keyed(drawing)
        else { return nil }
        keyed.identifier = request.picture.identifier ?? "\(keyed.fingerprint.digest)"
        return renderer.filesAtOnce(for: keyed, as: request.picture.settings.variants).map(request.withWarnings)
    }

    /// Reads off the caller's thread, because a document may be large, or on a slow disk.
    @concurrent
    private func read(_ picture: PictureRequest) async throws -> any DrawingRequest { try drawing(picture) }

    private func drawing(_ picture: PictureRequest) throws(SourceFileError) -> any DrawingRequest {
        if let identifier = picture.identifier { return try picture.drawing(identifier) }
        // Without an identifier, equal requests share one.
        var drawing = try picture.drawing("request")
        if let fingerprint = renderer.fingerprint(of: drawing) { drawing.identifier = "\(fingerprint.digest)" }
        return drawing
    }

    private static func within<Value: Sendable>(
        _ deadline: Double, of request: ServiceRequest,
        _ work: @escaping @Sendable () async -> Result<Value, ServiceError>
    ) async -> Result<Value, ServiceError> {
        await withTaskGroup(of: Result<Value, ServiceError>?.self) { group in
            group.addTask { await work() }
            group.addTask {
                try? await Task.sleep(for: .seconds(deadline))
                // This task is cancelled if the picture is finished first.
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

/// The reason why a request has no picture.
package enum ServiceError: Error, Sendable, CustomStringConvertible {
    /// The document cannot be read.
    case unusable(String)
    /// - Parameter place: the request's location.
    case notDrawn(_ place: String, DrawingError)
    /// The deadline has passed.
    case late(_ place: String, seconds: Double)

    package var description: String {
        switch self {
        case .unusable(let message): message
        case .notDrawn(let place, let reason): "\(place): \(reason)"
        case .late(let place, let seconds):
            "\(place): not drawn within its deadline of \(String(format: "%g", seconds)) s; raise the deadline"
        }
    }

    package var reason: DrawingError? {
        if case .notDrawn(_, let reason) = self { reason } else { nil }
    }

    /// The reason, for programs.
    package var code: ServiceResult.Code {
        switch self {
        case .unusable: .unreadable
        case .late: .late
        case .notDrawn(_, .cancelled): .cancelled
        case .notDrawn(_, .unavailable), .notDrawn(_, .finished): .unavailable
        case .notDrawn(_, .queueFull): .queueFull
        // A program must ask its user for the password.
        case .notDrawn(_, .unusable(let problem)):
            [.passwordRequired, .passwordWrong].first { $0.rawValue == problem.code } ?? .notDrawn
        case .notDrawn: .notDrawn
        }
    }
}
