import CSoup
import Foundation
import Offstage
import OffstageRequests

/// `POST /v1/batch`: the lines of `offstage pipe` over HTTP. Results arrive while the client still sends requests. libsoup reads a
/// request to its end before it answers, so this takes the connection over once libsoup has read the head.
@MainActor
final class BatchExchange {
    private let connection: Connection
    private let raw: RawConnection
    private let context: ServeContext
    private let expectsContinue: Bool
    private let isOrdered: Bool
    private let client: ServiceClient?
    private var work: Task<Void, Never>?
    private(set) var byteCount = 0
    /// The number of bytes of the request's body so far.
    private var readCount = 0

    /// - Throws: `Problem` for a body that is not JSON Lines or has no length, and for an invalid query.
    init(_ request: HTTPRequest, _ exchange: Exchange, _ context: ServeContext) throws(Problem) {
        switch request.contentType {
        case "application/jsonl", "application/x-ndjson", "application/json-lines", "application/x-jsonlines": break
        default:
            throw Problem(
                415, "unsupported-body",
                "the body must be application/jsonl, one JSON object per line; set Content-Type",
                headers: ["Accept-Post": "application/jsonl"])
        }
        let headers = soup_server_message_get_request_headers(request.message)
        guard
            [SOUP_ENCODING_CHUNKED, SOUP_ENCODING_CONTENT_LENGTH].contains(soup_message_headers_get_encoding(headers))
        else { throw Problem(400, "invalid-body", "the body has no length; send it in chunks") }
        expectsContinue = request.header("Expect")?.lowercased() == "100-continue"
        switch request.query.map({ "\($0.name)=\($0.value)" }) {
        case [], ["ordered=false"]: isOrdered = false
        case ["ordered=true"], ["ordered="]: isOrdered = true
        default: throw Problem(400, "invalid-query", "the query takes ordered=true or ordered=false")
        }
        client = request.client
        self.context = context
        exchange.isTakenOver = true
        guard let connection = exchange.connection,
            let stream = soup_server_message_steal_connection(request.message)
        else { throw Problem(500, "engine-failed", "the connection cannot be taken over") }
        raw = RawConnection(stream)
        self.connection = connection
        connection.takeOver(by: raw)
    }

    /// Serves the lines to the end, or until the client leaves or `cancel` is called.
    func begin(_ onEnd: @escaping @MainActor () -> Void) {
        work = Task {
            await serve()
            connection.stopWatching()
            raw.close()
            context.bodies.freeRequestBody(of: readCount)
            onEnd()
        }
    }

    func cancel() { work?.cancel() }

    private func serve() async {
        var head = expectsContinue ? "HTTP/1.1 100 Continue\r\n\r\n" : ""
        head += "HTTP/1.1 200 OK\r\nContent-Type: application/jsonl\r\nTransfer-Encoding: chunked\r\n"
        head += "Date: \(HTTPDate.now)\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"
        guard await raw.write(Data(head.utf8)) else { return }
        var lines = LineSession.Configuration(
            limit: context.configuration.batchLimit, lineLimit: context.configuration.bodyLimit)
        lines.isOrdered = isOrdered
        lines.client = client
        lines.namesByIdentifier = false
        lines.hides = context.configuration.paths
        let session = LineSession(service: context.service, reader: context.reader, lines)
        await withTaskCancellationHandler {
            _ = await session.run(read: { await self.read() }, write: { await self.write($0) })
        } onCancel: {
            Task { @MainActor in raw.cancel() }
        }
        // Without the last chunk, the client knows that the answer is incomplete.
        if connection.gate.refusal == nil, !Task.isCancelled { _ = await raw.write(Data("0\r\n\r\n".utf8)) }
    }

    private func read() async -> Data? {
        if let bytes = await raw.read() {
            readCount += bytes.count
            return bytes
        }
        if connection.gate.isComplete {
            // From now on, no read would notice that the client leaves.
            connection.watch { [weak self] in self?.cancel() }
        } else if connection.gate.refusal == nil {
            // The client left before the end of its body.
            cancel()
        }
        return nil
    }

    private func write(_ data: Data) async -> Bool {
        byteCount += data.count
        return await raw.write(Data("\(String(data.count, radix: 16))\r\n".utf8) + data + Data("\r\n".utf8))
    }
}
