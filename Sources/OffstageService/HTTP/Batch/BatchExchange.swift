import CSoup
import Foundation
import Offstage
import OffstageRequests

/// `POST /v1/batch`: the lines of `offstage pipe` over HTTP. Results come while requests are still sent: libsoup reads a request to
/// its end before it answers, so its connection is taken over once the head is there.
@MainActor
final class BatchExchange {
    private let raw: RawConnection
    private let context: ServeContext
    private var body: ChunkedBody
    private let expectsContinue: Bool
    private let isOrdered: Bool
    private let client: ServiceClient?
    private var isMalformed = false
    private(set) var byteCount = 0

    /// - Throws: `Problem`, for a body that is no JSON Lines, or is said twice how long it is.
    init(_ request: HTTPRequest, _ context: ServeContext, steal: () -> UnsafeMutablePointer<GIOStream>?) throws(Problem)
    {
        switch request.contentType {
        case "application/jsonl", "application/x-ndjson", "application/json-lines", "application/x-jsonlines": break
        default:
            throw Problem(
                415, "unsupported-body",
                "the body has to be application/jsonl, a JSON object a line; say so by Content-Type",
                headers: [(name: "Accept-Post", value: "application/jsonl")])
        }
        let headers = soup_server_message_get_request_headers(request.message)
        switch soup_message_headers_get_encoding(headers) {
        case SOUP_ENCODING_CHUNKED: body = ChunkedBody(length: nil)
        case SOUP_ENCODING_CONTENT_LENGTH:
            body = ChunkedBody(length: Int(soup_message_headers_get_content_length(headers)))
        default: throw Problem(400, "invalid-body", "the body's length is not said; send it in chunks")
        }
        expectsContinue = request.header("Expect")?.lowercased() == "100-continue"
        isOrdered = try Self.isOrdered(request)
        client = request.client
        self.context = context
        guard let stream = steal() else { throw Problem(500, "engine-failed", "the connection cannot be taken over") }
        raw = RawConnection(stream)
    }

    private static func isOrdered(_ request: HTTPRequest) throws(Problem) -> Bool {
        switch request.query.map({ "\($0.name)=\($0.value)" }) {
        case [], ["ordered=false"]: return false
        case ["ordered=true"], ["ordered="]: return true
        default: throw Problem(400, "invalid-query", "the query takes ordered=true or ordered=false")
        }
    }

    /// Serves the lines to the end, or until the client leaves or its task is cancelled.
    ///
    /// - Parameter connection: what it was before it was taken over.
    func run(on connection: Connection?) async {
        self.connection = connection
        connection?.raw = raw
        let work = Task { await serve() }
        self.work = work
        await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            work.cancel()
        }
        connection?.stopWatching()
        raw.close()
    }

    private var connection: Connection?
    private var work: Task<Void, Never>?

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
        // Without the last chunk a client knows that it is not all.
        if !isMalformed, !Task.isCancelled { _ = await raw.write(Data("0\r\n\r\n".utf8)) }
    }

    private func read() async -> Data? {
        while !body.isOver {
            guard let piece = await raw.read() else {
                // The client left before it had said all.
                work?.cancel()
                return nil
            }
            do throws(ChunkedBody.Malformed) {
                let bytes = try body.take(piece)
                if !bytes.isEmpty { return bytes }
            } catch {
                isMalformed = true
                return nil
            }
        }
        // From now on nobody reads who would notice.
        connection?.watch { [weak self] in self?.work?.cancel() }
        return nil
    }

    private func write(_ data: Data) async -> Bool {
        byteCount += data.count
        return await raw.write(Data("\(String(data.count, radix: 16))\r\n".utf8) + data + Data("\r\n".utf8))
    }
}
