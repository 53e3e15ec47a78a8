/// What a task can tell the queue about its request.
protocol RequestControlling: AnyObject, Sendable {
    func setPriority(_ priority: RenderPriority, ofRequest number: Int)
    func cancel(request number: Int)
}

/// A request that a renderer has taken in. It is drawn whether anyone waits for it or not.
public final class RenderTask: Sendable {
    /// The request's.
    public let identifier: String
    /// Counts the renderer's requests from 1; events carry it.
    public let number: Int

    private let queue: any RequestControlling
    private let promise: Promise<Result<[RenderedImage], RenderError>>

    init(
        identifier: String, number: Int, queue: any RequestControlling,
        promise: Promise<Result<[RenderedImage], RenderError>>
    ) {
        self.identifier = identifier
        self.number = number
        self.queue = queue
        self.promise = promise
    }

    /// The pictures, when they are there: one, or one a part, in the order of the parts.
    ///
    /// Cancelling the task that waits here cancels the request.
    public var images: [RenderedImage] {
        get async throws(RenderError) {
            let promise = promise
            let outcome = await withTaskCancellationHandler {
                await promise.value
            } onCancel: {
                cancel()
            }
            return try outcome.get()
        }
    }

    /// The picture, when it is there; the first, where the request asks for several parts.
    public var image: RenderedImage {
        get async throws(RenderError) { try await images[0] }
    }

    /// True once there is a picture or an error.
    public var isOver: Bool { promise.valueIfKept != nil }

    /// The picture, if it is there already: without a wait, so that a host can show it in the same frame.
    package var imageAtOnce: RenderedImage? { (try? promise.valueIfKept?.get())?.first }

    /// Moves the request to another place among those that wait, and keeps its age there. Where several share a drawing, the
    /// highest of their priorities holds.
    public func setPriority(_ priority: RenderPriority) { queue.setPriority(priority, ofRequest: number) }

    /// Withdraws the request, unless it is over: it fails with `.cancelled` at once. A drawing that has begun is finished;
    /// one that others asked for too goes on for them.
    public func cancel() { queue.cancel(request: number) }
}
