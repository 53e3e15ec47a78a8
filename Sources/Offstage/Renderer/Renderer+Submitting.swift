extension Renderer {
    /// What a request's turn brings.
    struct Job {
        /// Under which the pictures are kept; nil where they are not.
        var fingerprint: Fingerprint?
        /// As what they are kept.
        var kept: [ImageVariant] = []
        /// Nil for a picture that is to be drawn whoever else does.
        var lastLook: LastLook?
        /// Of the files that are made of it, where others may have stored these.
        var variants: [ImageVariant] = []
    }

    /// The only way to a picture: what is kept from before is looked for first, then the request waits for its turn.
    ///
    /// - Parameter answer: called once, on any thread.
    /// - Returns: the request's number.
    func submit(
        _ request: any DrawingRequest, _ options: RenderOptions,
        answer: @escaping @Sendable (Queue.State.Outcome) -> Void
    ) -> Int {
        let number = open(request, options, answer)
        guard request.medium == .pixels else {
            let reason = "a picture in memory is made of pixels; ask for files of it"
            queue.answer(number, .failure(.invalidRequest(reason)))
            return number
        }
        guard keeps, options.usesCache || options.storesResult, let fingerprint = fingerprint(of: request) else {
            enqueue(number, request, Job())
            return number
        }
        var job = Job()
        if options.storesResult {
            job.fingerprint = fingerprint
            job.kept = [.pixels(of: request)] + (options.thumbnail.map { [.thumbnail(of: request, $0)] } ?? [])
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
            if let (images, event) = await keptImages(as: .pixels(of: request), for: request, fingerprint) {
                return give(images, to: number, request, event)
            }
            var job = job
            if options.storesResult { job.lastLook = lastLook(for: request, fingerprint, number) }
            enqueue(number, request, job)
        }
        return number
    }

    /// As the other, without a first look for what is kept.
    func submit(
        _ request: any DrawingRequest, _ options: RenderOptions, _ job: Job,
        answer: @escaping @Sendable (Queue.State.Outcome) -> Void
    ) -> Int {
        let number = open(request, options, answer)
        enqueue(number, request, job)
        return number
    }

    private func open(
        _ request: any DrawingRequest, _ options: RenderOptions,
        _ answer: @escaping @Sendable (Queue.State.Outcome) -> Void
    ) -> Int {
        queue.open(request.identifier, options) { outcome in
            answer(outcome.map { $0.map { $0.named(request.identifier) } })
        }
    }

    private func lastLook(for request: any DrawingRequest, _ fingerprint: Fingerprint, _ number: Int) -> LastLook? {
        guard let store = configuration.store else { return nil }
        let claim = DrawingClaim(store.drawingLocks, for: fingerprint, as: [.pixels(of: request)])
        return LastLook(claim: claim) { [weak self, events = queue.events] in
            guard
                let (images, event) = await self?.keptImages(as: .pixels(of: request), for: request, fingerprint)
            else { return nil }
            events.emit(event, request.identifier, request: number)
            return images
        }
    }

    private func give(
        _ images: [RenderedImage], to number: Int, _ request: any DrawingRequest, _ event: RenderEvent.Kind
    ) {
        if let reason = request.refusal(of: images[0].warnings) { return queue.answer(number, .failure(reason)) }
        queue.events.emit(event, request.identifier, request: number)
        queue.answer(number, .success(images))
    }

    private func enqueue(_ number: Int, _ request: any DrawingRequest, _ job: Job) {
        guard let lane = lane(for: request) else {
            let problem = "the renderer has no engine for a request of type \(type(of: request))"
            let reason = EngineUnavailable(problem: problem, remedy: "make the renderer with one")
            return queue.answer(number, .failure(.unavailable(reason)))
        }
        let (events, clock) = (queue.events, configuration.clock)
        let key = request.sharedKey.map {
            DrawingKey(request: $0, looksAgain: job.lastLook != nil, variants: job.variants)
        }
        let check: Queue.State.Check = { [weak self] images in
            guard let self, let image = images.first else { return true }
            return await isCurrent(image.dependencies, for: request)
        }
        queue.enqueue(number, lane: lane.number, key: key, check: check) { [weak self] number in
            if let lastLook = job.lastLook {
                await lastLook.claim.take(by: clock)
                if let images = await lastLook.look() {
                    lastLook.claim.give()
                    let reason = images.first.flatMap { request.refusal(of: $0.warnings) }
                    return reason.map { .failure($0) } ?? .success(images)
                }
            }
            let outcome = await Self.draw(request, in: lane, events, number)
            if let self, let fingerprint = job.fingerprint, case .success(let images) = outcome {
                self.keep(
                    images, as: job.kept, fingerprint, request.identifier, request: number, job.lastLook?.claim)
            } else if job.variants.isEmpty {
                // Of files, who makes them gives it back.
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
