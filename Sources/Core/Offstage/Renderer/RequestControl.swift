import Synchronization

/// The part of a queue, of this machine or of several, that a request's owner uses.
package protocol RequestControlling: AnyObject, Sendable {
    func setPriority(_ priority: RenderPriority, ofRequest number: Int)
    func cancel(requests numbers: [Int])
    /// Returns true if the request waits for the end of a suspension.
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

    package func cancel() { Self.cancel([self]) }

    /// Cancels requests together, with one change of each queue.
    static func cancel(_ controls: some Sequence<RequestControl>) {
        var numbers: [ObjectIdentifier: (queue: any RequestControlling, numbers: [Int])] = [:]
        for control in controls {
            let present = control.state.withLock { state in
                state.isCancelled = true
                return state.present
            }
            guard let (queue, number) = present else { continue }
            numbers[ObjectIdentifier(queue), default: (queue, [])].numbers.append(number)
        }
        for one in numbers.values { one.queue.cancel(requests: one.numbers) }
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

    /// Call this when the request is in the queue, with its number there. Earlier calls take effect now.
    package func attach(to queue: any RequestControlling, number: Int) {
        let (isCancelled, priority) = state.withLock { state in
            state.present = (queue, number)
            return (state.isCancelled, state.priority)
        }
        if isCancelled { return queue.cancel(requests: [number]) }
        if let priority { queue.setPriority(priority, ofRequest: number) }
    }
}
