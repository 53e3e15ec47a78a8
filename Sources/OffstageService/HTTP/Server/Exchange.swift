import CSoup
import Foundation
import OffstageGLib

/// One request and its answer.
@MainActor
final class Exchange {
    let message: OpaquePointer
    let connection: Connection?
    let start = ContinuousClock.now
    /// The client; nil until it is known.
    var client: ServiceClient?
    /// Its name in the access log: no identifier, no content.
    var route = "-"
    /// The task that makes the answer, if it is not there at once.
    private(set) var work: Task<Void, Never>?
    /// Told once when the exchange is over, however it ends.
    var onEnd: (@MainActor () -> Void)?
    private(set) var isOver = false
    /// The client went away before it had its answer.
    private(set) var isAbandoned = false
    /// Bytes of the answer's body.
    private(set) var byteCount = 0
    private(set) var status = 0

    /// For the access log: `kept`, `drawn`, or a dash.
    private(set) var how = "-"

    /// It waits for an answer of ours: its connection may be still.
    var isWaiting: Bool { work != nil && status == 0 || isStreaming }
    var isStreaming = false
    /// libsoup has nothing to do with it any more.
    var isTakenOver = false

    init(_ message: OpaquePointer, on connection: Connection?) {
        self.message = message
        self.connection = connection
        g_object_ref(UnsafeMutableRawPointer(message))
        connection?.stopWatching()
        connection?.exchange = self
        connection?.lastMove = .now
    }

    isolated deinit {
        handlers.disconnect()
        g_object_unref(UnsafeMutableRawPointer(message))
    }

    private let handlers = SignalHandlers()

    /// Calls when libsoup is done with the message.
    func whenFinished(_ action: @escaping @MainActor () -> Void) {
        onFinish = action
        let finished: @convention(c) (gpointer, gpointer) -> Void = { _, data in
            onMainActor(data) { receiver($0, as: Exchange.self)?.onFinish?() }
        }
        handlers.connect(
            "finished", of: UnsafeMutableRawPointer(message), unsafeBitCast(finished, to: GCallback.self), to: self)
    }

    private var onFinish: (@MainActor () -> Void)?

    /// Has the client wait while the body makes the answer. When the client leaves, the body's task is cancelled.
    func answer(_ body: @escaping @MainActor () async -> HTTPAnswer) {
        soup_server_message_pause(message)
        connection?.watch { [weak self] in
            self?.isAbandoned = true
            self?.work?.cancel()
        }
        work = Task { [self] in
            var answer = await body()
            if !isOver, let bodies { answer = await bodies.hold(answer) }
            connection?.stopWatching()
            if isOver { return }
            send(answer)
            soup_server_message_unpause(message)
        }
    }

    /// Withdraws what is asked for.
    func cancel() { work?.cancel() }

    /// Puts the answer where libsoup takes it from.
    func send(_ answer: HTTPAnswer) {
        if isOver { return }
        status = answer.status
        byteCount = answer.held?.count ?? answer.body.count
        if let isKept = answer.isKept { how = isKept ? "kept" : "drawn" }
        connection?.lastMove = .now
        soup_server_message_set_status(message, guint(answer.status), answer.status == 431 ? Problem.title(431) : nil)
        let headers = soup_server_message_get_response_headers(message)
        for (name, value) in answer.headers { soup_message_headers_append(headers, name, value) }
        // No word of a length where there is no body (RFC 9110, 8.6).
        if answer.status == 304 || answer.status == 204 {
            soup_message_headers_set_encoding(headers, SOUP_ENCODING_NONE)
        }
        if let held = answer.held {
            let isHead = String(cString: soup_server_message_get_method(message)) == "HEAD"
            soup_message_headers_set_content_length(headers, goffset(held.count))
            if !isHead {
                writer = HeldBytesWriter(held, to: message, connection)
                return
            }
        }
        append(answer.body)
        soup_message_body_complete(soup_server_message_get_response_body(message))
    }

    /// Writes a large body.
    private var writer: HeldBytesWriter?
    /// The store of large bodies that wait.
    var bodies: BodiesUnderWay?

    /// Begins an answer whose body comes piece by piece: `append`, and `complete` at the end.
    func begin(_ answer: HTTPAnswer) {
        status = answer.status
        isStreaming = true
        soup_server_message_set_status(message, guint(answer.status), nil)
        let headers = soup_server_message_get_response_headers(message)
        for (name, value) in answer.headers { soup_message_headers_append(headers, name, value) }
        soup_message_headers_set_encoding(headers, SOUP_ENCODING_CHUNKED)
        soup_message_body_set_accumulate(soup_server_message_get_response_body(message), 0)
    }

    /// Runs what puts pieces, until the client leaves.
    func stream(_ body: @escaping @MainActor () async -> Void) {
        connection?.watch { [weak self] in
            self?.work?.cancel()
            self?.connection?.cut()
        }
        let wrote: @convention(c) (gpointer, guint, gpointer) -> Void = { _, count, data in
            onMainActor(data) { receiver($0, as: Exchange.self)?.written += Int(count) }
        }
        handlers.connect(
            "wrote-body-data", of: UnsafeMutableRawPointer(message), unsafeBitCast(wrote, to: GCallback.self), to: self)
        work = Task { [self] in
            await body()
            complete()
        }
    }

    private var written = 0
    /// Bytes of pieces that the client has not taken.
    var pendingBytes: Int { byteCount - written }

    /// Lets libsoup write what there is.
    func flush() { if !isOver { soup_server_message_unpause(message) } }

    /// Ends an answer that comes piece by piece.
    func complete() {
        if isOver { return }
        soup_message_body_complete(soup_server_message_get_response_body(message))
        flush()
    }

    func append(_ data: Data) {
        if isOver || data.isEmpty { return }
        if isStreaming { byteCount += data.count }
        data.withUnsafeBytes { bytes in
            soup_message_body_append(
                soup_server_message_get_response_body(message), SOUP_MEMORY_COPY, bytes.baseAddress, gsize(bytes.count))
        }
    }

    func end() {
        if isOver { return }
        isOver = true
        connection?.stopWatching()
        connection?.lastMove = .now
        if connection?.exchange === self {
            connection?.exchange = nil
        }
        writer = nil
        work?.cancel()
        let action = onEnd
        onEnd = nil
        action?()
    }
}
