import CEvent
import COffstageSystem
import Foundation

/// Accepts the connections of a socket on a loop.
actor Acceptor {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private let descriptor: Int32
    private let accept: @Sendable (Int32) -> Void
    private var watch: LoopEvent?

    /// - Parameters:
    ///   - descriptor: a listening socket, which outlives this object.
    ///   - accept: gets the descriptors of connections, on the loop's thread.
    init(_ descriptor: Int32, on loop: EventLoop, _ accept: @escaping @Sendable (Int32) -> Void) {
        (self.descriptor, self.loop, self.accept) = (descriptor, loop, accept)
    }

    func start() {
        watch = LoopEvent(loop.base, descriptor: descriptor) { [unowned self] in takeAll() }
    }

    /// Stops accepting connections.
    func end() { watch = nil }

    private func takeAll() {
        // At most 64 per turn of the loop, so that open connections are served, too.
        for _ in 0..<64 {
            let client = offstage_accept(descriptor)
            if client >= 0 {
                accept(client)
            } else if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) {
                // Pause: the waiting client keeps the socket ready, and the loop would do nothing else.
                watch = LoopEvent(loop.base, milliseconds: 100) { [unowned self] in start() }
                return
            } else if errno != ECONNABORTED && errno != EINTR {
                return
            }
        }
    }
}
