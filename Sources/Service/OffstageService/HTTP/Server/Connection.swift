import Foundation
import Offstage

/// A client's connection, from its first byte to its last. It lives on the thread of an event loop, which never waits: tasks
/// elsewhere do everything that takes time.
actor Connection {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    nonisolated let peer: Peer
    let desk: FrontDesk
    private let descriptor: Int32
    private let tls: TLSContext?
    /// Nil before `open` and after `close`.
    var socket: ClientSocket?
    var parser: RequestParser
    var exchange: Exchange?
    /// The digest of the last token that the connection has shown.
    var lastToken: Digest?
    /// The time of the last progress in either direction.
    var lastMove = ContinuousClock.now
    /// The bytes of the body since `lastMove`.
    var heard = 0
    /// Charge for the buffers; nil while they hold at most `allowance` bytes.
    var buffered: MemoryBudget.Charge?
    /// Set once the answer is sent and the connection is ending. Further bytes from the client are dropped, because
    /// closing a socket with unread bytes would discard the answer.
    var lingersUntil: ContinuousClock.Instant?
    /// The client has closed its half.
    var hasEnded = false

    /// The number of body bytes that count as progress. Header bytes never do, so a client cannot keep a connection
    /// open with single bytes.
    static let step = 16_384
    static let lingeringTime = Duration.seconds(10)
    private static let handshakeTime = Duration.seconds(10)

    /// - Parameter descriptor: this object takes ownership; call `open` and `close`.
    init(_ descriptor: Int32, isNetwork: Bool, on loop: EventLoop, _ desk: FrontDesk) {
        (self.descriptor, self.loop, self.desk) = (descriptor, loop, desk)
        peer = Peer(descriptor, isNetwork: isNetwork)
        tls = isNetwork ? desk.tls : nil
        let limit = desk.configuration.bodyLimit
        // Each request of a batch has its own limits; the batch has none.
        parser = RequestParser { $0.method == "POST" && $0.path == HTTPServer.batchPath ? .max : limit }
    }

    // MARK: The socket

    /// Begins to serve the client, if the service has room for it.
    func open() {
        guard desk.connections.add(self) else {
            Foundation.close(descriptor)
            return
        }
        // The socket calls back on this actor's thread until `close`.
        socket = ClientSocket(descriptor, on: loop, tls: tls, isNetwork: peer.isNetwork) { [unowned self] event in
            happened(event)
        }
        if socket == nil { desk.connections.remove(self) }
    }

    private func happened(_ event: ClientSocket.Event) {
        switch event {
        case .received: pump()
        case .drained: drained()
        case .ended: ended()
        case .failed: close()
        }
    }

    /// Closes the connection at once. Ends an exchange in progress, and cancels its task.
    func close() {
        guard let socket else { return }
        self.socket = nil
        buffered = nil
        if exchange != nil { finish(isAbandoned: true) }
        socket.close()
        desk.connections.remove(self)
    }

    // MARK: The client's end

    /// The client has closed its half. On a Unix socket it may still listen (`nc -N`); on a network this cannot be
    /// distinguished from leaving.
    private func ended() {
        hasEnded = true
        switch exchange?.phase {
        case nil, .receiving: close()
        case .sending: break
        case .batch where exchange?.batch?.isComplete == true, .waiting, .streaming: abandonIfGone()
        case .batch: close()
        }
    }

    /// Closes the connection if the client has closed its half and no longer listens.
    func abandonIfGone() {
        if hasEnded, socket?.hasLeft == true { close() }
    }

    /// True if the client waits for something that the service makes.
    private var isWaiting: Bool {
        switch exchange?.phase {
        case .waiting, .streaming: true
        case .batch: exchange?.batch?.isWorking == true && socket?.pendingBytes == 0
        default: false
        }
    }

    /// Called each second: closes a connection without progress.
    func sweep(_ now: ContinuousClock.Instant) {
        guard let socket else { return }
        // A client whose next request fills the buffer is not noticed when it leaves, so this checks. Finished answers
        // are still sent to network clients.
        if isWaiting || hasEnded && !peer.isNetwork, socket.hasLeft { return close() }
        if let lingersUntil { return lingersUntil < now ? close() : () }
        if isWaiting { return }
        let idle = Duration.seconds(desk.configuration.idleTimeout)
        let patience = socket.isReady ? idle : min(idle, Self.handshakeTime)
        if lastMove + patience < now { close() }
    }

    // MARK: The service's end

    /// Closes the connection unless a request is in progress.
    func closeIfIdle() {
        if exchange == nil, lingersUntil == nil { close() }
    }

    /// Cancels answers that never end, such as events.
    ///
    /// - Parameter all: cancels other requests, too; they get an answer.
    func cancel(all: Bool) {
        guard let exchange else { return }
        if all || exchange.phase == .streaming { exchange.work?.cancel() }
    }

    /// Closes the connection if its token has been removed from the file, or if the rights of the token have changed
    /// since the batch began.
    func recheck() {
        guard let lastToken else { return }
        let client = desk.client(of: lastToken)
        if client == nil || exchange?.phase == .batch && exchange?.client != client { close() }
    }
}
