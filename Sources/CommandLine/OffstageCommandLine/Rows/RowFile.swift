import Foundation
import Offstage
import OffstageRequests

/// A file of rows: a JSON object per line (JSON Lines), a JSON array of objects, or CSV with a header. Its bytes stay
/// in memory. A row is decoded when it is checked and again when it is drawn, so a hundred thousand rows take no more
/// memory than their file.
///
/// Lines end with LF or CRLF. Empty lines count as lines, but not as rows. A byte order mark at the start is skipped.
final class RowFile: Sendable {
    struct Line: Sendable {
        /// The number of the row's first line, from 1.
        let number: Int
        let bytes: Range<Int>
    }

    private enum Form {
        case lines
        case array
        case table(CSVTable)
    }

    /// The name in messages.
    let name: String
    /// The file's own folder; nil for standard input.
    let folder: String?
    let lines: [Line]
    private let form: Form
    private let isData: Bool
    private let bytes: Data

    /// - Parameters:
    ///   - path: the file; `-` for standard input.
    ///   - option: the option that names it, for the message.
    ///   - isData: true if it may also be a JSON array or CSV. A file is CSV if its name ends in `.csv`, and standard
    ///     input if it does not begin as JSON.
    init(_ path: String, option: String, isData: Bool = false) throws(UsageError) {
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
        self.isData = isData
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let first = bytes[start...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let isCSV = path.lowercased().hasSuffix(".csv") || (path == "-" && first != UInt8(ascii: "{"))
        if isData, first == UInt8(ascii: "["), !path.lowercased().hasSuffix(".csv") {
            (form, lines) = (.array, try JSONArray.elements(of: bytes, from: start, in: name))
            if lines.isEmpty { throw UsageError("\(name) contains no row; a row is a JSON object in its array") }
        } else if isData, isCSV, first != nil {
            let table = try CSVTable(bytes, from: start, in: name)
            (form, lines) = (.table(table), try table.records(of: bytes, in: name))
            if lines.isEmpty { throw UsageError("\(name) contains no row, only a header; add rows below it") }
        } else if !isData, path.lowercased().hasSuffix(".csv"), let first, first != UInt8(ascii: "{") {
            throw UsageError(
                "\(option): \(name) is a table, not a file of JSON lines; to render a picture of each row, give "
                    + "--template=PAGE --data=\(name)")
        } else {
            (form, lines) = (.lines, Self.split(bytes, from: start))
            if lines.isEmpty {
                throw UsageError("\(name) contains no row; a row is a JSON object on a line of its own")
            }
        }
    }

    /// The location of a row, for messages.
    func place(of line: Line) -> String { "\(name):\(line.number)" }

    /// The row's bytes, for detecting changes; for CSV, with the header.
    func content(of line: Line) -> Data {
        if case .table(let table) = form { bytes[table.header] + bytes[line.bytes] } else { bytes[line.bytes] }
    }

    /// The row's keys and values. If a key is repeated, one of its values is used.
    func object(at line: Line) throws(UsageError) -> [String: JSONValue] {
        switch form {
        case .table(let table): return try table.object(bytes[line.bytes], at: place(of: line))
        case .lines, .array:
            return try JSONValue.object(
                ofLine: bytes[line.bytes], at: place(of: line), ifNotText: "save the file as UTF-8",
                ifNotJSON: "a row is a JSON object on one line", limitsTexts: !isData)
        }
    }

    private static func split(_ bytes: Data, from start: Int) -> [Line] {
        bytes.withUnsafeBytes { bytes in
            var lines: [Line] = []
            var (position, number) = (start, 1)
            while position < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
                let length = memchr(rest.baseAddress!, 0x0A, rest.count).map { rest.baseAddress!.distance(to: $0) }
                let end = position + (length ?? rest.count)
                // JSON's white space, which includes CR.
                if bytes[position..<end].contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) {
                    lines.append(Line(number: number, bytes: position..<end))
                }
                (position, number) = (end + 1, number + 1)
            }
            return lines
        }
    }
}
