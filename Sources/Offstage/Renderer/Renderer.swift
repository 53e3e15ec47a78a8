import Synchronization

/// The front of the library: a request goes in, its picture comes out.
///
/// It may be used from any task and thread. Requests wait in a queue, by priority, and are drawn as the engine has room.
public final class Renderer<E: Engine>: Sendable {
    typealias Queue = RenderQueue<DrawingKey<E.Request.CoalescingKey>, [RenderedImage]>

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

    /// The pictures that files are to be made of; none where the job's last look has found the files.
    func images(
        for request: E.Request, _ options: RenderOptions, _ job: Job
    ) async throws(RenderError) -> [RenderedImage] {
        if Task.isCancelled { throw RenderError(identifier: request.identifier, reason: .cancelled) }
        return try await task(for: request) { self.submit(request, options, job, answer: $0) }.images
    }

    /// Takes a request in and returns at once; the task has the pictures later.
    public func task(for request: E.Request, options: RenderOptions = RenderOptions()) -> RenderTask {
        task(for: request) { submit(request, options, answer: $0) }
    }

    private func task(
        for request: E.Request, _ submit: (@escaping @Sendable (Queue.State.Outcome) -> Void) -> Int
    ) -> RenderTask {
        let promise = Promise<Result<[RenderedImage], RenderError>>()
        let number = submit { outcome in
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
        let number = open(request, options, answer)
        guard keeps, options.usesCache || options.storesResult, let fingerprint = engine.fingerprint(of: request) else {
            enqueue(number, request, Job())
            return number
        }
        var job = Job()
        if options.storesResult {
            job.fingerprint = fingerprint
            job.kept += options.thumbnail.map { [.thumbnail($0)] } ?? []
        }
        guard options.usesCache else {
            enqueue(number, request, job)
            return number
        }
        if let images = imagesAtOnce(for: request, fingerprint) {
            give(images, to: number, request, .hitInMemory)
            return number
        }
        Task { [job] in
            if let (images, event) = await keptImages(for: request, fingerprint) {
                return give(images, to: number, request, event)
            }
            var job = job
            if options.storesResult { job.lastLook = lastLook(for: request, fingerprint, number) }
            enqueue(number, request, job)
        }
        return number
    }

    /// As `submit`, without a look for what is kept but the last one.
    func submit(
        _ request: E.Request, _ options: RenderOptions, _ job: Job,
        answer: @escaping @Sendable (Queue.State.Outcome) -> Void
    ) -> Int {
        let number = open(request, options, answer)
        enqueue(number, request, job)
        return number
    }

    private func open(
        _ request: E.Request, _ options: RenderOptions, _ answer: @escaping @Sendable (Queue.State.Outcome) -> Void
    ) -> Int {
        queue.open(request.identifier, options) { outcome in
            answer(outcome.map { $0.map { $0.named(request.identifier) } })
        }
    }

    private func lastLook(for request: E.Request, _ fingerprint: Fingerprint, _ number: Int) -> LastLook? {
        guard let store = configuration.store else { return nil }
        let claim = DrawingClaim(store.drawingLocks, for: fingerprint, as: [.pixels])
        return LastLook(claim: claim) { [weak self, events = queue.events] in
            guard let (images, event) = await self?.keptImages(for: request, fingerprint) else { return nil }
            events.emit(event, request.identifier, request: number)
            return images
        }
    }

    private func give(_ images: [RenderedImage], to number: Int, _ request: E.Request, _ event: RenderEvent.Kind) {
        if let reason = request.refusal(of: images[0].warnings) { return queue.answer(number, .failure(reason)) }
        queue.events.emit(event, request.identifier, request: number)
        queue.answer(number, .success(images))
    }

    /// What is done with a drawing.
    struct Job {
        /// Under which it is kept; nil for one that is not.
        var fingerprint: Fingerprint?
        /// As what.
        var kept: [ImageVariant] = [.pixels]
        /// Nil for a picture that is to be drawn whoever else does.
        var lastLook: LastLook?
        /// Of files that are made of it.
        var variants: [ImageVariant] = []
    }

    private func enqueue(_ number: Int, _ request: E.Request, _ job: Job) {
        let (engine, events, clock) = (engine, queue.events, configuration.clock)
        let key = request.coalescingKey.map {
            DrawingKey(request: $0, looksAgain: job.lastLook != nil, variants: job.variants)
        }
        queue.enqueue(number, key: key) { [weak self] number in
            if let lastLook = job.lastLook {
                await lastLook.claim.take(by: clock)
                if let images = await lastLook.look() {
                    lastLook.claim.give()
                    return (images.first.flatMap { request.refusal(of: $0.warnings) }).map { .failure($0) }
                        ?? .success(images)
                }
            }
            let outcome = await Self.draw(request, by: engine, events, number)
            if let self, let fingerprint = job.fingerprint, case .success(let images) = outcome {
                self.keep(
                    images, as: job.kept, fingerprint, request.identifier, request: number, job.lastLook?.claim)
            } else if job.variants.isEmpty {
                job.lastLook?.claim.give()
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
