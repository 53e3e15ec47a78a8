import Foundation

/// Takes a request's body out of what comes behind its head: so many bytes, or in chunks (RFC 9112, 7.1).
struct ChunkedBody {
    struct Malformed: Error {}

    private enum State {
        case plain(left: Int)
        case size
        case data(left: Int)
        case dataEnd, trailer
        case over
    }

    private var state: State
    private var line: [UInt8] = []
    private static let longestLine = 8192

    var isOver: Bool { if case .over = state { true } else { false } }

    /// - Parameter length: nil for chunks.
    init(length: Int?) { state = length.map { $0 == 0 ? .over : .plain(left: $0) } ?? .size }

    /// The body's bytes in a piece; what follows its end is left out.
    mutating func take(_ piece: Data) throws(Malformed) -> Data {
        var body = Data()
        var rest = piece[...]
        while !rest.isEmpty {
            switch state {
            case .plain(let left):
                let part = rest.prefix(left)
                body.append(part)
                rest = rest.dropFirst(part.count)
                state = part.count == left ? .over : .plain(left: left - part.count)
            case .data(let left):
                let part = rest.prefix(left)
                body.append(part)
                rest = rest.dropFirst(part.count)
                state = part.count == left ? .dataEnd : .data(left: left - part.count)
            case .size, .dataEnd, .trailer:
                guard let text = try takeLine(&rest) else { return body }
                try meet(text)
            case .over: return body
            }
        }
        return body
    }

    private mutating func takeLine(_ rest: inout Data) throws(Malformed) -> String? {
        guard let end = rest.firstIndex(of: 0x0A) else {
            line.append(contentsOf: rest)
            rest = Data()
            if line.count > Self.longestLine { throw Malformed() }
            return nil
        }
        line.append(contentsOf: rest[..<end])
        rest = rest[(end + 1)...]
        defer { line = [] }
        if line.last == 0x0D { line.removeLast() }
        if line.count > Self.longestLine { throw Malformed() }
        return String(decoding: line, as: UTF8.self)
    }

    private mutating func meet(_ text: String) throws(Malformed) {
        switch state {
        case .size:
            let digits = text.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
            guard !digits.isEmpty, digits.utf8.count <= 15, digits.allSatisfy(\.isHexDigit),
                let size = Int(digits, radix: 16)
            else { throw Malformed() }
            state = size == 0 ? .trailer : .data(left: size)
        case .dataEnd:
            if !text.isEmpty { throw Malformed() }
            state = .size
        case .trailer: if text.isEmpty { state = .over }
        default: break
        }
    }
}
