import Synchronization

/// The front of the library: a request goes in, its picture comes out.
///
/// Unless its configuration has a memory cache or a store, a renderer caches nothing and draws every request again.
///
/// It may be used from any task and thread. Requests of all kinds wait in one queue, by priority, and are drawn as their engines have
/// room.
public final class Renderer: Sendable {
    typealias Queue = RenderQueue<DrawingKey, [RenderedImage]>

    /// One for each kind of request.
    let lanes: [EngineLane]
    let queue: Queue
    package let configuration: RendererConfiguration
    /// The cache.
    let shelf: Shelf
    /// What it is told by the memory, the store and the system.
    let observation: RendererObservation
    /// Ends the engines, once, for all who call `finish`.
    let ending = Mutex<Task<Void, Never>?>(nil)

    /// Without a configuration the renderer has no cache: it draws every request again. Set `memory` and `store` of the
    /// configuration to cache pictures in memory and on disk; `Renderer.shared` of `OffstageWebKit` has both.
    ///
    /// - Parameters:
    ///   - engines: at least one, each for requests of another type. The renderer shuts them down in `finish`.
    ///   - configuration: the caches, and how many requests may wait; default no cache, and any number.
    public init(engines: [any Engine], configuration: RendererConfiguration = RendererConfiguration()) {
        lanes = engines.enumerated().map { EngineLane($1, number: $0) }
        self.configuration = configuration
        queue = Queue(
            lanes: engines.map { Queue.Lane(width: $0.capacity, isolation: $0.isolation) }, configuration: configuration
        )
        shelf = Shelf(configuration, queue.events)
        observation = RendererObservation(configuration, queue.events)
    }

    /// A renderer with one engine.
    public convenience init(engine: some Engine, configuration: RendererConfiguration = RendererConfiguration()) {
        self.init(engines: [engine], configuration: configuration)
    }

    /// The renderer's engine of a type; nil if it has none.
    public func engine<E: Engine>(_ type: E.Type = E.self) -> E? { lanes.lazy.compactMap { $0.engine as? E }.first }

    /// The picture for a request; the first, where the request asks for several parts.
    ///
    /// Cancelling the calling task withdraws the request: it throws `.cancelled` at once, and a drawing that had begun is
    /// finished and dropped, unless others wait for it.
    public func image(
        for request: any DrawingRequest, options: RenderOptions = RenderOptions()
    ) async throws(RenderError) -> RenderedImage {
        try await images(for: request, options: options)[0]
    }

    /// The pictures for a request: one, or one a part, from one drawing; in the order of the parts.
    public func images(
        for request: any DrawingRequest, options: RenderOptions = RenderOptions()
    ) async throws(RenderError) -> [RenderedImage] {
        // Looked at before the request is there: it might start before it can be withdrawn.
        if Task.isCancelled { throw withdrawn(request, options) }
        return try await task(for: request, options: options).images
    }

    /// Like `images(for:options:)`, for a caller that has a control of its own.
    package func images(
        for request: any DrawingRequest, options: RenderOptions, control: RequestControl
    ) async throws(RenderError) -> [RenderedImage] {
        if Task.isCancelled { throw withdrawn(request, options) }
        return try await task(for: request, control) { submit(request, options, answer: $0) }.images
    }

    /// The pictures to make files of; empty if the job's last look has found the files.
    func images(
        for request: any DrawingRequest, _ options: RenderOptions, _ job: Job, _ control: RequestControl
    ) async throws(RenderError) -> [RenderedImage] {
        if Task.isCancelled { throw withdrawn(request, options) }
        return try await task(for: request, control) { submit(request, options, job, answer: $0) }.images
    }

    /// Counts a request that was cancelled before it was there as one that was asked for and cancelled.
    private func withdrawn(_ request: any DrawingRequest, _ options: RenderOptions) -> RenderError {
        queue.cancel(request: queue.open(request.identifier, options) { _ in })
        return RenderError(identifier: request.identifier, reason: .cancelled)
    }

    /// Takes a request in and returns at once; the task has the pictures later.
    public func task(for request: any DrawingRequest, options: RenderOptions = RenderOptions()) -> RenderTask<
        [RenderedImage]
    > {
        task(for: request, RequestControl()) { submit(request, options, answer: $0) }
    }

    private func task(
        for request: any DrawingRequest, _ control: RequestControl,
        _ submit: (@escaping @Sendable (Queue.State.Outcome) -> Void) -> Int
    ) -> RenderTask<[RenderedImage]> {
        let promise = Promise<Result<[RenderedImage], RenderError>>()
        let number = submit { outcome in
            promise.keep(outcome.mapError { RenderError(identifier: request.identifier, reason: $0) })
        }
        control.attach(to: queue, number: number)
        return RenderTask(identifier: request.identifier, control: control, promise: promise)
    }
}
