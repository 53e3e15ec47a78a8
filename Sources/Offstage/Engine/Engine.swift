/// Draws one kind of request into pixels.
///
/// The queue calls `draw` for at most `capacity` requests at a time and from any thread; an engine that needs a thread of
/// its own hops there. One request's failure must leave the engine able to draw the next.
public protocol Engine<Request>: Sendable {
    associatedtype Request: DrawingRequest

    /// How many drawings may be under way at once.
    var capacity: Int { get }

    /// Draws a request. Not cancellable: what was started is finished.
    func draw(_ request: Request) async throws(DrawingError) -> Drawing

    /// Ends what the engine started: helper processes, windows. No drawing may be under way; none may follow.
    func shutDown() async
}
