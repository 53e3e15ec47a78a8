/// A submitted request for pictures (`[RenderedPicture]`) or files (`[RenderedFiles]`). It is drawn even if nobody waits for it.
public final class RenderTask<Value: Sendable>: Sendable {
    /// The request's identifier.
    public let identifier: String

    let control: RequestControl
    private let promise: Promise<Result<Value, RenderError>>

    init(identifier: String, control: RequestControl, promise: Promise<Result<Value, RenderError>>) {
        self.identifier = identifier
        self.control = control
        self.promise = promise
    }

    /// Waits for the pictures or files: one, or one for each part, in the order of the parts.
    ///
    /// If the task that waits here is cancelled, the request is cancelled.
    public var value: Value {
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

    /// True once the request has a value or an error.
    public var isOver: Bool { promise.valueIfKept != nil }

    /// The value, if the request already has one.
    var valueAtOnce: Value? { try? promise.valueIfKept?.get() }

    /// Changes the priority of a waiting request, but not its age. A drawing for several requests has the highest of their
    /// priorities.
    public func setPriority(_ priority: RenderPriority) { control.setPriority(priority) }

    /// Cancels the request unless it has ended: it fails with `.cancelled` immediately. A drawing that has begun is
    /// finished, and one for several requests continues for the others.
    public func cancel() { control.cancel() }
}

extension RenderTask<[RenderedPicture]> {
    /// Waits for the pictures: one, or one for each part, in the order of the parts.
    public var pictures: [RenderedPicture] {
        get async throws(RenderError) { try await value }
    }

    /// Waits for the picture. If the request asks for several parts, the first one.
    public var picture: RenderedPicture {
        get async throws(RenderError) { try await value[0] }
    }

    /// The picture, if the request already has one: a host can show it in the same frame.
    package var pictureAtOnce: RenderedPicture? { valueAtOnce?.first }
}
