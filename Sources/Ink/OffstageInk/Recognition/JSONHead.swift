import Foundation

/// Reads the beginning of a JSON text, which may end anywhere.
struct JSONHead {
    enum Value {
        case number
        /// As written, with its escapes.
        case text(String)
        /// Also NaN, as JavaScript writes it.
        case null
        /// True or false.
        case other
        /// If `isWhole` is false, the text ends within the array.
        case array([Value], isWhole: Bool)
        case object([(key: String, value: Value)], isWhole: Bool)

        var isNumber: Bool { if case .number = self { true } else { false } }
        var isCoordinate: Bool { if case .null = self { true } else { isNumber } }
    }

    /// The text is not JSON, or is nested more deeply than ink.
    private struct Strange: Error {}

    /// Texture images precede the points: 128 × 128 px take up to 90 KB as base64.
    private static let mostBytes = 256 << 10
    private static let mostLevels = 16
    private let bytes: [UInt8]
    private var at = 0

    private init(_ data: Data) { bytes = Array(data.prefix(Self.mostBytes)) }

    /// The array or the object with which a text begins; nil for other texts.
    static func value(of data: Data) -> Value? {
        var head = JSONHead(data)
        head.skipSpace()
        guard let first = head.next, first == UInt8(ascii: "[") || first == UInt8(ascii: "{") else { return nil }
        guard let read = try? head.value(level: 0) else { return nil }
        head.skipSpace()
        return head.next == nil ? read : nil
    }

    private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 32 || byte == 10 || byte == 13 || byte == 9 { at += 1 }
    }

    /// - Returns: nil for a value that is not a list, if the text ends within it.
    private mutating func value(level: Int) throws(Strange) -> Value? {
        guard level < Self.mostLevels else { throw Strange() }
        skipSpace()
        guard let first = next else { return nil }
        switch first {
        case UInt8(ascii: "["): return try array(level)
        case UInt8(ascii: "{"): return try object(level)
        case UInt8(ascii: "\""): return try string().map(Value.text)
        case UInt8(ascii: "t"): return try word("true")
        case UInt8(ascii: "f"): return try word("false")
        case UInt8(ascii: "n"): return try word("null").map { _ in .null }
        default: return try number()
        }
    }

    private mutating func array(_ level: Int) throws(Strange) -> Value {
        at += 1
        var values: [Value] = []
        skipSpace()
        if next == UInt8(ascii: "]") {
            at += 1
            return .array([], isWhole: true)
        }
        while let value = try value(level: level + 1) {
            values.append(value)
            guard let isLast = try ends(with: UInt8(ascii: "]")) else { break }
            if isLast { return .array(values, isWhole: true) }
        }
        return .array(values, isWhole: false)
    }

    private mutating func object(_ level: Int) throws(Strange) -> Value {
        at += 1
        var entries: [(key: String, value: Value)] = []
        skipSpace()
        if next == UInt8(ascii: "}") {
            at += 1
            return .object([], isWhole: true)
        }
        while let key = try key(), let value = try value(level: level + 1) {
            entries.append((key, value))
            guard let isLast = try ends(with: UInt8(ascii: "}")) else { break }
            if isLast { return .object(entries, isWhole: true) }
        }
        return .object(entries, isWhole: false)
    }

    /// Reads the text after a value: a comma, or the end of the list; nil at the end of the text.
    private mutating func ends(with end: UInt8) throws(Strange) -> Bool? {
        skipSpace()
        guard let byte = next else { return nil }
        guard byte == end || byte == UInt8(ascii: ",") else { throw Strange() }
        at += 1
        return byte == end
    }

    private mutating func key() throws(Strange) -> String? {
        skipSpace()
        guard let quote = next else { return nil }
        guard quote == UInt8(ascii: "\"") else { throw Strange() }
        guard let key = try string() else { return nil }
        skipSpace()
        guard let colon = next else { return nil }
        guard colon == UInt8(ascii: ":") else { throw Strange() }
        at += 1
        return key
    }

    /// The text between the quotes as it is written, with its escapes.
    private mutating func string() throws(Strange) -> String? {
        at += 1
        let start = at
        while let byte = next {
            if byte == UInt8(ascii: "\"") {
                at += 1
                return String(decoding: bytes[start..<(at - 1)], as: UTF8.self)
            }
            if byte < 32 { throw Strange() }
            at = min(at + (byte == UInt8(ascii: "\\") ? 2 : 1), bytes.count)
        }
        return nil
    }

    private mutating func word(_ word: String) throws(Strange) -> Value? {
        let found = bytes[at...].prefix(word.utf8.count)
        guard word.utf8.starts(with: found) else { throw Strange() }
        at += found.count
        return found.count == word.utf8.count ? .other : nil
    }

    private mutating func number() throws(Strange) -> Value? {
        let start = at
        while let byte = next, (48...57).contains(byte) || "+-.eE".utf8.contains(byte) { at += 1 }
        // More may follow.
        if next == nil { return nil }
        guard Double(String(decoding: bytes[start..<at], as: UTF8.self)) != nil else { throw Strange() }
        return .number
    }
}
