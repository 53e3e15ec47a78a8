import Foundation

/// The limits of one JSON object: a request, a command, a row of a file, or values of a template. They keep the time to read it
/// in proportion to its bytes.
///
/// Foundation's decoder takes time in proportion to the number of values times the square of their depth: 30 KB that
/// were nested 400 deep took 70 s. Hashing a text takes time in proportion to the square of the number of combining
/// marks in a row: 160 KB took 2 s. So a cheap pass over the bytes checks the counts before anything is decoded, and
/// texts are limited before anything hashes or compares them. Documents and values of templates are exempt, because
/// they are never hashed or compared.
package enum JSONLimits {
    /// The maximum number of keys and of elements of lists, together. A request has fewer than a hundred options, but its lists and
    /// the tokens of a template may be longer.
    package static let values = 10_000
    /// The maximum depth. The deepest value is a list in an option in the `options` of a template's row.
    package static let depth = 8
    /// The maximum length of a key, in bytes as written.
    package static let keyBytes = 255
    /// The maximum length of a client's identifier, of its name for a group or a suspension, and of a line's `id`, in
    /// bytes. They are repeated in results and events, or stored.
    package static let nameBytes = 255
    /// The maximum length of a text other than a document, in bytes; Linux has the same limit for a path.
    package static let textBytes = 4096
    /// The maximum length of all these texts together, in bytes.
    package static let allTextBytes = 65_536

    /// The limit that the bytes of an object exceed, as the end of a sentence; nil for none. Takes time in proportion
    /// to the bytes, even for bytes that are not JSON.
    ///
    /// - Parameter values: the maximum number of keys and of elements of lists.
    package static func problem(in bytes: UnsafeRawBufferPointer, values: Int = JSONLimits.values) -> String? {
        var (count, depth, index) = (0, 0, 0)
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                let end = endOfText(bytes, from: index + 1)
                if end - index - 1 > keyBytes, isKey(bytes, before: end + 1) {
                    return "has a key of more than \(keyBytes) bytes"
                }
                index = end
            case UInt8(ascii: ","): count += 1
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                (count, depth) = (count + 1, depth + 1)
                if depth > Self.depth { return "has lists and objects nested more than \(Self.depth) deep" }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
            if count > values { return "has more than \(values) keys and elements of lists" }
            index += 1
        }
        return nil
    }

    /// The index of the quotation mark that ends a text; the number of bytes if there is no such mark.
    private static func endOfText(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        guard let base = bytes.baseAddress else { return bytes.count }
        var position = start
        while position < bytes.count, let found = memchr(base + position, 0x22, bytes.count - position) {
            let end = base.distance(to: UnsafeRawPointer(found))
            // Count the escapes before the mark, no further back than the previous mark, so that each byte is examined
            // only once.
            var first = end
            while first > position, bytes[first - 1] == UInt8(ascii: "\\") { first -= 1 }
            if (end - first).isMultiple(of: 2) { return end }
            position = end + 1
        }
        return bytes.count
    }

    /// True if a colon follows a text.
    private static func isKey(_ bytes: UnsafeRawBufferPointer, before end: Int) -> Bool {
        var index = end
        while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
        return index < bytes.count && bytes[index] == UInt8(ascii: ":")
    }

    /// The limit that the texts of a request's keys exceed, except for documents, as the end of a sentence; nil for none.
    package static func problem(in object: [String: JSONValue]) -> String? {
        let documents = SourceRegistry.textKeys
        var (sum, tooLong): (Int, [String]) = (0, [])
        for (key, value) in object where !documents.contains(key) {
            let own = value.textBytes
            if own.longest > textBytes { tooLong.append(key) }
            sum += own.sum
        }
        // Report the alphabetically first one, so that the message is always the same.
        if let key = tooLong.min() { return "has a text of more than \(textBytes) bytes in \(key.quoted)" }
        return sum > allTextBytes ? "has more than \(allTextBytes) bytes of text in addition to its document" : nil
    }
}

extension JSONValue {
    /// The bytes of the longest text and of all texts.
    var textBytes: (longest: Int, sum: Int) {
        switch self {
        case .text(let text): (text.utf8.count, text.utf8.count)
        case .list(let values): Self.textBytes(of: values)
        case .object(let object): Self.textBytes(of: object.values)
        case .null, .bool, .integer, .number: (0, 0)
        }
    }

    private static func textBytes(of values: some Sequence<JSONValue>) -> (longest: Int, sum: Int) {
        values.reduce(into: (longest: 0, sum: 0)) { result, value in
            let (longest, sum) = value.textBytes
            result = (max(result.longest, longest), result.sum + sum)
        }
    }
}
