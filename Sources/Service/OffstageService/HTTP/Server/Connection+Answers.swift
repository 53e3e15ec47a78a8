import Foundation

/// Sends answers to the client.
extension Connection {
    func send(_ answer: HTTPAnswer) {
        guard let exchange, let socket else { return }
        exchange.phase = .sending
        exchange.work = nil
        lastMove = .now
        if let isCached = answer.isCached { exchange.how = isCached ? "kept" : "drawn" }
        exchange.byteCount = answer.held?.count ?? answer.body.count
        // An answer without a body must not have a length (RFC 9110, 8.6).
        let length = answer.status == 304 || answer.status == 204 ? nil : exchange.byteCount
        let head = head(answer, length: length, exchange)
        if exchange.isHead || answer.body.isEmpty {
            socket.write(head)
        } else {
            // One write for small answers.
            var bytes = Data(head.utf8)
            bytes.append(answer.body)
            socket.write(bytes)
        }
        if !exchange.isHead, let held = answer.held {
            exchange.held = held
            sendPiece(of: held, exchange)
        }
        chargeBuffers()
    }

    private func head(_ answer: HTTPAnswer, length: Int?, _ exchange: Exchange) -> String {
        exchange.status = answer.status
        if desk.closesConnections { exchange.closes = true }
        var text = "HTTP/1.1 \(answer.status) \(Problem.title(answer.status))\r\nDate: \(HTTPDate.now)\r\n"
        for (name, value) in answer.headers { text += "\(name): \(value)\r\n" }
        if let length { text += "Content-Length: \(length)\r\n" }
        if exchange.closes {
            text += "Connection: close\r\n"
        } else if !exchange.isHTTP11 {
            text += "Connection: keep-alive\r\n"
        }
        return text + "\r\n"
    }

    /// Sends a large body piece by piece: the next one when the system has accepted the previous one.
    private func sendPiece(of held: HeldBytes, _ exchange: Exchange) {
        // The header with the length was already sent, so the only way to report the error is to end the connection.
        guard let piece = held.piece(at: exchange.written) else { return close() }
        exchange.written += piece.count
        if exchange.written == held.count { exchange.held = nil }
        socket?.write(piece)
    }

    /// The system has accepted everything that was written.
    func drained() {
        lastMove = .now
        guard lingersUntil == nil, let exchange else { return }
        switch exchange.phase {
        case .sending:
            if let held = exchange.held { return sendPiece(of: held, exchange) }
            finish(isAbandoned: false)
            if exchange.closes { return linger() }
            pump()
            // The client has closed its half and has received all its answers.
            if hasEnded, self.exchange == nil { return close() }
        case .batch: exchange.batch?.drained()
        case .receiving, .waiting, .streaming: break
        }
        chargeBuffers()
    }

    /// Ends an exchange.
    func finish(isAbandoned: Bool) {
        guard let exchange else { return }
        self.exchange = nil
        exchange.work?.cancel()
        exchange.batch?.leave()
        desk.note(
            exchange.entry(isAbandoned: isAbandoned && exchange.phase != .sending && exchange.phase != .streaming))
    }

    /// Closes the service's half, and the connection once the client has closed its half.
    private func linger() {
        guard let socket else { return }
        if hasEnded { return close() }
        lingersUntil = .now + Self.lingeringTime
        socket.endWriting()
        pump()
    }

    // MARK: An answer in pieces

    /// Begins an answer whose body arrives in pieces (`put`), and runs `make` until it returns or the client leaves.
    func stream(_ answer: HTTPAnswer, _ make: @escaping @Sendable (AnswerStream) async -> Void) {
        guard let exchange, let socket else { return }
        let isChunked = exchange.isHTTP11
        if !isChunked { exchange.closes = true }
        var answer = answer
        if isChunked { answer.headers.append(("Transfer-Encoding", "chunked")) }
        exchange.phase = exchange.isHead ? .sending : .streaming
        socket.write(head(answer, length: nil, exchange))
        if exchange.isHead { return }
        exchange.work = Task.detached { [number = exchange.number] in
            await make(AnswerStream(connection: self, number: number))
            await self.endStream(number)
        }
        abandonIfGone()
    }

    /// - Parameter patience: the maximum number of bytes that the client may leave unread; a slower client is
    ///   disconnected.
    /// - Returns: false if the client no longer reads.
    fileprivate func put(_ data: Data, _ number: Int, patience: Int) -> Bool {
        guard let exchange, let socket, exchange.number == number, exchange.phase == .streaming else { return false }
        exchange.byteCount += data.count
        if socket.pendingBytes + data.count > patience {
            close()
            return false
        }
        if exchange.isHTTP11 {
            socket.write(Data("\(String(data.count, radix: 16))\r\n".utf8) + data + Data("\r\n".utf8))
        } else {
            socket.write(data)
        }
        chargeBuffers()
        return self.socket != nil
    }

    private func endStream(_ number: Int) {
        guard let exchange, exchange.number == number, exchange.phase == .streaming else { return }
        endChunks(exchange)
    }

    /// Sends the end of a body in chunks, or of one that ends with the connection.
    func endChunks(_ exchange: Exchange) {
        exchange.phase = .sending
        if exchange.isHTTP11 { socket?.write("0\r\n\r\n") }
        if socket?.pendingBytes == 0 { drained() }
    }
}

/// The body of an answer that is sent while it is made.
struct AnswerStream: Sendable {
    fileprivate let connection: Connection
    fileprivate let number: Int

    /// Sends a piece.
    ///
    /// - Parameter patience: the maximum number of bytes that the client may leave unread.
    /// - Returns: false if the client no longer reads.
    func put(_ data: Data, patience: Int) async -> Bool { await connection.put(data, number, patience: patience) }
}
