/// One of several clients that share a renderer, such as the users of a service.
///
/// Among waiting requests of the same priority, each client gets a fair share, so a client with a thousand requests
/// does not delay a client with one. A client with a share of 3 gets three drawings for each drawing of another client.
/// When the queue is full, the client with the most waiting drawings relative to its share loses one.
public struct RenderClient: Sendable, Hashable {
    /// Requests with the same name belong to the same client.
    public let name: String
    /// 1, the default, to 1000. Values outside are clamped.
    public let share: Int
    /// True if several clients' requests share their turns under this name.
    package var isSeveral = false

    public init(_ name: String, share: Int = 1) {
        self.name = name
        self.share = min(max(share, 1), 1000)
    }

    /// The client that the current task works for; nil for a client without a name. Read by engines whose processes
    /// belong to a client.
    @TaskLocal package static var current: RenderClient?

    /// The client of all requests that do not name one.
    static let anonymous = RenderClient("")
}
