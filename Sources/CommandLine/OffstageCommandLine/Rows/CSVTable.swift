import Foundation
import OffstageRequests

/// CSV (RFC 4180) with a header: a row's keys are the names of the columns, and all of its values are text. A field in
/// double quotes can contain line ends, separators, and doubled quotes. Commas separate fields; semicolons or tabs do
/// if the header has them and no comma.
struct CSVTable: Sendable {
    /// The range of the header.
    let header: Range<Int>
    private let names: [String]
    private let separator: UInt8

    /// - Parameter name: the file's name, for messages.
    init(_ bytes: Data, from start: Int, in name: String) throws(UsageError) {
        var found: (header: Range<Int>, names: [String], separator: UInt8)?
        for separator in ",;\t".utf8 where found == nil || found!.names.count == 1 {
            var reader = CSVReader(bytes: bytes, position: start, separator: separator)
            guard let record = try reader.next(in: name) else { continue }
            let names = try reader.fields(of: record.bytes, at: "\(name):\(record.number)")
            if found == nil || names.count > 1 { found = (record.bytes, names, separator) }
        }
        guard let found else {
            throw UsageError("\(name) contains no row; CSV begins with a header that names the columns")
        }
        (header, names, separator) = found
        if let index = names.firstIndex(of: "") {
            throw UsageError("\(name): column \(index + 1) has no name; name it in the first line")
        }
        if names.count > JSONLimits.values {
            throw UsageError("\(name) has more than \(JSONLimits.values) columns; leave some out")
        }
        if let index = names.firstIndex(where: { $0.utf8.count > JSONLimits.keyBytes }) {
            throw UsageError(
                "\(name): column \(index + 1) has a name of more than \(JSONLimits.keyBytes) bytes; shorten it")
        }
        var seen: Set<String> = []
        if let twice = names.first(where: { !seen.insert($0).inserted }) {
            throw UsageError("\(name): two columns are called \(twice.quoted); rename one")
        }
    }

    /// The rows below the header.
    func records(of bytes: Data, in name: String) throws(UsageError) -> [RowFile.Line] {
        var reader = CSVReader(bytes: bytes, position: header.lowerBound, separator: separator)
        reader.line = bytes[..<header.lowerBound].count { $0 == 0x0A } + 1
        var lines: [RowFile.Line] = []
        _ = try reader.next(in: name)
        while let line = try reader.next(in: name) { lines.append(line) }
        return lines
    }

    /// - Parameter place: the row, for messages.
    func object(_ record: Data, at place: String) throws(UsageError) -> [String: JSONValue] {
        let fields = try CSVReader(bytes: record, position: record.startIndex, separator: separator).fields(
            of: record.startIndex..<record.endIndex, at: place)
        guard fields.count == names.count else {
            throw UsageError("\(place): the row has \(fields.count) fields, and the header has \(names.count) names")
        }
        return Dictionary(uniqueKeysWithValues: zip(names, fields.map { .text($0) }))
    }
}

private struct CSVReader {
    let bytes: Data
    var position: Int
    let separator: UInt8
    var line = 1

    private static let quote = UInt8(ascii: "\"")

    init(bytes: Data, position: Int, separator: UInt8) {
        (self.bytes, self.position, self.separator) = (bytes, position, separator)
    }

    /// The next record that is not an empty line, without its line end; nil at the end.
    mutating func next(in name: String) throws(UsageError) -> RowFile.Line? {
        while position < bytes.endIndex {
            let (start, number) = (position, line)
            var (isQuoted, isFieldStart) = (false, true)
            while position < bytes.endIndex {
                let byte = bytes[position]
                if byte == 0x0A { line += 1 }
                if isQuoted {
                    // A doubled quote closes the field and opens it again.
                    if byte == Self.quote { isQuoted = false }
                } else if byte == 0x0A {
                    break
                } else if byte == Self.quote, isFieldStart || bytes[position - 1] == Self.quote {
                    isQuoted = true
                }
                isFieldStart = !isQuoted && byte == separator
                position += 1
            }
            if isQuoted { throw UsageError("\(name):\(number): a quoted field has no closing quote; add a \"") }
            var end = position
            position += 1
            if end > start, bytes[end - 1] == 0x0D { end -= 1 }
            if end > start { return RowFile.Line(number: number, bytes: start..<end) }
        }
        return nil
    }

    /// - Parameter place: the record, for messages.
    func fields(of record: Range<Int>, at place: String) throws(UsageError) -> [String] {
        var fields: [String] = []
        var position = record.lowerBound
        while true {
            var field: [UInt8] = []
            if position < record.upperBound, bytes[position] == Self.quote {
                position += 1
                while position < record.upperBound {
                    let byte = bytes[position]
                    position += 1
                    if byte == Self.quote {
                        guard position < record.upperBound, bytes[position] == Self.quote else { break }
                        position += 1
                    }
                    field.append(byte)
                }
                guard position == record.upperBound || bytes[position] == separator else {
                    throw UsageError("\(place): text follows a quoted field; write each quote inside a field twice")
                }
            } else {
                while position < record.upperBound, bytes[position] != separator {
                    field.append(bytes[position])
                    position += 1
                }
            }
            guard let text = String(validating: field, as: UTF8.self) else {
                throw UsageError("\(place): the line is not UTF-8; save the file as UTF-8")
            }
            fields.append(text)
            if position >= record.upperBound { return fields }
            position += 1
        }
    }
}
