import Foundation

/// Splits the bytes of a client into requests: headers, pieces of bodies, and ends (RFC 9112). It is strict, because a
/// server in front of this one must not read the same bytes differently, and it counts bodies as they arrive.
struct RequestParser {
    enum Part: Equatable {
        case head(RequestHead)
        /// A piece of the body, without framing.
        case body(Data)
        /// The request is complete.
        case end
        /// The parser stops. If no headers preceded the error, the headers themselves are rejected.
        case refused(Refusal)
    }

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
        case complete
        case over
    }

    /// The maximum number of bytes of the headers, and of the trailers of a body.
    static let longestHead = 65_536
    /// The maximum number of header lines, because each takes more memory than its bytes.
    static let mostLines = 200
    /// The maximum number of bytes of a header's line.
    static let longestField = 8192
    /// The maximum number of bytes of a line between chunks.
    static let longestLine = 4096

    private let limit: (RequestHead) -> Int
    private var state = State.head
    /// The maximum total size of the chunks, and their size so far, in bytes.
    private var (bodyLimit, bodyCount) = (0, 0)
    private var trailerCount = 0
    /// Bytes from the client. The first `used` bytes are processed; no line ends in the first `looked`.
    private var raw: [UInt8] = []
    private var (used, looked) = (0, 0)

    /// - Parameter limit: the maximum number of bytes of a request's body.
    init(limit: @escaping (RequestHead) -> Int) { self.limit = limit }

    /// The bytes of unfinished headers or an unfinished line.
    var bufferedBytes: Int { raw.count - used }

    mutating func take(_ bytes: UnsafeRawBufferPointer) {
        if case .over = state { return }
        raw.removeFirst(used)
        looked -= used
        used = 0
        raw.append(contentsOf: bytes)
    }

    /// - Returns: nil if the client has to send more.
    mutating func next() -> Part? {
        while true {
            if case .complete = state {
                state = .head
                return .end
            }
            if used == raw.count { return nil }
            switch state {
            case .head: return readHead()
            case .plain(let left):
                let piece = pass(left)
                state = piece.count == left ? .complete : .plain(left: left - piece.count)
                return .body(piece)
            case .data(let left):
                let piece = pass(left)
                state = piece.count == left ? .dataEnd : .data(left: left - piece.count)
                return .body(piece)
            case .size, .dataEnd, .trailer:
                guard let line = readLine() else { return nil }
                if let refusal = meet(line) { return refusal }
            case .complete, .over: return nil
            }
        }
    }

    // MARK: Steps

    private mutating func pass(_ most: Int) -> Data {
        let count = min(most, raw.count - used)
        let piece = raw.withUnsafeBytes { Data(bytes: $0.baseAddress! + used, count: count) }
        used += count
        looked = max(looked, used)
        return piece
    }

    private mutating func refuse(_ refusal: Refusal) -> Part {
        state = .over
        raw = []
        (used, looked) = (0, 0)
        return .refused(refusal)
    }

    private mutating func readHead() -> Part? {
        // Some clients send an empty line after a body (RFC 9112, 2.2).
        while used + 1 < raw.count, raw[used] == 0x0D, raw[used + 1] == 0x0A { used += 2 }
        looked = max(looked, used)
        while looked < raw.count {
            let byte = raw[looked]
            let follows = looked > used && raw[looked - 1] == 0x0D
            if (byte == 0x0A) != follows { return refuse(.malformed("a line does not end with CR and LF")) }
            looked += 1
            if looked - used > Self.longestHead { return refuse(.headTooLarge) }
            if byte == 0x0A, looked - used >= 4, raw[looked - 3] == 0x0A {
                return meetHead(Array(raw[used..<looked]))
            }
        }
        return nil
    }

    private mutating func meetHead(_ bytes: [UInt8]) -> Part {
        if bytes.count(where: { $0 == 0x0A }) > Self.mostLines { return refuse(.headTooLarge) }
        let head: RequestHead
        do throws(RequestHead.Malformed) { head = try RequestHead(bytes) } catch {
            return refuse(.malformed(error.problem))
        }
        if head.longestField > Self.longestField { return refuse(.headTooLarge) }
        used += bytes.count
        // Otherwise the connection would keep the memory of its largest headers.
        if raw.capacity > Self.longestField { (raw, used, looked) = (Array(raw[used...]), 0, 0) }
        bodyLimit = limit(head)
        bodyCount = 0
        switch head.framing {
        case .none, .length(0): state = .complete
        case .length(let length): state = .plain(left: length)
        case .chunks: state = .size
        }
        return .head(head)
    }

    /// Rejects a body whose announced length is too large. Call this once the client is known, so that others
    /// learn nothing about limits.
    mutating func refuseAnnouncedLength() -> Part? {
        if case .plain(let left) = state, left > bodyLimit { refuse(.bodyTooLarge) } else { nil }
    }

    // MARK: Chunks

    /// Reads a line between chunks. Extensions are dropped; trailers are checked like headers, and dropped.
    ///
    /// - Returns: nil if the line is incomplete; `.some(nil)` if it is malformed.
    private mutating func readLine() -> ArraySlice<UInt8>?? {
        while looked < raw.count {
            let byte = raw[looked]
            let follows = looked > used && raw[looked - 1] == 0x0D
            looked += 1
            if (byte == 0x0A) != follows || looked - used > Self.longestLine { return .some(nil) }
            if byte == 0x0A {
                let line = raw[used..<looked - 2]
                used = looked
                return line
            }
        }
        return nil
    }

    /// - Parameter line: nil for a malformed line.
    /// - Returns: nil if the line is valid.
    private mutating func meet(_ line: ArraySlice<UInt8>?) -> Part? {
        let malformed = Refusal.malformed("the body's chunks are malformed")
        guard let line else { return refuse(malformed) }
        switch state {
        case .size:
            guard let size = Self.size(line) else { return refuse(malformed) }
            bodyCount += size
            if bodyCount > bodyLimit { return refuse(.bodyTooLarge) }
            state = size == 0 ? .trailer : .data(left: size)
            trailerCount = 0
        case .dataEnd:
            if !line.isEmpty { return refuse(malformed) }
            state = .size
        default:
            trailerCount += line.count + 2
            if trailerCount > Self.longestHead { return refuse(malformed) }
            if line.isEmpty {
                state = .complete
            } else if RequestHead.problem(ofField: line) != nil {
                return refuse(malformed)
            }
        }
        return nil
    }

    private static func size(_ line: ArraySlice<UInt8>) -> Int? {
        let digits = line.prefix { $0 != UInt8(ascii: ";") }
        guard (1...15).contains(digits.count) else { return nil }
        var size = 0
        for digit in digits {
            guard let value = Character(UnicodeScalar(digit)).hexDigitValue else { return nil }
            size = size << 4 | value
        }
        return size
    }
}
