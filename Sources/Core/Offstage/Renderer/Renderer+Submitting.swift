extension Renderer {
    /// The work for a request after it has left the queue.
    struct Job {
        /// The request with its cache key; nil if the drawing's pictures are not cached.
        var keyed: KeyedRequest?
        /// The variants to cache.
        var kept: [FileVariant] = []
        /// Nil for a picture that is drawn even if others draw it, too.
        var lastLook: LastLook?
        /// The files to make, if others may have stored them meanwhile.
        var variants: [FileVariant] = []
        /// The client for which it is drawn.
        var client: RenderClient?
        /// True if the caller makes files of the pictures, and then no longer needs the pictures.
        var isForFiles = false
    }

    /// The only way to a picture: a lookup, then the queue.
    ///
    /// - Parameter answer: called once, on any thread.
    /// - Returns: the request's number.
    func submit(
        _ request: any DrawingRequest, _ options: RenderOptions,
        answer: @escaping @Sendable (Queue.State.Outcome) -> Void
    ) -> Int {
        let number = open(request, options) { answer($0.map { $0.map(\.withoutShare) }) }
        guard request.medium == .pixels else {
            let reason = "a picture in memory consists of pixels; request files of a vector picture instead"
            queue.answer(number, .failure(.invalidRequest(reason)))
            return number
        }
        var job = Job()
        job.client = options.client
        guard shelf.holdsPictures, options.usesCache || options.storesResult, let keyed = keyed(request) else {
            enqueue(number, request, job)
            return number
        }
        let pixels = FileVariant.pixels(of: request)
        if options.storesResult {
            job.keyed = keyed
            job.kept = [pixels] + (options.thumbnail.map { [.thumbnail(of: request, $0)] } ?? [])
        }
        guard options.usesCache else {
            enqueue(number, request, job)
            return number
        }
        if let found = shelf.picturesAtOnce(for: keyed, as: pixels) {
            give(found, to: number, request)
            return number
        }
        Task { [job] in
            if let found = await shelf.pictures(for: keyed, as: pixels) { return give(found, to: number, request) }
            var job = job
            if options.storesResult { job.lastLook = lastLook(for: keyed, as: pixels, number) }
            enqueue(number, request, job)
        }
        return number
    }

    /// Submits a request whose lookup the caller has done.
    func submit(
        _ request: any DrawingRequest, _ options: RenderOptions, _ job: Job,
        answer: @escaping @Sendable (Queue.State.Outcome) -> Void
    ) -> Int {
        let number = open(request, options, answer)
        var job = job
        job.client = options.client
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

    private func lastLook(for keyed: KeyedRequest, as pixels: FileVariant, _ number: Int) -> LastLook? {
        guard let store = shelf.store else { return nil }
        let claim = DrawingClaim(store.drawingLocks, for: keyed.fingerprint, as: [pixels])
        return LastLook(claim: claim, shared: shelf.sharedWork(keyed, as: [pixels])) { [shelf] in
            guard let found = await shelf.pictures(for: keyed, as: pixels) else { return nil }
            shelf.report(found, of: keyed.identifier, request: number)
            return found.outcome
        }
    }

    private func give(_ found: Shelf.Found<[RenderedPicture]>, to number: Int, _ request: any DrawingRequest) {
        shelf.report(found, of: request.identifier, request: number)
        queue.answer(number, found.outcome)
    }

    private func enqueue(_ number: Int, _ request: any DrawingRequest, _ job: Job) {
        guard let lane = lane(for: request) else {
            let problem = "the renderer has no engine for a request of type \(type(of: request))"
            let reason = EngineUnavailable(problem: problem, remedy: "create the renderer with such an engine")
            return queue.answer(number, .failure(.unavailable(reason)))
        }
        let (shelf, clock, drawnRoom) = (shelf, configuration.clock, drawnRoom)
        let key = request.sharedKey.map {
            DrawingKey(request: $0, looksAgain: job.lastLook != nil, variants: job.variants)
        }
        let check: Queue.State.Check = { images in
            guard let image = images.first else { return true }
            return await lane.isCurrent(image.dependencies, for: request)
        }
        queue.enqueue(number, lane: lane.number, key: key, check: check) { number in
            if let outcome = await job.lastLook?.take(by: clock) { return outcome }
            let outcome: Queue.State.Outcome
            if job.isForFiles {
                let place = await drawnRoom.share(0).share
                outcome = await Self.draw(request, of: job.client, in: lane, shelf.events, number).map {
                    $0.sharing(drawnRoom)
                }
                withExtendedLifetime(place) {}
            } else {
                outcome = await Self.draw(request, of: job.client, in: lane, shelf.events, number)
            }
            if let keyed = job.keyed, case .success(let images) = outcome {
                shelf.keep(images, as: job.kept, keyed, request: number, job.lastLook)
            } else if case .failure(let failure) = outcome {
                job.lastLook?.give(failure)
            } else if job.variants.isEmpty {
                // A caller that makes files gives back the rights itself.
                job.lastLook?.give()
            }
            return outcome
        }
    }
}

extension RenderedPicture {
    /// The picture for another request that shared the drawing.
    fileprivate func named(_ identifier: String) -> RenderedPicture {
        var image = self
        image.identifier = identifier
        return image
    }
}
