import Foundation

/// Splits a stream of bytes into lines, and buffers at most the allowed bytes of one. It reserves memory for a line as its bytes arrive.
///
/// Lines end with LF or CRLF; the last line needs no end. Empty lines are counted and skipped. A byte order mark at the start is removed.
struct LineSplitter {
    struct Line: Sendable {
        enum Content: Sendable, Equatable {
            case bytes(Data)
            /// The line exceeds the limit. The rest of it is skipped.
            case tooLong
            /// There is no memory for the line. The rest of it is skipped.
            case noMemory
        }

        /// From 1, as in editors.
        let number: Int
        let content: Content
        /// The memory of the bytes; nil for none.
        var memory: (any LineReservation)?
    }

    enum Step: Sendable {
        case line(Line)
        /// All bytes have been split.
        case needsBytes
        /// The memory for lines is used up in the middle of a line. The next step tries again; `skipLine` drops the line.
        case needsMemory
    }

    /// The maximum number of bytes of a line.
    let limit: Int
    let memory: any LineMemory
    private var number = 1
    /// The bytes from `position` on are not split yet.
    private var bytes = Data()
    private var position = 0
    /// The start of the line.
    private var rest = Data()
    private var reservation: (any LineReservation)?
    private var isSkipping = false

    init(limit: Int, memory: any LineMemory = UnlimitedLineMemory()) { (self.limit, self.memory) = (limit, memory) }

    /// Adds bytes, when all earlier ones are split.
    mutating func add(_ bytes: Data) { (self.bytes, position) = (bytes, bytes.startIndex) }

    mutating func next() -> Step {
        while position < bytes.endIndex {
            let end = Self.end(of: bytes[position...])
            let piece = bytes[position..<(end ?? bytes.endIndex)]
            if !isSkipping {
                if rest.count + piece.count > limit { return .line(skipLine(.tooLong)) }
                if !reserve(piece.count) { return .needsMemory }
                rest.append(piece)
            }
            position = end.map { $0 + 1 } ?? bytes.endIndex
            if end != nil, let line = endLine() { return .line(line) }
        }
        bytes = Data()
        position = 0
        return .needsBytes
    }

    /// Drops the current line, and skips the rest of it.
    mutating func skipLine(_ content: Line.Content = .noMemory) -> Line {
        isSkipping = true
        (rest, reservation) = (Data(), nil)
        return Line(number: number, content: content)
    }

    /// The last line, if it has no end.
    mutating func finish() -> Line? { rest.isEmpty ? nil : endLine() }

    private mutating func reserve(_ count: Int) -> Bool {
        if count == 0 { return true }
        if let reservation { return reservation.grow(by: count) }
        reservation = memory.reserve(count)
        return reservation != nil
    }

    private mutating func endLine() -> Line? {
        defer {
            (rest, reservation) = (Data(), nil)
            isSkipping = false
            number += 1
        }
        if number == 1, rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = Data(rest.dropFirst(3)) }
        // The white space of JSON, which includes CR.
        guard rest.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) else { return nil }
        return Line(number: number, content: .bytes(rest), memory: reservation)
    }

    private static func end(of bytes: Data) -> Data.Index? {
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress, let end = memchr(base, 0x0A, buffer.count) else { return nil }
            return bytes.startIndex + base.distance(to: UnsafeRawPointer(end))
        }
    }
}
