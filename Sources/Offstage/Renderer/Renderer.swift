import Synchronization

/// The front of the library: a request goes in, its picture comes out.
///
/// It may be used from any task and thread. Requests wait in a queue, by priority, and are drawn as the engine has room.
public final class Renderer<E: Engine>: Sendable {
    typealias Queue = RenderQueue<E.Request.CoalescingKey, [RenderedImage]>

    /// What draws.
    public let engine: E
    let queue: Queue
    let configuration: RendererConfiguration
    /// Pictures on their way to the disk.
    let errands = Errands()
    /// What it is told by the memory, the store and the system.
    let observation: RendererObservation
    /// Ends the engine, once, for all who call `finish`.
    let ending = Mutex<Task<Void, Never>?>(nil)

    /// - Parameter engine: what draws; the renderer shuts it down in `finish`.
    public init(engine: E, configuration: RendererConfiguration = RendererConfiguration()) {
        self.engine = engine
        self.configuration = configuration
        queue = Queue(width: engine.capacity, configuration: configuration)
        observation = RendererObservation(configuration, queue.events)
    }

    /// The picture for a request; the first, where the request asks for several parts.
    ///
    /// Cancelling the calling task withdraws the request: it throws `.cancelled` at once, and a drawing that had begun is
    /// finished and dropped, unless others wait for it.
    public func image(
        for request: E.Request, options: RenderOptions = RenderOptions()
    ) async throws(RenderError) -> RenderedImage {
        try await images(for: request, options: options)[0]
    }

    /// The pictures for a request: one, or one a part, from one drawing; in the order of the parts.
    public func images(
        for request: E.Request, options: RenderOptions = RenderOptions()
    ) async throws(RenderError) -> [RenderedImage] {
        // Looked at before the request is there: it might start before it can be withdrawn.
        if Task.isCancelled { throw RenderError(identifier: request.identifier, reason: .cancelled) }
        return try await task(for: request, options: options).images
    }

    /// Takes a request in and returns at once; the task has the pictures later.
    public func task(for request: E.Request, options: RenderOptions = RenderOptions()) -> RenderTask {
        let promise = Promise<Result<[RenderedImage], RenderError>>()
        let number = submit(request, options) { outcome in
            promise.keep(outcome.mapError { RenderError(identifier: request.identifier, reason: $0) })
        }
        return RenderTask(identifier: request.identifier, number: number, queue: queue, promise: promise)
    }

    /// The only way to a picture: what is kept from before is looked for first, then the request waits for its turn.
    ///
    /// - Parameter answer: called once, on any thread.
    /// - Returns: the request's number.
    func submit(
        _ request: E.Request, _ options: RenderOptions, answer: @escaping @Sendable (Queue.State.Outcome) -> Void
    ) -> Int {
        let number = queue.open(request.identifier, options) { outcome in
            answer(outcome.map { $0.map { $0.named(request.identifier) } })
        }
        guard keeps, options.usesCache || options.storesResult, let fingerprint = engine.fingerprint(of: request) else {
            enqueue(number, request, options, keepingUnder: nil)
            return number
        }
        let kept = options.storesResult ? fingerprint : nil
        guard options.usesCache else {
            enqueue(number, request, options, keepingUnder: kept)
            return number
        }
        if let images = imagesAtOnce(for: request, fingerprint) {
            give(images, to: number, request, .hitInMemory)
            return number
        }
        Task {
            if let (images, event) = await keptImages(for: request, fingerprint) {
                give(images, to: number, request, event)
            } else {
                enqueue(number, request, options, keepingUnder: kept)
            }
        }
        return number
    }

    private func give(_ images: [RenderedImage], to number: Int, _ request: E.Request, _ event: RenderEvent.Kind) {
        if let reason = request.refusal(of: images[0].warnings) { return queue.answer(number, .failure(reason)) }
        queue.events.emit(event, request.identifier, request: number)
        queue.answer(number, .success(images))
    }

    private func enqueue(
        _ number: Int, _ request: E.Request, _ options: RenderOptions, keepingUnder fingerprint: Fingerprint?
    ) {
        let (engine, events) = (engine, queue.events)
        let variants = [ImageVariant.pixels] + (options.thumbnail.map { [.thumbnail($0)] } ?? [])
        queue.enqueue(number, key: request.coalescingKey) { [weak self] job in
            let outcome = await Self.draw(request, by: engine, events, job)
            if let fingerprint, case .success(let images) = outcome {
                self?.keep(images, as: variants, fingerprint, request.identifier, request: job)
            }
            return outcome
        }
    }
}

extension RenderedImage {
    /// The same for another request, which shared the drawing.
    fileprivate func named(_ identifier: String) -> RenderedImage {
        var image = self
        image.identifier = identifier
        return image
    }
}
