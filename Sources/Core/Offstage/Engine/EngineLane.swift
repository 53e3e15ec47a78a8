/// An engine for a renderer that draws requests of several types: the request's type is erased.
struct EngineLane: Sendable {
    let engine: any Engine
    /// The lane's index in the queue.
    let number: Int
    private let requestType: ObjectIdentifier
    // Runs on the caller's actor: the queue begins a drawing on the engine's actor, and each change of thread costs a
    // wake-up.
    private let drawing: nonisolated(nonsending) @Sendable (any DrawingRequest) async throws(DrawingError) -> Drawing
    private let fingerprinting: @Sendable (any DrawingRequest) -> Fingerprint?
    private let digesting: nonisolated(nonsending) @Sendable (_ path: String, any DrawingRequest) async -> Digest?

    init(_ engine: some Engine, number: Int) { self.init(engine: engine, number) }

    private init<E: Engine>(engine: E, _ number: Int) {
        self.engine = engine
        self.number = number
        requestType = ObjectIdentifier(E.Request.self)
        drawing = { request async throws(DrawingError) in
            guard let request = request as? E.Request else { throw .engineFailed("it draws only \(E.Request.self)") }
            return try await engine.draw(request)
        }
        fingerprinting = { ($0 as? E.Request).flatMap(engine.fingerprint) }
        digesting = { path, request in
            guard let request = request as? E.Request else { return nil }
            return await engine.digest(of: path, for: request)
        }
    }

    /// The lane for requests over whose drawings another engine draws. It uses the slots of the lane below.
    ///
    /// - Returns: nil if the engine above cannot draw over other drawings.
    init?(_ below: EngineLane, under above: EngineLane) {
        guard let engine = above.engine as? any OverlayEngine else { return nil }
        self.init(below, engine)
    }

    private init<E: OverlayEngine>(_ below: EngineLane, _ above: E) {
        (engine, number) = (below.engine, below.number)
        requestType = ObjectIdentifier(OverlaidRequest.self)
        drawing = { request async throws(DrawingError) in
            guard let request = request as? OverlaidRequest, let over = request.above as? E.Request else {
                throw .engineFailed("it draws only \(E.Request.self)")
            }
            return try await above.draw(over, over: below.draw(request.below))
        }
        fingerprinting = { request in
            guard let request = request as? OverlaidRequest, let over = request.above as? E.Request,
                let first = below.fingerprint(of: request.below), let second = above.fingerprint(of: over)
            else { return nil }
            return Fingerprint(first, under: second)
        }
        digesting = { path, request in
            guard let request = request as? OverlaidRequest else { return nil }
            return await below.digest(of: path, for: request.below)
        }
    }

    /// The lane for requests whose pictures are fitted into boxes after another lane has drawn them.
    init(boxing whole: EngineLane) {
        (engine, number) = (whole.engine, whole.number)
        requestType = ObjectIdentifier(BoxedRequest.self)
        drawing = { request async throws(DrawingError) in
            guard let boxed = request as? BoxedRequest else { throw .engineFailed("it draws only pictures in boxes") }
            return try await boxed.drawing { request async throws(DrawingError) in try await whole.draw(request) }
        }
        fingerprinting = { request in
            guard let boxed = request as? BoxedRequest else { return nil }
            return whole.fingerprint(of: boxed.whole).map { Fingerprint($0, in: boxed.box) }
        }
        digesting = { path, request in
            guard let boxed = request as? BoxedRequest else { return nil }
            return await whole.digest(of: path, for: boxed.whole)
        }
    }

    func draws(_ request: any DrawingRequest) -> Bool { ObjectIdentifier(type(of: request)) == requestType }

    nonisolated(nonsending) func draw(_ request: any DrawingRequest) async throws(DrawingError) -> Drawing {
        try await drawing(request)
    }

    /// - Parameter client: the engine's `RenderClient.current`.
    nonisolated(nonsending) func draw(
        _ request: any DrawingRequest, for client: RenderClient?
    ) async throws(DrawingError) -> Drawing {
        try await RenderClient.$current.withValue(client) { () async -> Result<Drawing, DrawingError> in
            do throws(DrawingError) { return .success(try await drawing(request)) } catch { return .failure(error) }
        }.get()
    }

    func fingerprint(of request: any DrawingRequest) -> Fingerprint? { fingerprinting(request) }

    nonisolated(nonsending) func digest(of path: String, for request: any DrawingRequest) async -> Digest? {
        await digesting(path, request)
    }

    /// True if the files that a drawing of the request used have the same content now.
    nonisolated(nonsending) func isCurrent(_ dependencies: [Dependency], for request: any DrawingRequest) async -> Bool
    {
        for one in dependencies where await digesting(one.path, request) != one.digest { return false }
        return true
    }
}
