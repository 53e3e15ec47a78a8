import CSoup
import Foundation
import OffstageGLib

/// One request and its answer.
@MainActor
final class Exchange {
    let message: OpaquePointer
    let connection: Connection?
    let start = ContinuousClock.now
    /// Nil until the client is identified.
    var client: ServiceClient?
    /// The route's name in the access log, without identifiers and content.
    var route = "-"
    /// The task that makes the answer, unless the answer is available immediately.
    private(set) var work: Task<Void, Never>?
    /// Large bodies that wait for their readers.
    private let bodies: BodiesUnderWay
    private let onFinish: @MainActor () -> Void
    private(set) var isOver = false
    /// The client left before it had its answer.
    private(set) var isAbandoned = false
    /// The number of bytes of the answer's body.
    private(set) var byteCount = 0
    /// 0 until the answer begins.
    private(set) var status = 0
    /// `kept`, `drawn` or a dash, for the access log.
    private(set) var how = "-"
    private(set) var isStreaming = false
    /// A batch has taken over the connection: libsoup is done with the exchange.
    var isTakenOver = false

    private let handlers = SignalHandlers()
    /// Nil for a request without a body in memory.
    private var room: RequestBodies.Room?
    private var onExcess: (@MainActor (Problem) -> Void)?
    /// A large body, of which libsoup has the first `written` bytes. In a stream, `written` is what the client has.
    private var held: HeldBytes?
    private var written = 0

    /// True while the service makes the answer: the connection may be still meanwhile.
    var isWaiting: Bool { work != nil && status == 0 || isStreaming }

    /// - Parameter onFinish: called when libsoup is done with the message.
    init(
        _ message: OpaquePointer, on connection: Connection?, bodies: BodiesUnderWay,
        onFinish: @escaping @MainActor () -> Void
    ) {
        (self.message, self.connection, self.bodies, self.onFinish) = (message, connection, bodies, onFinish)
        g_object_ref(UnsafeMutableRawPointer(message))
        connection?.stopWatching()
        connection?.exchange = self
        connection?.lastMove = .now
        let finished: @convention(c) (gpointer, gpointer) -> Void = { _, data in
            onMainActor(data) { receiver($0, as: Exchange.self)?.onFinish() }
        }
        connect("finished", unsafeBitCast(finished, to: GCallback.self))
    }

    private func connect(_ signal: String, _ callback: @escaping GCallback) {
        handlers.connect(signal, of: UnsafeMutableRawPointer(message), callback, to: self)
    }

    isolated deinit {
        handlers.disconnect()
        // Not at `end`: the work may have the body until now.
        bodies.freeRequestBody(of: Int(soup_server_message_get_request_body(message).pointee.length))
        g_object_unref(UnsafeMutableRawPointer(message))
    }

    /// Takes the body of the request into memory, as far as there is room.
    ///
    /// - Parameter onExcess: called if a body in chunks turns out to be too large for the room.
    func takeBody(into bodies: RequestBodies, onExcess: @escaping @MainActor (Problem) -> Void) throws(Problem) {
        room = try bodies.room(for: message)
        let headers = soup_server_message_get_request_headers(message)
        guard soup_message_headers_get_encoding(headers) == SOUP_ENCODING_CHUNKED else { return }
        self.onExcess = onExcess
        let got: @convention(c) (gpointer, OpaquePointer, gpointer) -> Void = { _, chunk, data in
            onMainActor(data) { receiver($0, as: Exchange.self)?.got(Int(g_bytes_get_size(chunk))) }
        }
        connect("got-chunk", unsafeBitCast(got, to: GCallback.self))
    }

    private func got(_ count: Int) {
        if status != 0 { return }
        do throws(Problem) { try room?.grow(by: count) } catch {
            dropBody()
            onExcess?(error)
        }
    }

    /// libsoup reads the body and drops it.
    func dropBody() {
        let body = soup_server_message_get_request_body(message)
        soup_message_body_set_accumulate(body, 0)
        soup_message_body_truncate(body)
        room = nil
    }

    /// The client wants no body.
    private var isHead: Bool { String(cString: soup_server_message_get_method(message)) == "HEAD" }
    private var headers: OpaquePointer { soup_server_message_get_response_headers(message) }
    private var body: UnsafeMutablePointer<SoupMessageBody> { soup_server_message_get_response_body(message) }

    // MARK: A whole answer

    /// Lets the client wait while `make` makes the answer. If the client leaves, cancels the task of `make`.
    func answer(_ make: @escaping @MainActor () async throws(Problem) -> HTTPAnswer) {
        soup_server_message_pause(message)
        connection?.watch { [weak self] in
            self?.isAbandoned = true
            self?.work?.cancel()
        }
        work = Task { [self] in
            var answer: HTTPAnswer
            do throws(Problem) { answer = try await make() } catch { answer = error.answer }
            if !isOver { answer = await bodies.hold(answer) }
            connection?.stopWatching()
            if isOver { return }
            send(answer)
            soup_server_message_unpause(message)
        }
    }

    func cancel() { work?.cancel() }

    /// Gives the answer to libsoup.
    func send(_ answer: HTTPAnswer) {
        if isOver { return }
        byteCount = answer.held?.count ?? answer.body.count
        if let isCached = answer.isCached { how = isCached ? "kept" : "drawn" }
        connection?.lastMove = .now
        setHead(answer)
        // An answer without a body must not have a length (RFC 9110, 8.6).
        if answer.status == 304 || answer.status == 204 {
            soup_message_headers_set_encoding(headers, SOUP_ENCODING_NONE)
        }
        if let held = answer.held {
            soup_message_headers_set_content_length(headers, goffset(held.count))
            if !isHead { return sendPieces(of: held) }
        }
        append(answer.body)
        soup_message_body_complete(body)
    }

    private func setHead(_ answer: HTTPAnswer) {
        status = answer.status
        soup_server_message_set_status(message, guint(status), status == 431 ? Problem.title(431) : nil)
        for (name, value) in answer.headers { soup_message_headers_append(headers, name, value) }
    }

    private func append(_ data: Data) {
        if data.isEmpty { return }
        data.withUnsafeBytes { soup_message_body_append(body, SOUP_MEMORY_COPY, $0.baseAddress, gsize($0.count)) }
    }

    /// Sends a large body piece by piece: the next one when the client's socket has accepted the last.
    private func sendPieces(of held: HeldBytes) {
        self.held = held
        soup_message_body_set_accumulate(body, 0)
        let wrote: @convention(c) (gpointer, gpointer) -> Void = { _, data in
            onMainActor(data) { receiver($0, as: Exchange.self)?.sendPiece() }
        }
        connect("wrote-chunk", unsafeBitCast(wrote, to: GCallback.self))
        sendPiece()
    }

    private func sendPiece() {
        guard let held else { return }
        connection?.lastMove = .now
        if written == held.count { return soup_message_body_complete(body) }
        // The head with the length is sent already: only the end of the connection can report the error.
        guard let piece = held.piece(at: written) else { return connection?.cut() ?? () }
        written += piece.count
        append(piece)
    }

    // MARK: An answer in pieces

    /// Begins an answer whose body arrives in pieces (`put`), and runs `make` until it returns or the client leaves.
    func stream(_ head: HTTPAnswer, _ make: @escaping @MainActor (Exchange) async -> Void) {
        setHead(head)
        soup_message_headers_set_encoding(headers, SOUP_ENCODING_CHUNKED)
        if isHead { return soup_message_body_complete(body) }
        isStreaming = true
        soup_message_body_set_accumulate(body, 0)
        connection?.watch { [weak self] in
            self?.work?.cancel()
            self?.connection?.cut()
        }
        let wrote: @convention(c) (gpointer, guint, gpointer) -> Void = { _, count, data in
            onMainActor(data) { receiver($0, as: Exchange.self)?.written += Int(count) }
        }
        connect("wrote-body-data", unsafeBitCast(wrote, to: GCallback.self))
        work = Task { [self] in
            await make(self)
            if isOver { return }
            soup_message_body_complete(body)
            soup_server_message_unpause(message)
        }
    }

    /// The number of bytes of pieces that the client has not read.
    var pendingBytes: Int { byteCount - written }

    /// Sends a piece.
    func put(_ data: Data) {
        if isOver { return }
        byteCount += data.count
        append(data)
        soup_server_message_unpause(message)
    }

    func end() {
        if isOver { return }
        isOver = true
        connection?.stopWatching()
        connection?.lastMove = .now
        if connection?.exchange === self { connection?.exchange = nil }
        held = nil
        work?.cancel()
    }
}
