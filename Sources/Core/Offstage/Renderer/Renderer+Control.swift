/// The treatment of waiting requests when a renderer finishes.
public enum PendingRequests: Sendable {
    /// They are drawn first. If the renderer is suspended, they wait for the end of the suspension.
    case drawn
    /// They fail with `.cancelled` immediately.
    case cancelled
}

extension Renderer {
    // MARK: Suspension

    /// While it is true, no drawing starts, except for immediate requests (`RendererConfiguration.allowsImmediate`). Drawings in
    /// progress continue.
    ///
    /// Setting it to true takes a lease without an end; setting it to false ends that lease. It stays true while other leases are
    /// active.
    public var isSuspended: Bool {
        get { queue.isSuspended }
        set { queue.isSuspended = newValue }
    }

    /// Suspends the renderer until the lease is ended or released, or expires. The renderer resumes when its last lease
    /// has ended.
    ///
    /// - Parameter duration: the time after which the lease ends by itself, which protects against a host that forgets
    ///   to end it. Nil, the default, for no limit.
    public func suspend(for duration: Duration? = nil) -> SuspensionLease {
        queue.limit(to: 0, for: duration)
    }

    /// Lets at most this number of drawings run at once until the lease is ended or released, or expires. If there are
    /// several leases, the smallest number applies. Drawings in progress continue.
    ///
    /// - Parameters:
    ///   - count: 0 or more; 0 suspends the renderer.
    ///   - duration: the time after which the lease ends by itself. Nil, the default, for no limit.
    public func limitDrawings(to count: Int, for duration: Duration? = nil) -> SuspensionLease {
        queue.limit(to: count, for: duration)
    }

    // MARK: Cancelling

    // Each matching request that has no answer yet fails with `.cancelled` immediately. Drawings in progress continue.

    /// Cancels the requests with this identifier.
    public func cancel(identifier: String) { queue.cancel(identifier: identifier) }

    /// Cancels the requests whose identifiers have this prefix, such as those of a row or a folder.
    public func cancel(identifiersWithPrefix prefix: String) { queue.cancel(identifiersWithPrefix: prefix) }

    /// Cancels the requests with this group in their `RenderOptions`.
    public func cancel(group: String) { queue.cancel(group: group) }

    public func cancelAll() { queue.cancelAll() }

    /// Cancels these requests in one step. One by one, hundreds of them would take longer than a frame.
    public func cancel<Value: Sendable>(_ tasks: some Sequence<RenderTask<Value>>) {
        RequestControl.cancel(tasks.map(\.control))
    }

    // MARK: Priorities

    // Like `RenderTask.setPriority`, for all matching requests that wait.

    /// Changes the priority of the requests with this identifier.
    public func setPriority(_ priority: RenderPriority, identifier: String) {
        queue.setPriority(priority, identifier: identifier)
    }

    /// Changes the priority of the requests with this group in their `RenderOptions`.
    public func setPriority(_ priority: RenderPriority, group: String) { queue.setPriority(priority, group: group) }

    // MARK: Memory

    /// Evicts pictures and files from `RendererConfiguration.memory` and `files`, the least recently used first, until they use at
    /// most a part of their limits. The store keeps them. Pictures that a host retains stay in memory.
    ///
    /// - Parameter fraction: the part of the limits, from 0 to 1. With 0, the default, everything is evicted.
    public func trimMemory(to fraction: Double = 0) { observation.trim(to: fraction) }

    /// Trims a host's cache together with the renderer's.
    package func trim(_ cache: any MemoryTrimming) { observation.add(cache) }

    // MARK: Observing

    /// The events from now on, in order, until the renderer finishes. There may be any number of observers.
    ///
    /// - Parameter limit: the number of events that are buffered for a slow observer. It misses the oldest ones beyond that.
    public func events(buffering limit: Int = 1024) -> AsyncStream<RenderEvent> { queue.events.stream(limit: limit) }

    /// The number of events of each kind so far. It is exact, with or without observers.
    public var counters: RenderCounters { queue.events.counters }

    /// The number of waiting drawings.
    public var waitingCount: Int { queue.waitingCount }

    /// The number of drawings that can be in progress at once.
    package var width: Int { queue.width }

    /// The number of processes that the engines have replaced.
    @MainActor package var restarts: Int { lanes.reduce(0) { $0 + $1.engine.restarts } }

    /// The number of drawings in progress.
    public var runningCount: Int { queue.runningCount }

    // MARK: The end

    /// True after a call of `finish`: new requests fail.
    public var isFinished: Bool { ending.withLock { $0 != nil } }

    /// Shuts down the engines and their processes. New requests fail with `.finished`. With `.cancelled`, this also
    /// ends drawings in progress, because nobody is waiting for them any more: it does not wait for a slow document.
    ///
    /// You can call it several times, even concurrently: all calls return after the engines are shut down. A second
    /// call can cancel the requests that the first one waits for.
    public func finish(_ pending: PendingRequests = .drawn) async {
        queue.close()
        if pending == .cancelled {
            cancelAll()
            if queue.runningCount > 0 { for lane in lanes { await lane.engine.shutDown() } }
        }
        let task = ending.withLock { task in
            if let task { return task }
            let new = Task { [queue, lanes, shelf, observation] in
                await queue.waitUntilIdle()
                // The end of a process can show that its pictures cannot be trusted.
                for lane in lanes { await lane.engine.shutDown() }
                await shelf.errands.finish()
                await shelf.store?.finish()
                observation.end()
                queue.events.finish()
            }
            task = new
            return new
        }
        await task.value
    }
}
