/// Checks the bytes of a client on their way to libsoup. libsoup accepts too much: a length such as -1, and contradicting headers. It
/// also reads the whole body before it answers.
///
/// The gate checks heads and counts bodies. In place of a refused request, libsoup gets one without a body, which it answers
/// immediately, with `refusal`. After that, the gate takes nothing more from the client.
struct RequestGate {
    enum Refusal: Equatable {
        /// The associated text is the problem.
        case malformed(String)
        case headTooLarge
        case bodyTooLarge
    }

    private enum State {
        case head
        case plain(left: Int)
        case size
        case data(left: Int)
        case dataEnd
        case trailer
        case over
    }

    /// The maximum number of bytes of a head, and of the trailers of a body.
    static let longestHead = 65_536
    /// The maximum number of bytes of a line between chunks.
    static let longestLine = 4096

    /// The refusal of the request that libsoup has read last.
    private(set) var refusal: Refusal?
    /// True once the client has sent something.
    private(set) var hasSpoken = false
    /// True once the whole body of a request that was taken over has passed.
    private(set) var isComplete = false

    private let limit: (RequestHead) -> Int
    private let addsHost: Bool
    private var state = State.head
    private var isTakenOver = false
    /// The bytes that chunks may have in total, and have so far.
    private var (bodyLimit, bodyCount) = (0, 0)
    private var trailerCount = 0
    /// Bytes from the client. The first `used` are done with; no line ends in the first `looked`.
    private var raw: [UInt8] = []
    private var (used, looked) = (0, 0)
    /// Bytes for libsoup, which has the first `given`.
    private var out: [UInt8] = []
    private var given = 0
    /// The next step needs more from the client.
    private var isStuck = true

    /// - Parameters:
    ///   - addsHost: adds a `Host` to a head of HTTP/1.0 that has none.
    ///   - limit: the maximum number of bytes of a request's body.
    init(addsHost: Bool = false, limit: @escaping (RequestHead) -> Int) {
        (self.addsHost, self.limit) = (addsHost, limit)
    }

    var isInBody: Bool {
        switch state {
        case .head, .over: false
        default: true
        }
    }

    /// True if `give` has something without another `take`.
    var hasMore: Bool { given < out.count || !isStuck }

    mutating func take(_ bytes: UnsafeRawBufferPointer) {
        if case .over = state { return }
        if !bytes.isEmpty { hasSpoken = true }
        raw.removeFirst(used)
        looked -= used
        used = 0
        raw.append(contentsOf: bytes)
        isStuck = raw.isEmpty
    }

    /// The client has closed its end.
    mutating func end() {
        switch state {
        case .over: return
        // libsoup 3.2 keeps a connection that ends between two requests for ever, but closes one that ends within a request.
        case .head: out += used < raw.count ? Array(raw[used...]) : [UInt8(ascii: "-")]
        default: break
        }
        state = .over
        isStuck = false
    }

    /// - Returns: the number of bytes for libsoup; 0 at the end; nil if the client has to send more.
    mutating func give(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        while given == out.count {
            out.removeAll(keepingCapacity: true)
            given = 0
            if case .over = state { return 0 }
            let hasMoved = step()
            isStuck = !hasMoved || used == raw.count
            if !hasMoved { return nil }
        }
        let count = min(out.count - given, buffer.count)
        out.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[given..<given + count])) }
        given += count
        return count
    }

    // MARK: Bodies without libsoup

    /// From now on, gives the content of this request's body, and then an end. Call it when libsoup has read the head: each head is
    /// given alone, so libsoup has none of the body yet.
    mutating func takeOver() {
        isTakenOver = true
        if case .head = state { endRequest() }
    }

    private mutating func endRequest() {
        isComplete = isTakenOver
        state = isTakenOver ? .over : .head
    }

    private mutating func giveFraming(_ bytes: [UInt8]) { if !isTakenOver { out += bytes } }

    // MARK: Steps

    /// - Returns: false if the client has to send more.
    private mutating func step() -> Bool {
        if used == raw.count { return false }
        switch state {
        case .head: return readHead()
        case .plain(let left):
            let count = pass(left)
            if count == left { endRequest() } else { state = .plain(left: left - count) }
        case .data(let left):
            let count = pass(left)
            state = count == left ? .dataEnd : .data(left: left - count)
        case .size, .dataEnd, .trailer: return readLine()
        case .over: return false
        }
        return true
    }

    private mutating func pass(_ most: Int) -> Int {
        let count = min(most, raw.count - used)
        out += raw[used..<used + count]
        used += count
        looked = max(looked, used)
        return count
    }

    private mutating func refuse(_ refusal: Refusal, giving bytes: [UInt8]) {
        self.refusal = refusal
        out += bytes
        state = .over
        raw = []
        (used, looked) = (0, 0)
    }

    private mutating func readHead() -> Bool {
        // Some clients send an empty line after a body (RFC 9112, 2.2).
        while used + 1 < raw.count, raw[used] == 0x0D, raw[used + 1] == 0x0A { used += 2 }
        looked = max(looked, used)
        while looked < raw.count {
            let byte = raw[looked]
            let follows = looked > used && raw[looked - 1] == 0x0D
            if (byte == 0x0A) != follows {
                refuse(.malformed("a line does not end with CR and LF"), giving: RequestHead.standIn)
                return true
            }
            looked += 1
            if looked - used > Self.longestHead {
                refuse(.headTooLarge, giving: RequestHead.standIn)
                return true
            }
            if byte == 0x0A, looked - used >= 4, raw[looked - 3] == 0x0A {
                meet(Array(raw[used..<looked]))
                return true
            }
        }
        return false
    }

    private mutating func meet(_ bytes: [UInt8]) {
        let head: RequestHead
        do throws(RequestHead.Malformed) { head = try RequestHead(bytes) } catch {
            return refuse(.malformed(error.problem), giving: RequestHead.standIn)
        }
        bodyLimit = limit(head)
        bodyCount = 0
        if case .length(let length) = head.framing, length > bodyLimit {
            return refuse(.bodyTooLarge, giving: head.withoutBody)
        }
        out += bytes
        // libsoup has no default for a Unix socket.
        if !head.hasHost, addsHost {
            out.removeLast(2)
            out += Array("Host: localhost\r\n\r\n".utf8)
        }
        used += bytes.count
        switch head.framing {
        case .none, .length(0): endRequest()
        case .length(let length): state = .plain(left: length)
        case .chunks: state = .size
        }
    }

    // MARK: Chunks

    /// Reads a line between chunks. The gate drops extensions and trailers.
    private mutating func readLine() -> Bool {
        while looked < raw.count {
            let byte = raw[looked]
            let follows = looked > used && raw[looked - 1] == 0x0D
            looked += 1
            if (byte == 0x0A) != follows || looked - used > Self.longestLine {
                refuseChunks()
                return true
            }
            if byte == 0x0A {
                let line = raw[used..<looked - 2]
                used = looked
                meet(line)
                return true
            }
        }
        return false
    }

    private mutating func meet(_ line: ArraySlice<UInt8>) {
        switch state {
        case .size:
            let digits = line.prefix { $0 != UInt8(ascii: ";") }
            guard (1...15).contains(digits.count), digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
                let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return refuseChunks() }
            bodyCount += size
            if bodyCount > bodyLimit { return refuse(.bodyTooLarge, giving: Self.lastChunk) }
            if size > 0 { giveFraming(Array("\(String(size, radix: 16))\r\n".utf8)) }
            state = size == 0 ? .trailer : .data(left: size)
            trailerCount = 0
        case .dataEnd:
            if !line.isEmpty { return refuseChunks() }
            giveFraming([0x0D, 0x0A])
            state = .size
        default:
            trailerCount += line.count + 2
            if trailerCount > Self.longestHead { return refuseChunks() }
            if !line.isEmpty { return }
            giveFraming(Self.lastChunk)
            endRequest()
        }
    }

    private static let lastChunk = Array("0\r\n\r\n".utf8)

    private mutating func refuseChunks() {
        refuse(.malformed("the body's chunks are malformed"), giving: isTakenOver ? [] : Self.lastChunk)
    }
}
