import Foundation
import Offstage
import OffstageRequests

/// A file of rows, a JSON object a line (JSON Lines). Its bytes stay in memory; a line is read when it is checked and once
/// more when it is drawn, so that a hundred thousand rows are no more than their file.
///
/// Lines end with LF or CRLF. Empty ones count and are no rows; so does a byte order mark at the start.
final class RowFile: Sendable {
    struct Line: Sendable {
        /// From 1, as editors count.
        let number: Int
        fileprivate let bytes: Range<Int>
    }

    /// What messages call it.
    let name: String
    /// The file's own folder; nil for standard input.
    let folder: String?
    let lines: [Line]
    private let bytes: Data

    /// - Parameters:
    ///   - path: the file; `-` for standard input.
    ///   - option: the one that names it, for the message.
    init(_ path: String, option: String) throws(UsageError) {
        do {
            if path == "-" {
                (name, folder, bytes) = ("standard input", nil, try StandardInput.read())
            } else {
                let file = try PlainFile.open(path)
                (name, folder) = (path, parentFolder(of: path))
                bytes = try file.readToEnd() ?? Data()
            }
        } catch {
            throw UsageError("\(option): \(error)")
        }
        lines = Self.split(bytes)
        if lines.isEmpty { throw UsageError("\(name) holds no row; a row is a JSON object on a line of its own") }
    }

    /// Where a row is, for messages.
    func place(of line: Line) -> String { "\(name):\(line.number)" }

    /// The line's bytes, to tell whether they are what they were.
    func content(of line: Line) -> Data { bytes[line.bytes] }

    /// The row's keys and values. Where a key stands twice one of them holds.
    func object(at line: Line) throws(UsageError) -> [String: JSONValue] {
        try JSONValue.object(
            ofLine: bytes[line.bytes], at: place(of: line), ifNotText: "save the file as UTF-8",
            ifNotJSON: "a row is a JSON object on one line")
    }

    private static func split(_ bytes: Data) -> [Line] {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        return bytes.withUnsafeBytes { bytes in
            var lines: [Line] = []
            var (position, number) = (start, 1)
            while position < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
                let length = memchr(rest.baseAddress!, 0x0A, rest.count).map { rest.baseAddress!.distance(to: $0) }
                let end = position + (length ?? rest.count)
                // JSON's own white space, of which CR is one.
                if bytes[position..<end].contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) {
                    lines.append(Line(number: number, bytes: position..<end))
                }
                (position, number) = (end + 1, number + 1)
            }
            return lines
        }
    }
}
