/// Draws one kind of request into pixels.
///
/// The queue calls `draw` for at most `capacity` requests at a time and from any thread; an engine that needs a thread of
/// its own hops there. One request's failure must leave the engine able to draw the next.
public protocol Engine<Request>: Sendable {
    associatedtype Request: DrawingRequest

    /// How many drawings may be under way at once.
    var capacity: Int { get }

    /// The actor that `draw` runs on; nil, the default, for none. From one drawing to the next, the queue goes on there.
    var isolation: (any Actor)? { get }

    /// How many of its processes it has replaced because they crashed, hung or took too much; default 0.
    @MainActor var restarts: Int { get }

    /// Draws a request. Not cancellable: what was started is finished.
    func draw(_ request: Request) async throws(DrawingError) -> Drawing

    /// What decides the pixels of a request's picture, the engine and its machine included, but for the files that it would
    /// load; nil for a picture that is not to be kept. Called from any thread, also before the engine has started.
    func fingerprint(of request: Request) -> Fingerprint?

    /// The present content of a file that a drawing of this request used; nil where it is missing. From any thread.
    func digest(of path: String, for request: Request) async -> Digest?

    /// Ends what the engine started: helper processes, windows. No drawing may be under way; none may follow.
    func shutDown() async
}

extension Engine {
    public var isolation: (any Actor)? { nil }
    @MainActor public var restarts: Int { 0 }
    public func fingerprint(of request: Request) -> Fingerprint? { nil }
    public func digest(of path: String, for request: Request) async -> Digest? { nil }
}
