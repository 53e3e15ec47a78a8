import Synchronization

/// The entry point of the library: turns requests into pictures.
///
/// Unless its configuration has a memory cache or a store, a renderer caches nothing and draws every request again.
///
/// You can use it from any task and thread. Requests of all kinds wait in one queue, ordered by priority.
public final class Renderer: Sendable {
    typealias Queue = RenderQueue<DrawingKey, [RenderedPicture]>

    /// The engines, one for each kind of request.
    let lanes: [EngineLane]
    let queue: Queue
    package let configuration: RendererConfiguration
    /// The cache.
    let shelf: Shelf
    /// Observes the memory cache, the store and the system.
    let observation: RendererObservation
    /// Memory for pictures whose files are not stored yet. A drawing for files waits until enough is free.
    let drawnRoom: MemoryRoom
    /// Memory for files that are being encoded and stored.
    let filesRoom: MemoryRoom
    let recentFiles = RecentFiles()
    /// Shuts down the engines, once for all calls of `finish`.
    let ending = Mutex<Task<Void, Never>?>(nil)

    /// Without a configuration, the renderer has no cache: it draws every request again. Set `memory` and `store` of
    /// the configuration to cache pictures in memory and on disk; `Renderer.shared` of `OffstageWebKit` has both.
    ///
    /// - Parameters:
    ///   - engines: at least one, each for requests of another type. The renderer shuts them down in `finish`.
    ///   - configuration: the caches and limits; default no cache and no limit.
    public init(engines: [any Engine], configuration: RendererConfiguration = RendererConfiguration()) {
        lanes = engines.enumerated().map { EngineLane($1, number: $0) }
        self.configuration = configuration
        filesRoom = MemoryRoom(limit: configuration.workLimit)
        // Enough for all concurrent drawings, and for the pictures that are being encoded.
        let width = configuration.width ?? engines.map(\.capacity).max() ?? 1
        drawnRoom = MemoryRoom(limit: configuration.workLimit, admitted: width + filesRoom.admitted)
        queue = Queue(
            lanes: engines.map { Queue.Lane(width: $0.capacity, isolation: $0.isolation) }, configuration: configuration
        )
        shelf = Shelf(configuration, queue.events)
        observation = RendererObservation(configuration, shelf)
        if let store = configuration.store { for engine in engines { engine.use(store) } }
    }

    /// A renderer with one engine.
    public convenience init(engine: some Engine, configuration: RendererConfiguration = RendererConfiguration()) {
        self.init(engines: [engine], configuration: configuration)
    }

    /// The renderer's engine of a type; nil if it has none.
    public func engine<E: Engine>(_ type: E.Type = E.self) -> E? { lanes.lazy.compactMap { $0.engine as? E }.first }

    /// The picture for a request; the first, if the request asks for several parts.
    ///
    /// Cancelling the calling task cancels the request: it throws `.cancelled` immediately. A drawing in progress is completed, and
    /// its result discarded unless other requests wait for it.
    public func picture(
        for request: any DrawingRequest, options: RenderOptions = RenderOptions()
    ) async throws(RenderError) -> RenderedPicture {
        try await pictures(for: request, options: options)[0]
    }

    /// The pictures for a request: one, or one for each part, from a single drawing; in the order of the parts.
    public func pictures(
        for request: any DrawingRequest, options: RenderOptions = RenderOptions()
    ) async throws(RenderError) -> [RenderedPicture] {
        // Check before submitting the request, which might start before it could be cancelled.
        if Task.isCancelled { throw withdrawn(request, options) }
        return try await task(for: request, options: options).pictures
    }

    /// Like `pictures(for:options:)`, for a caller that has its own `RequestControl`.
    package func pictures(
        for request: any DrawingRequest, options: RenderOptions, control: RequestControl
    ) async throws(RenderError) -> [RenderedPicture] {
        if Task.isCancelled { throw withdrawn(request, options) }
        return try await task(for: request, control) { submit(request, options, answer: $0) }.pictures
    }

    /// The pictures from which to make files; empty if the job's second lookup has found the files.
    func pictures(
        for request: any DrawingRequest, _ options: RenderOptions, _ job: Job, _ control: RequestControl
    ) async throws(RenderError) -> [RenderedPicture] {
        if Task.isCancelled { throw withdrawn(request, options) }
        return try await task(for: request, control) { submit(request, options, job, answer: $0) }.pictures
    }

    /// Counts a request that was cancelled before its submission as submitted and cancelled.
    private func withdrawn(_ request: any DrawingRequest, _ options: RenderOptions) -> RenderError {
        queue.cancel(requests: [queue.open(request.identifier, options) { _ in }])
        return RenderError(identifier: request.identifier, reason: .cancelled)
    }

    /// Submits a request and returns immediately.
    public func task(for request: any DrawingRequest, options: RenderOptions = RenderOptions()) -> RenderTask<
        [RenderedPicture]
    > {
        task(for: request, RequestControl()) { submit(request, options, answer: $0) }
    }

    private func task(
        for request: any DrawingRequest, _ control: RequestControl,
        _ submit: (@escaping @Sendable (Queue.State.Outcome) -> Void) -> Int
    ) -> RenderTask<[RenderedPicture]> {
        let promise = Promise<Result<[RenderedPicture], RenderError>>()
        let number = submit { outcome in
            promise.keep(outcome.mapError { RenderError(identifier: request.identifier, reason: $0) })
        }
        control.attach(to: queue, number: number)
        return RenderTask(identifier: request.identifier, control: control, promise: promise)
    }
}
