import Foundation

/// Cuts a stream of bytes into lines, and holds no more of one than it may have.
///
/// Lines end with LF or CRLF; the last needs no end. Empty ones count and are no lines; so does a byte order mark at the start.
struct LineSplitter {
    struct Line: Sendable {
        /// From 1, as editors count.
        let number: Int
        /// Nil for one that is too long: told as soon as that is known, and once.
        let content: Data?
    }

    /// Bytes of a line.
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

    /// The last line, where it has no end.
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
        // JSON's own white space, of which CR is one.
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
