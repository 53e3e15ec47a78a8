import Foundation
import Offstage
import OffstageRequests

/// `POST /v1/batch`: the lines of `offstage pipe` over HTTP. Results are sent while the client still sends requests.
extension Connection {
    /// - Throws: for a body that is not JSON Lines or has no length, and for an invalid query.
    func beginBatch(_ exchange: Exchange, _ head: RequestHead) throws(Problem) {
        switch HTTPRequest.contentType(head) {
        case "application/jsonl", "application/x-ndjson", "application/json-lines", "application/x-jsonlines": break
        default:
            throw Problem(
                415, "unsupported-body",
                "the body must be application/jsonl, one JSON object per line; set Content-Type",
                headers: ["Accept-Post": "application/jsonl"])
        }
        if head.framing == .none { throw Problem(400, "invalid-body", "the body has no length; send it in chunks") }
        let isOrdered: Bool
        switch try HTTPRequest.query(head).map({ "\($0.name)=\($0.value)" }) {
        case [], ["ordered=false"]: isOrdered = false
        case ["ordered=true"], ["ordered="]: isOrdered = true
        default: throw Problem(400, "invalid-query", "the query takes ordered=true or ordered=false")
        }
        let batch = BatchLines(LineProgress())
        (exchange.phase, exchange.batch, exchange.closes, exchange.status) = (.batch, batch, true, 200)
        (exchange.head, exchange.memory) = (nil, nil)
        socket?.write(
            "HTTP/1.1 200 OK\r\nContent-Type: application/jsonl\r\n"
                + (exchange.isHTTP11 ? "Transfer-Encoding: chunked\r\n" : "")
                + "Date: \(HTTPDate.now)\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n")
        var lines = LineSession.Configuration(
            limit: desk.configuration.batchLimit, lineLimit: desk.configuration.bodyLimit)
        lines.isOrdered = isOrdered
        lines.client = exchange.client
        lines.namesByIdentifier = false
        lines.hides = desk.configuration.paths
        lines.progress = batch.progress
        lines.memory = AccountLines(account: desk.memory.account(desk.share(of: exchange.client, peer)))
        let session = LineSession(service: desk.service, reader: desk.reader, lines)
        exchange.work = Task.detached { [number = exchange.number] in
            _ = await session.run(
                read: { await self.readBatch(number) }, write: { await self.writeBatch($0, number) })
            await self.endBatch(number, isCancelled: Task.isCancelled)
        }
    }

    private func batch(_ number: Int) -> BatchLines? { exchange?.number == number ? exchange?.batch : nil }

    private func readBatch(_ number: Int) async -> Data? {
        guard let batch = batch(number) else { return nil }
        switch batch.take() {
        case .bytes(let bytes):
            pump()
            return bytes
        case .end: return nil
        case .nothing:
            return await withCheckedContinuation {
                batch.reader = $0
                pump()
            }
        }
    }

    /// Writes whole lines. The idle timeout starts anew with each piece.
    private func writeBatch(_ data: Data, _ number: Int) async -> Bool {
        guard let exchange, exchange.number == number else { return false }
        exchange.byteCount += data.count
        var bytes = data
        if exchange.isHTTP11 { bytes = Data("\(String(data.count, radix: 16))\r\n".utf8) + data + Data("\r\n".utf8) }
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let batch = batch(number), let socket else { return false }
            lastMove = .now
            socket.write(rest.prefix(HeldBytes.piece))
            rest = rest.dropFirst(HeldBytes.piece)
            let isAccepted = await withCheckedContinuation { batch.writer = $0 }
            if !isAccepted { return false }
        }
        return true
    }

    /// Without the last chunk, the client knows that the answer is incomplete.
    private func endBatch(_ number: Int, isCancelled: Bool) {
        guard let exchange, exchange.number == number, let batch = exchange.batch else { return }
        if !batch.isComplete || isCancelled { return close() }
        endChunks(exchange)
    }
}

/// Charges the memory of a batch's lines to the client. Each byte counts twice, because reading a document makes a
/// copy, which also waits.
private struct AccountLines: LineMemory {
    private final class Reservation: LineReservation {
        let charge: MemoryBudget.Charge

        init(_ charge: MemoryBudget.Charge) { self.charge = charge }

        func grow(by bytes: Int) -> Bool { (try? charge.grow(by: 2 * bytes)) != nil }
    }

    let account: MemoryBudget.Account

    func reserve(_ bytes: Int) -> (any LineReservation)? {
        let reservation = Reservation(account.charge())
        return reservation.grow(by: bytes) ? reservation : nil
    }
}
