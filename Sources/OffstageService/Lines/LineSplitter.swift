import Foundation

/// Splits a stream of bytes into lines, and buffers at most the allowed bytes of one.
///
/// Lines end with LF or CRLF; the last line needs no end. Empty lines are counted and skipped. A byte order mark at the start is removed.
struct LineSplitter {
    struct Line: Sendable {
        /// From 1, like in editors.
        let number: Int
        /// Nil for a line that is too long. It is returned once, as soon as the limit is exceeded.
        let content: Data?
    }

    /// The maximum number of bytes of a line.
    let limit: Int
    private var number = 1
    private var rest = Data()
    private var isTooLong = false

    init(limit: Int) { self.limit = limit }

    mutating func split(_ bytes: Data) -> [Line] {
        var lines: [Line] = []
        var position = bytes.startIndex
        while position < bytes.endIndex {
            let end = Self.end(of: bytes[position...])
            add(bytes[position..<(end ?? bytes.endIndex)], &lines)
            guard let end else { break }
            endLine(&lines)
            position = end + 1
        }
        return lines
    }

    /// The last line, if it has no end.
    mutating func finish() -> [Line] {
        var lines: [Line] = []
        if !rest.isEmpty { endLine(&lines) }
        return lines
    }

    private mutating func add(_ bytes: Data, _ lines: inout [Line]) {
        if isTooLong { return }
        if rest.count + bytes.count <= limit { return rest.append(bytes) }
        isTooLong = true
        rest = Data()
        lines.append(Line(number: number, content: nil))
    }

    private mutating func endLine(_ lines: inout [Line]) {
        if number == 1, rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = Data(rest.dropFirst(3)) }
        // The white space of JSON, which includes CR.
        if rest.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) {
            lines.append(Line(number: number, content: rest))
        }
        rest = Data()
        isTooLong = false
        number += 1
    }

    private static func end(of bytes: Data) -> Data.Index? {
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress, let end = memchr(base, 0x0A, buffer.count) else { return nil }
            return bytes.startIndex + base.distance(to: UnsafeRawPointer(end))
        }
    }
}
