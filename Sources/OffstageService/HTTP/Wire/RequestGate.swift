/// What a client sends, on its way to libsoup, which believes more than it should: it takes a length such as -1, joins
/// contradicting headers, and reads all of a body before it answers.
///
/// Heads are checked, bodies counted. In the place of a request that is refused libsoup gets one without a body, which it answers at
/// once; `refusal` tells what with. Then nothing more is taken from the client.
struct RequestGate {
    enum Refusal: Equatable {
        /// What is wrong with it.
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

    /// Bytes of a head.
    static let longestHead = 65_536
    /// Bytes of a line between chunks.
    static let longestLine = 4096

    /// Of the request that libsoup has read last.
    private(set) var refusal: Refusal?
    /// The client has sent something.
    private(set) var hasSpoken = false

    private let limit: (RequestHead) -> Int
    private let addsHost: Bool
    private var state = State.head
    /// Bytes of bodies that may come in chunks, and have.
    private var (bodyLimit, bodyCount) = (0, 0)
    private var trailerCount = 0
    /// From the client; the first `used` are done with, and no line ends in the first `looked`.
    private var raw: [UInt8] = []
    private var (used, looked) = (0, 0)
    /// For libsoup, which has the first `given`.
    private var out: [UInt8] = []
    private var given = 0
    /// The next step needs more from the client.
    private var isStuck = true
    private var isEnded = false

    /// - Parameters:
    ///   - addsHost: a head that has no `Host`, and need not, gets one.
    ///   - limit: how many bytes a request's body may have.
    init(addsHost: Bool = false, limit: @escaping (RequestHead) -> Int) {
        (self.addsHost, self.limit) = (addsHost, limit)
    }

    var isInBody: Bool {
        switch state {
        case .head, .over: false
        default: true
        }
    }

    /// Whether `give` has something without another `take`.
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

    /// The client's end has come.
    mutating func end() {
        if isEnded { return }
        isEnded = true
        switch state {
        case .over: return
        // libsoup 3.2 keeps a connection for ever that ends between two requests: one that ends within a request it closes.
        case .head: out += used < raw.count ? Array(raw[used...]) : [UInt8(ascii: "-")]
        default: break
        }
        state = .over
        isStuck = false
    }

    /// - Returns: how many bytes there were for libsoup, 0 at the end; nil: more has to come.
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

    // MARK: Steps

    /// - Returns: false: more has to come.
    private mutating func step() -> Bool {
        if used == raw.count { return false }
        switch state {
        case .head: return readHead()
        case .plain(let left):
            let count = pass(left)
            state = count == left ? .head : .plain(left: left - count)
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
        // Some clients send an empty line behind a body (RFC 9112, 2.2).
        while used + 1 < raw.count, raw[used] == 0x0D, raw[used + 1] == 0x0A { used += 2 }
        looked = max(looked, used)
        while looked < raw.count {
            let byte = raw[looked]
            let follows = looked > used && raw[looked - 1] == 0x0D
            if (byte == 0x0A) != follows {
                refuse(.malformed("a line ends otherwise than with CR and LF"), giving: RequestHead.standIn)
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
        // At a Unix socket libsoup finds none by itself.
        if !head.hasHost, addsHost {
            out.removeLast(2)
            out += Array("Host: localhost\r\n\r\n".utf8)
        }
        used += bytes.count
        switch head.framing {
        case .none, .length(0): state = .head
        case .length(let length): state = .plain(left: length)
        case .chunks: state = .size
        }
    }

    // MARK: Chunks

    /// A line between chunks, without extensions and trailers when it is passed on.
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
            if size > 0 { out += Array("\(String(size, radix: 16))\r\n".utf8) }
            state = size == 0 ? .trailer : .data(left: size)
            trailerCount = 0
        case .dataEnd:
            if !line.isEmpty { return refuseChunks() }
            out += [0x0D, 0x0A]
            state = .size
        default:
            trailerCount += line.count + 2
            if trailerCount > Self.longestHead { return refuseChunks() }
            if !line.isEmpty { return }
            out += Self.lastChunk
            state = .head
        }
    }

    private static let lastChunk = Array("0\r\n\r\n".utf8)

    /// What has no limit is read as it comes, and not by libsoup: it sees that there is no end.
    private mutating func refuseChunks() {
        refuse(
            .malformed("the body's chunks are not as they have to be"),
            giving: bodyLimit == Int.max ? Array("?\r\n".utf8) : Self.lastChunk)
    }
}
