/// Draws one type of request into pixels.
///
/// The queue calls `draw` for at most `capacity` requests at a time, on any thread. An engine that needs a particular
/// thread switches to it. After a failed request, the engine must be able to draw the next one.
public protocol Engine<Request>: Sendable {
    associatedtype Request: DrawingRequest

    /// The maximum number of drawings at the same time.
    var capacity: Int { get }

    /// The actor on which `draw` runs; nil, the default, for none. The queue also runs on it between drawings.
    var isolation: (any Actor)? { get }

    /// The number of processes that the engine replaced because they crashed, hung or exceeded a limit. Default 0.
    @MainActor var restarts: Int { get }

    /// Draws a request. Not cancellable: a started drawing is finished.
    func draw(_ request: Request) async throws(DrawingError) -> Drawing

    /// Identifies everything that decides the pixels of a request's picture, including the engine and the machine, but
    /// not the files that the drawing would load. Nil for a picture that must not be cached. Called on any thread,
    /// possibly before the engine has started.
    func fingerprint(of request: Request) -> Fingerprint?

    /// The current content of a file that a drawing of this request used; nil if it is missing. Called on any thread.
    func digest(of path: String, for request: Request) async -> Digest?

    /// Lends the engine the renderer's store, for data that other pictures of the same source also need, such as the
    /// peaks of a sound. The renderer calls it once, before the first drawing, if it has a store. Default: the engine
    /// does not use it.
    func use(_ store: PictureStore)

    /// Ends everything that the engine started, such as processes and windows. Drawings in progress fail at once if the
    /// engine can end them. No drawings may follow. Further calls are allowed.
    func shutDown() async
}

extension Engine {
    public var isolation: (any Actor)? { nil }
    @MainActor public var restarts: Int { 0 }
    public func use(_ store: PictureStore) {}
    public func fingerprint(of request: Request) -> Fingerprint? { nil }
    public func digest(of path: String, for request: Request) async -> Digest? { nil }
}
