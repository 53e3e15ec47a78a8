import Foundation

/// Distinguishes JSON with the points of strokes, as used by perfect-freehand, from other JSON. It is stricter than the
/// program `offstage-ink`, because it also examines files that were not declared as ink. So everything at the beginning
/// of the text must match.
enum FreehandShape {
    private static let pointKeys: Set<String> = ["x", "y", "pressure", "p", "z", "t", "time"]

    /// - Parameter data: a file's first bytes, or all of them.
    static func matches(_ data: Data) -> Bool {
        guard let root = JSONHead.value(of: data) else { return false }
        return isDrawing(root) || (points(inRoot: root) ?? 0) > 0
    }

    /// True for a file of Excalidraw or tldraw, which identifies itself.
    private static func isDrawing(_ root: JSONHead.Value) -> Bool {
        guard case .object(let entries, _) = root else { return false }
        return entries.contains { key, value in
            if key == "tldrawFileFormatVersion" { return value.isNumber }
            guard key == "type", case .text(let type) = value else { return false }
            return type.hasPrefix("excalidraw")
        }
    }

    /// The number of complete points in the text, which may be truncated; nil for a value without strokes. A value that
    /// is cut off at the end counts as valid.
    private static func points(inRoot root: JSONHead.Value) -> Int? {
        switch root {
        case .number, .text, .null, .other: return nil
        case .array(let values, _): return points(inStroke: root) ?? sum(values.map(points(inElement:)))
        case .object(let entries, _):
            if let strokes = entries.first(where: { $0.key == "strokes" })?.value {
                guard case .array(let values, _) = strokes else { return nil }
                return points(inStroke: strokes) ?? sum(values.map(points(inElement:)))
            }
            if entries.contains(where: { $0.key == "points" }) { return points(inElement: root) }
            // Strokes by their names.
            return sum(entries.map { points(inStroke: $0.value) })
        }
    }

    private static func sum(_ counts: [Int?]) -> Int? {
        var sum = 0
        for count in counts {
            guard let count else { return nil }
            sum += count
        }
        return sum
    }

    /// A stroke in a list: its points, or an object with them and the options of perfect-freehand.
    private static func points(inElement value: JSONHead.Value) -> Int? {
        guard case .object(let entries, let isWhole) = value else { return points(inStroke: value) }
        guard let stroke = entries.first(where: { $0.key == "points" })?.value else { return isWhole ? nil : 0 }
        return points(inStroke: stroke)
    }

    private static func points(inStroke value: JSONHead.Value) -> Int? {
        guard case .array(let values, _) = value else { return nil }
        var count = 0
        for value in values {
            switch value {
            case .array(let numbers, let isWhole):
                guard numbers.count <= 4, numbers.allSatisfy(\.isCoordinate), !isWhole || numbers.count >= 2 else {
                    return nil
                }
                if isWhole { count += 1 }
            case .object(let entries, let isWhole):
                guard entries.allSatisfy({ pointKeys.contains($0.key) && $0.value.isCoordinate }) else { return nil }
                let hasPlace = ["x", "y"].allSatisfy { key in entries.contains { $0.key == key } }
                guard hasPlace || !isWhole else { return nil }
                if isWhole { count += 1 }
            case .number, .text, .null, .other: return nil
            }
        }
        return count
    }
}

/// Reads the beginning of a JSON text, which may end anywhere.
private struct JSONHead {
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
