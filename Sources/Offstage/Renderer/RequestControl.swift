import Synchronization

/// The part of a queue, of this machine or of several, that a request's owner uses.
package protocol RequestControlling: AnyObject, Sendable {
    func setPriority(_ priority: RenderPriority, ofRequest number: Int)
    func cancel(request number: Int)
    /// True if the request waits for the end of a suspension.
    func isSuspended(request number: Int) -> Bool
}

/// Cancels a request and changes its priority, even before the request is in the queue, and for all of its drawings if it needs
/// several.
package final class RequestControl: Sendable {
    private struct State {
        var isCancelled = false
        var priority: RenderPriority?
        var present: (queue: any RequestControlling, number: Int)?
    }

    private let state = Mutex(State())

    package init() {}

    package func cancel() {
        let present = state.withLock { state in
            state.isCancelled = true
            return state.present
        }
        if let present { present.queue.cancel(request: present.number) }
    }

    package func setPriority(_ priority: RenderPriority) {
        let present = state.withLock { state in
            state.priority = priority
            return state.present
        }
        if let present { present.queue.setPriority(priority, ofRequest: present.number) }
    }

    /// True if the request waits for the end of a suspension.
    package var isSuspended: Bool {
        state.withLock { $0.present }.map { $0.queue.isSuspended(request: $0.number) } ?? false
    }

    /// Call it when the request is in the queue, with its number there. Earlier calls take effect now.
    package func attach(to queue: any RequestControlling, number: Int) {
        let (isCancelled, priority) = state.withLock { state in
            state.present = (queue, number)
            return (state.isCancelled, state.priority)
        }
        if isCancelled { return queue.cancel(request: number) }
        if let priority { queue.setPriority(priority, ofRequest: number) }
    }
}
