/// A step towards a request's picture. Each shows more than the previous one.
public enum RenderUpdate: Sendable {
    /// No picture exists yet. The host shows its own placeholder.
    case placeholder
    /// The picture of an older state of the source. Only with `RenderOptions.showsStale`.
    case stale(RenderedPicture)
    /// A thumbnail of the source's current state: the cached one of the size in `RenderOptions.thumbnail`, else the one
    /// from `RendererConfiguration.thumbnails`.
    case thumbnail(RenderedPicture)
    /// The picture itself; the last update.
    case full(RenderedPicture)
}

/// Provides thumbnails that the renderer does not have in its cache.
public protocol ThumbnailProviding: Sendable {
    /// A thumbnail of the request's picture, or nil. It must be quick: the host shows a placeholder until then.
    func thumbnail(for request: some DrawingRequest) async -> RenderedPicture?
}

/// The updates for one request: `placeholder`, `thumbnail` if one exists, and `full`, or an error instead of the remaining ones.
/// Updates that would be too late are left out: if the picture is in memory, it is the only update.
///
/// With `RenderOptions.showsStale`, a cached picture of an older state is `stale` and replaces the thumbnail; if it is in memory,
/// it replaces the placeholder, too.
///
/// Each iteration submits a separate request when it begins, and cancels it if the iteration ends early.
public struct RenderUpdates: AsyncSequence, Sendable {
    public typealias Element = RenderUpdate
    public typealias Failure = RenderError

    let start: @Sendable () -> RenderTask<[RenderedPicture]>
    /// The picture of an older state, if it is in memory.
    let staleAtOnce: @Sendable () -> RenderedPicture?
    let stale: @Sendable () async -> RenderedPicture?
    let thumbnail: @Sendable () async -> RenderedPicture?

    public func makeAsyncIterator() -> Iterator {
        // Look up the older picture before submitting the request, whose picture replaces it in memory.
        let old = staleAtOnce()
        return Iterator(request: Request(start()), old: old, updates: self)
    }

    /// Cancels the request when the iterator is released, unless the request has ended.
    fileprivate final class Request: Sendable {
        let task: RenderTask<[RenderedPicture]>
        init(_ task: RenderTask<[RenderedPicture]>) { self.task = task }
        deinit { task.cancel() }
    }

    public struct Iterator: AsyncIteratorProtocol {
        private enum Step { case first, stale, thumbnail, full, over }

        private let request: Request
        private let old: RenderedPicture?
        private let updates: RenderUpdates
        private var step = Step.first

        /// The request, for a host that changes its priority or checks if it is finished.
        package var task: RenderTask<[RenderedPicture]> { request.task }

        fileprivate init(request: Request, old: RenderedPicture?, updates: RenderUpdates) {
            self.request = request
            self.old = old
            self.updates = updates
        }

        public mutating func next() async throws(RenderError) -> RenderUpdate? {
            try await next(isolation: nil)
        }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(RenderError) -> RenderUpdate? {
            if step == .first {
                step = old == nil ? .stale : .full
                if !request.task.isOver { return old.map { .stale($0) } ?? .placeholder }
            }
            if step == .stale {
                step = .thumbnail
                if !request.task.isOver, let image = await updates.stale(), !request.task.isOver {
                    step = .full
                    return .stale(image)
                }
            }
            if step == .thumbnail {
                step = .full
                if !request.task.isOver, let image = await updates.thumbnail(), !request.task.isOver {
                    return .thumbnail(image)
                }
            }
            if step == .over { return nil }
            step = .over
            return .full(try await request.task.picture)
        }
    }
}

extension Renderer {
    /// The updates for a request. They throw the same errors as `picture(for:)`.
    public func updates(for request: any DrawingRequest, options: RenderOptions = RenderOptions()) -> RenderUpdates {
        RenderUpdates(
            start: { self.task(for: request, options: options) },
            staleAtOnce: {
                guard options.showsStale, options.usesCache, let keyed = self.keyed(request) else { return nil }
                return self.shelf.stalePictureAtOnce(for: keyed)
            },
            stale: {
                guard options.showsStale, options.usesCache, let keyed = self.keyed(request) else { return nil }
                return await self.shelf.stalePicture(for: keyed)
            },
            thumbnail: { await self.thumbnailAtHand(for: request, options) })
    }
}
