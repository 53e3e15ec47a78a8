/// What a host can show for a request, better with each step.
public enum RenderUpdate: Sendable {
    /// Nothing is there yet; the host shows what it likes.
    case placeholder
    /// The picture as it was before its source changed; only with `RenderOptions.showsStale`.
    case stale(RenderedImage)
    /// A small picture from before, of what the request shows now: one that is kept of the size that
    /// `RenderOptions.thumbnail` says, else what `RendererConfiguration.thumbnails` gives.
    case thumbnail(RenderedImage)
    /// The picture itself; the last update.
    case full(RenderedImage)
}

/// Finds a small picture to show while the full one is drawn, where the renderer keeps none: a host may have another source.
public protocol ThumbnailProviding: Sendable {
    /// A thumbnail of what the request shows, or nil. It has to be quick: the host shows an empty place until then.
    func thumbnail(for request: some DrawingRequest) async -> RenderedImage?
}

/// The updates for one request: `placeholder`, `thumbnail` where there is one, `full`; or an error in place of the rest. What
/// comes too late to be of use is left out: a picture that is there at once is the only update.
///
/// With `RenderOptions.showsStale` an older picture, where one is kept, is `stale` and comes in place of the thumbnail; one
/// that is in memory also in place of the placeholder.
///
/// Each iteration is a request of its own, taken in when it begins, and cancelled if it ends early.
public struct RenderUpdates: AsyncSequence, Sendable {
    public typealias Element = RenderUpdate
    public typealias Failure = RenderError

    let start: @Sendable () -> RenderTask<[RenderedImage]>
    /// The older picture, where it is in memory.
    let staleAtOnce: @Sendable () -> RenderedImage?
    let stale: @Sendable () async -> RenderedImage?
    let thumbnail: @Sendable () async -> RenderedImage?

    public func makeAsyncIterator() -> Iterator {
        // Before the request is there, whose picture takes the older one's place.
        let old = staleAtOnce()
        return Iterator(request: Request(start()), old: old, updates: self)
    }

    /// Withdraws the request when the iteration is let go; nothing happens if it is over by then.
    fileprivate final class Request: Sendable {
        let task: RenderTask<[RenderedImage]>
        init(_ task: RenderTask<[RenderedImage]>) { self.task = task }
        deinit { task.cancel() }
    }

    public struct Iterator: AsyncIteratorProtocol {
        private enum Step { case first, stale, thumbnail, full, over }

        private let request: Request
        private let old: RenderedImage?
        private let updates: RenderUpdates
        private var step = Step.first

        /// The request itself, for a host that changes its priority or looks whether it is over.
        package var task: RenderTask<[RenderedImage]> { request.task }

        fileprivate init(request: Request, old: RenderedImage?, updates: RenderUpdates) {
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
            return .full(try await request.task.image)
        }
    }
}

extension Renderer {
    /// What there is to show for a request, first what is at hand, then the picture. Throws what `image(for:)` throws.
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
