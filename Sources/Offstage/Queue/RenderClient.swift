/// One of several clients that share a renderer, such as the users of a service.
///
/// Among waiting requests of one priority, the clients take turns: a client with a thousand requests does not hold up one with
/// a single request. A client with a share of 3 gets three drawings where others get one. When the queue is full, the client with
/// the most waiting drawings for its share loses one.
public struct RenderClient: Sendable, Hashable {
    /// Requests with the same name are the same client's.
    public let name: String
    /// From 1, the default, to 1000; other numbers count as the nearest of these.
    public let share: Int

    public init(_ name: String, share: Int = 1) {
        self.name = name
        self.share = min(max(share, 1), 1000)
    }

    /// All requests that name no client.
    static let anonymous = RenderClient("")
}
