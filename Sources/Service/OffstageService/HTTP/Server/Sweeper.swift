import Foundation
import Synchronization

/// Looks at the connections of a loop each second, and closes those without progress.
actor Sweeper {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private let connections: Connections
    private var timer: LoopEvent?

    init(on loop: EventLoop, _ connections: Connections) { (self.loop, self.connections) = (loop, connections) }

    func start() {
        timer = LoopEvent(loop.base, milliseconds: 1000) { [unowned self] in sweep() }
    }

    func end() { timer = nil }

    private func sweep() {
        let now = ContinuousClock.now
        for connection in connections.all where connection.loop === loop {
            connection.assumeIsolated { $0.sweep(now) }
        }
    }
}

/// Distributes connections among the loops, in turn.
final class LoopTurns: Sendable {
    private let loops: [EventLoop]
    private let count = Atomic(0)

    init(_ loops: [EventLoop]) { self.loops = loops }

    func next() -> EventLoop { loops[count.add(1, ordering: .relaxed).oldValue % loops.count] }
}
