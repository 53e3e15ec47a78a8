/// An engine for a renderer that draws requests of several types: the request's type is erased.
struct EngineLane: Sendable {
    let engine: any Engine
    /// Of the lane in the queue, from 0.
    let number: Int
    private let requestType: ObjectIdentifier
    private let drawing: @Sendable (any DrawingRequest) async throws(DrawingError) -> Drawing
    private let fingerprinting: @Sendable (any DrawingRequest) -> Fingerprint?
    private let digesting: @Sendable (_ path: String, any DrawingRequest) async -> Digest?

    init(_ engine: some Engine, number: Int) { self.init(engine: engine, number) }

    private init<E: Engine>(engine: E, _ number: Int) {
        self.engine = engine
        self.number = number
        requestType = ObjectIdentifier(E.Request.self)
        // `draws` is asked first, so the casts cannot fail.
        drawing = { request async throws(DrawingError) in try await engine.draw(request as! E.Request) }
        fingerprinting = { engine.fingerprint(of: $0 as! E.Request) }
        digesting = { await engine.digest(of: $0, for: $1 as! E.Request) }
    }

    func draws(_ request: any DrawingRequest) -> Bool { ObjectIdentifier(type(of: request)) == requestType }

    nonisolated(nonsending) func draw(_ request: any DrawingRequest) async throws(DrawingError) -> Drawing {
        try await drawing(request)
    }

    func fingerprint(of request: any DrawingRequest) -> Fingerprint? { fingerprinting(request) }
    func digest(of path: String, for request: any DrawingRequest) async -> Digest? { await digesting(path, request) }
}

extension Renderer {
    /// The engine for a request; nil if the renderer has none.
    func lane(for request: any DrawingRequest) -> EngineLane? { lanes.first { $0.draws(request) } }

    /// What decides the pixels of a request's picture, but for the files that it loads; nil for a picture that is not to be cached.
    package func fingerprint(of request: any DrawingRequest) -> Fingerprint? {
        lane(for: request)?.fingerprint(of: request)
    }

    /// The present content of a file that a drawing of the request used; nil if it is missing.
    func digest(of path: String, for request: any DrawingRequest) async -> Digest? {
        await lane(for: request)?.digest(of: path, for: request)
    }
}
