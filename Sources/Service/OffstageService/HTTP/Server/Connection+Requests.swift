import Foundation
import Offstage

/// Parses the client's bytes into requests, and passes these to handlers.
extension Connection {
    /// Parses the received bytes until a request waits for its answer.
    func pump() {
        while let socket, canTake {
            if let part = parser.next() {
                meet(part)
            } else if !socket.read({ parser.take($0) }) {
                break
            }
        }
        chargeBuffers()
    }

    /// False while an answer is made or sent: the next request waits in the buffers.
    private var canTake: Bool {
        if lingersUntil != nil {
            while socket?.read({ _ in }) == true {}
            return false
        }
        switch exchange?.phase {
        case nil, .receiving: return true
        case .batch: return exchange?.batch?.hasRoom == true
        case .waiting, .sending, .streaming: return false
        }
    }

    private func meet(_ part: RequestParser.Part) {
        switch part {
        case .head(let head): begin(head)
        case .body(let piece): receive(piece)
        case .end:
            if let batch = exchange?.batch { return batch.end(isComplete: true) }
            answer()
        case .refused(let refusal):
            if let batch = exchange?.batch { return batch.end(isComplete: false) }
            if exchange == nil { exchange = Exchange(desk.statistics.begin(), nil) }
            refuse(Problem(refusal, bodyLimit: desk.configuration.bodyLimit))
        }
    }

    /// Rejects a request without waiting for its body. The connection then ends, unless the request has no body.
    func refuse(_ problem: Problem) {
        guard let exchange else { return }
        if exchange.head?.framing != RequestHead.Framing.none { exchange.closes = true }
        exchange.body = Data()
        (exchange.head, exchange.memory) = (nil, nil)
        send(problem.answer)
    }

    // MARK: The header

    private func begin(_ head: RequestHead) {
        let exchange = Exchange(desk.statistics.begin(), head)
        self.exchange = exchange
        lastMove = .now
        do throws(Problem) {
            defer { lastToken = exchange.token ?? lastToken }
            let admission = try desk.admit(exchange, head, from: self)
            exchange.admission = admission
            let memory = desk.memory.account(desk.share(of: exchange.client, peer)).charge()
            do throws(MemoryBudget.Refusal) { try memory.grow(by: max(0, head.byteCount - Self.allowance)) } catch {
                throw Problem(error)
            }
            exchange.memory = memory
            if case .refused(let refusal)? = parser.refuseAnnouncedLength() {
                throw Problem(refusal, bodyLimit: desk.configuration.bodyLimit)
            }
            if let expected = head.value("expect") {
                guard expected.lowercased() == "100-continue" else {
                    throw Problem(417, "unknown-expectation", "Expect can only be 100-continue")
                }
                if head.framing != .none, head.isHTTP11 { socket?.write("HTTP/1.1 100 Continue\r\n\r\n") }
            }
            if admission.route.handler == nil { try beginBatch(exchange, head) }
        } catch {
            refuse(error)
        }
    }

    // MARK: The body

    private func receive(_ piece: Data) {
        heard += piece.count
        if heard >= Self.step {
            heard = 0
            lastMove = .now
        }
        guard let exchange else { return }
        if let batch = exchange.batch { return batch.add(piece) }
        do throws(MemoryBudget.Refusal) { try exchange.memory?.grow(by: piece.count) } catch {
            return refuse(Problem(error))
        }
        exchange.body.append(piece)
    }

    // MARK: The answer

    private func answer() {
        guard let exchange, let head = exchange.head, let admission = exchange.admission,
            let handler = admission.route.handler, let memory = exchange.memory
        else { return }
        lastMove = .now
        do throws(Problem) {
            guard let parameter = PercentEscapes.decoded(admission.parameter) else {
                throw Problem(400, "invalid-path", "the path has an escape that is not UTF-8")
            }
            // Reading the document makes a copy, which lives as long as the document.
            do throws(MemoryBudget.Refusal) { try memory.grow(by: exchange.body.count) } catch { throw Problem(error) }
            let request = HTTPRequest(
                head: head, parameter: parameter, client: exchange.client, body: exchange.body, memory: memory)
            exchange.body = Data()
            (exchange.head, exchange.memory) = (nil, nil)
            switch try handler(request) {
            case .now(let answer):
                if let answer = desk.bodies.holdAtOnce(answer) { send(answer) } else { wait { () in answer } }
            case .later(let make): wait(make)
            case .stream(let head, let make): stream(head, make)
            }
        } catch {
            send(error.answer)
        }
    }

    /// Makes the answer in a task, which is cancelled if the client leaves.
    private func wait(_ make: @escaping @Sendable () async throws(Problem) -> HTTPAnswer) {
        guard let exchange else { return }
        exchange.phase = .waiting
        exchange.work = Task.detached {
            [number = exchange.number, bodies = desk.bodies, share = desk.share(of: exchange.client, peer)] in
            var answer: HTTPAnswer
            do throws(Problem) { answer = try await make() } catch { answer = error.answer }
            answer = await bodies.hold(answer, for: share)
            await self.deliver(answer, number)
        }
        abandonIfGone()
    }

    private func deliver(_ answer: HTTPAnswer, _ number: Int) {
        // The client may have left, and the next request may have arrived.
        if exchange?.number == number, exchange?.phase == .waiting { send(answer) }
    }

    /// Charges unfinished headers and the unread part of an answer to the client, beyond `allowance`. Closes the
    /// connection if the client's share is used up. The session of a batch charges its lines itself.
    func chargeBuffers() {
        guard let socket, exchange?.phase != .batch else { return }
        let count = parser.bufferedBytes + socket.pendingBytes
        if count <= Self.allowance {
            buffered = nil
            return
        }
        let charge = buffered ?? desk.memory.account(desk.share(of: exchange?.client, peer)).charge()
        do throws(MemoryBudget.Refusal) { try charge.resize(to: count) } catch { return close() }
        buffered = charge
    }

    /// Bytes per connection that are not charged; SECURITY.md counts them per connection.
    private static let allowance = 8192
}
