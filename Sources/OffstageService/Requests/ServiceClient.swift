import Offstage

/// Who asks a service, and what it grants them.
package struct ServiceClient: Sendable, Hashable {
    /// With whom it takes turns.
    package var turns: RenderClient
    /// Requests that ask for more count as this.
    package var highestPriority: RenderPriority

    package init(_ turns: RenderClient, highestPriority: RenderPriority = .veryHigh) {
        self.turns = turns
        self.highestPriority = highestPriority
    }
}

extension ServiceRequest.Treatment {
    /// Has a request be the client's.
    mutating func belong(to client: ServiceClient) {
        self.client = client.turns
        priority = min(priority, client.highestPriority)
    }
}
