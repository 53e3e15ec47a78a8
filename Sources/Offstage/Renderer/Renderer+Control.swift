/// What becomes of the requests that are not drawn yet when a renderer is finished.
public enum PendingRequests: Sendable {
    /// They are drawn first. While the renderer is suspended, that takes until it is not any more.
    case drawn
    /// They fail with `.cancelled` at once.
    case cancelled
}

extension Renderer {
    // MARK: Suspension

    /// While true nothing new starts; what runs is finished. Requests marked immediate may pass
    /// (`RendererConfiguration.allowsImmediate`).
    ///
    /// Setting it is like a lease that has no end: true takes one, false ends that one. It stays true while others hold leases.
    public var isSuspended: Bool {
        get { queue.isSuspended }
        set { queue.isSuspended = newValue }
    }

    /// Lets nothing new start until the lease is ended, its time is over, or it is let go; a renderer starts again when its
    /// last lease has ended.
    ///
    /// - Parameter duration: after which the lease ends by itself, so that a host that forgets it does not stop the renderer
    ///   for good. Nil, the default, for never.
    public func suspend(for duration: Duration? = nil) -> SuspensionLease { queue.suspend(for: duration) }

    // MARK: Cancelling

    // Each request that is meant and has no answer yet fails with `.cancelled`, at once. What runs is finished.

    /// Withdraws the requests of this identifier.
    public func cancel(identifier: String) { queue.cancel(identifier: identifier) }

    /// Withdraws the requests whose identifiers begin so: a row's jobs, a folder's.
    public func cancel(identifiersWithPrefix prefix: String) { queue.cancel(identifiersWithPrefix: prefix) }

    /// Withdraws the requests that were given this group in their `RenderOptions`.
    public func cancel(group: String) { queue.cancel(group: group) }

    public func cancelAll() { queue.cancelAll() }

    // MARK: Priorities

    // As `RenderTask.setPriority` does for one request, for those that have no answer yet.

    /// Moves the requests of this identifier.
    public func setPriority(_ priority: RenderPriority, identifier: String) {
        queue.setPriority(priority, identifier: identifier)
    }

    /// Moves the requests that were given this group in their `RenderOptions`.
    public func setPriority(_ priority: RenderPriority, group: String) { queue.setPriority(priority, group: group) }

    // MARK: Memory

    /// Lets go of pictures and files in `RendererConfiguration.memory` and `files`, the least recently used first, until no more than a part of its
    /// limits is in use. They are on disk still, where there is a store; what hosts hold stays.
    ///
    /// - Parameter fraction: from 0, the default, for all to go, to 1 for nothing to.
    public func trimMemory(to fraction: Double = 0) { observation.trim(to: fraction) }

    /// Has a host's cache give way as well, whenever pictures in memory do.
    package func trim(_ cache: any MemoryTrimming) { observation.add(cache) }

    // MARK: Observing

    /// What happens from now on, in order, until the renderer is finished. Any number may observe.
    ///
    /// - Parameter limit: how many events are kept for an observer that does not keep up; of more it misses the oldest.
    public func events(buffering limit: Int = 1024) -> AsyncStream<RenderEvent> { queue.events.stream(limit: limit) }

    /// How often what has happened; exact, whoever observes.
    public var counters: RenderCounters { queue.events.counters }

    /// How many drawings wait for their turn.
    public var waitingCount: Int { queue.waitingCount }

    /// How many drawings may be under way at once.
    package var width: Int { queue.width }

    /// How many processes the engines have replaced.
    @MainActor package var restarts: Int { lanes.reduce(0) { $0 + $1.engine.restarts } }

    /// How many drawings are under way.
    public var runningCount: Int { queue.runningCount }

    // MARK: The end

    /// True once `finish` has been called: nothing more is drawn for new requests.
    public var isFinished: Bool { ending.withLock { $0 != nil } }

    /// Ends the engine and the processes it started. What is asked for from now on fails with `.finished`.
    ///
    /// It may be called again, by several at once: the engine is shut down once, and all return after that. A second call can
    /// cancel what a first one waits for.
    public func finish(_ pending: PendingRequests = .drawn) async {
        queue.close()
        if pending == .cancelled { cancelAll() }
        let task = ending.withLock { task in
            if let task { return task }
            let new = Task { [queue, lanes, shelf, observation] in
                await queue.waitUntilIdle()
                await shelf.errands.finish()
                await shelf.store?.finish()
                for lane in lanes { await lane.engine.shutDown() }
                observation.end()
                queue.events.finish()
            }
            task = new
            return new
        }
        await task.value
    }
}
