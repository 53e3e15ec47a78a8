import CEvent
import COffstageTLS
import Foundation
import OffstageRequests

/// A client's socket with its buffers, with or without TLS: the owner of a bufferevent. Use it only on the thread of its loop.
///
/// Nothing here waits for the client. A slow handshake takes many turns of the loop, but does not occupy a thread.
final class ClientSocket {
    enum Event {
        /// The client has sent bytes.
        case received
        /// The system has accepted everything that was written.
        case drained
        /// The client has closed its half.
        case ended
        /// The connection is broken.
        case failed
    }

    /// The maximum number of received bytes that wait here. More stay in the system's buffers.
    static let window = 16_384

    let descriptor: Int32
    private var buffers: OpaquePointer?
    private let isEncrypted: Bool
    private let isNetwork: Bool
    /// True after the handshake, and without TLS.
    private(set) var isReady: Bool
    private let onEvent: (Event) -> Void

    /// - Parameters:
    ///   - descriptor: this object takes ownership, even if the result is nil.
    ///   - tls: nil for a connection without TLS.
    ///   - onEvent: called on the loop's thread, and never after `close`.
    init?(
        _ descriptor: Int32, on loop: EventLoop, tls: TLSContext?, isNetwork: Bool, _ onEvent: @escaping (Event) -> Void
    ) {
        (self.descriptor, self.onEvent) = (descriptor, onEvent)
        (isEncrypted, isReady, self.isNetwork) = (tls != nil, tls == nil, isNetwork)
        if isNetwork { Self.prepare(descriptor) }
        let closes = Int32(BEV_OPT_CLOSE_ON_FREE.rawValue)
        if let tls {
            buffers = tls.newConnection().flatMap {
                bufferevent_openssl_socket_new(loop.base, descriptor, $0, BUFFEREVENT_SSL_ACCEPTING, closes)
            }
            // Many clients close without TLS's close_notify. The framing of bodies reveals missing data.
            if let buffers { bufferevent_openssl_set_allow_dirty_shutdown(buffers, 1) }
        } else {
            buffers = bufferevent_socket_new(loop.base, descriptor, closes)
        }
        guard let buffers else {
            Foundation.close(descriptor)
            return nil
        }
        bufferevent_set_max_single_read(buffers, Self.window)
        bufferevent_setwatermark(buffers, Int16(EV_READ), 0, Self.window)
        bufferevent_setcb(
            buffers, { _, data in ClientSocket.from(data).onEvent(.received) },
            { _, data in ClientSocket.from(data).wrote() },
            { _, what, data in ClientSocket.from(data).happened(Int32(what)) },
            Unmanaged.passUnretained(self).toOpaque())
        bufferevent_enable(buffers, Int16(EV_READ | EV_WRITE))
    }

    deinit { close() }

    private static func from(_ data: UnsafeMutableRawPointer?) -> ClientSocket {
        Unmanaged<ClientSocket>.fromOpaque(data!).takeUnretainedValue()
    }

    private static func prepare(_ descriptor: Int32) {
        func set(_ level: Int32, _ option: Int32, _ value: Int32) {
            var value = value
            setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
        }
        // An answer's headers and body can be two writes; the second would wait for the acknowledgement of the first.
        set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        // Otherwise the system buffers up to 4 MB for each client that does not read.
        set(Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, 131_072)
        // Detects clients whose machine is gone.
        set(SOL_SOCKET, SO_KEEPALIVE, 1)
    }

    private func wrote() {
        if pendingBytes == 0 { onEvent(.drained) }
    }

    private func happened(_ what: Int32) {
        if what & BEV_EVENT_CONNECTED != 0 {
            isReady = true
        } else {
            onEvent(what & BEV_EVENT_EOF != 0 ? .ended : .failed)
        }
    }

    // MARK: Reading

    /// Passes the next received bytes to `body` and removes them.
    ///
    /// - Returns: false if there is nothing.
    func read(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
        guard let buffers, let input = bufferevent_get_input(buffers) else { return false }
        let count = evbuffer_get_contiguous_space(input)
        guard count > 0, let bytes = evbuffer_pullup(input, count) else { return false }
        body(UnsafeRawBufferPointer(start: bytes, count: count))
        evbuffer_drain(input, count)
        return true
    }

    // MARK: Writing

    /// The number of written bytes that the system has not accepted.
    var pendingBytes: Int { buffers.map { evbuffer_get_length(bufferevent_get_output($0)) } ?? 0 }

    func write(_ data: Data) {
        guard let buffers else { return }
        for region in data.regions {
            region.withUnsafeBytes { _ = bufferevent_write(buffers, $0.baseAddress, $0.count) }
        }
    }

    func write(_ text: String) {
        guard let buffers else { return }
        var text = text
        text.withUTF8 { _ = bufferevent_write(buffers, $0.baseAddress, $0.count) }
    }

    /// Sends the end, after everything that was written.
    func endWriting() {
        guard let buffers else { return }
        if isEncrypted, isReady, let secure = bufferevent_openssl_get_ssl(buffers) {
            offstage_tls_end(secure)
        }
        shutdown(descriptor, Int32(SHUT_WR))
    }

    // MARK: The end

    /// True if the client no longer listens. On a Unix socket it may still do so after closing its half (`nc -N`); on a
    /// network this cannot be distinguished from leaving.
    var hasLeft: Bool {
        // POLLRDHUP, which glibc defines only with _GNU_SOURCE.
        var file = pollfd(fd: descriptor, events: isNetwork ? 0x2000 : 0, revents: 0)
        return poll(&file, 1, 0) > 0 && Int32(file.revents) & (POLLHUP | POLLERR | 0x2000) != 0
    }

    /// Closes the descriptor and frees the buffers. No callbacks follow.
    func close() {
        guard let buffers else { return }
        self.buffers = nil
        bufferevent_setcb(buffers, nil, nil, nil, nil)
        bufferevent_free(buffers)
    }
}
