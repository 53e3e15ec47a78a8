import Foundation

/// The form of an annotation in a file. What has its default is left out, and what a file leaves out has its default.
extension PageAnnotation {
    private enum Key: String, CodingKey {
        case kind, part, marks, strokes, color, width, pen, text
        case identifier, author, modified, opacity, fontSize, fontFamily, alignment, fill, borderWidth
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        func value<Value: Decodable>(_ key: Key, _ missing: Value) throws -> Value {
            try values.decodeIfPresent(Value.self, forKey: key) ?? missing
        }
        self.init(
            kind: try values.decode(Kind.self, forKey: .kind), part: try values.decode(PagePart.self, forKey: .part))
        marks = try value(.marks, marks)
        strokes = try value(.strokes, strokes)
        color = try value(.color, color)
        width = try value(.width, width)
        pen = try values.decodeIfPresent(Pen.self, forKey: .pen)
        text = try value(.text, text)
        identifier = try values.decodeIfPresent(String.self, forKey: .identifier)
        author = try value(.author, author)
        if let time = try values.decodeIfPresent(String.self, forKey: .modified) {
            modified = try Self.date(time, values)
        }
        opacity = try value(.opacity, opacity)
        fontSize = try value(.fontSize, fontSize)
        fontFamily = try value(.fontFamily, fontFamily)
        alignment = try value(.alignment, alignment)
        fill = try values.decodeIfPresent(Color.self, forKey: .fill)
        borderWidth = try value(.borderWidth, borderWidth)
    }

    /// A time, to the second or finer.
    private static func date(_ text: String, _ values: KeyedDecodingContainer<Key>) throws -> Date {
        let styles = [true, false].map { Date.ISO8601FormatStyle(includingFractionalSeconds: $0) }
        for style in styles { if let date = try? style.parse(text) { return date } }
        throw DecodingError.dataCorruptedError(forKey: .modified, in: values, debugDescription: "not an ISO 8601 time")
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(kind, forKey: .kind)
        try values.encode(part, forKey: .part)
        try values.encode(marks, forKey: .marks)
        try values.encode(strokes, forKey: .strokes)
        try values.encode(color, forKey: .color)
        try values.encode(width, forKey: .width)
        try values.encodeIfPresent(pen, forKey: .pen)
        try values.encode(text, forKey: .text)
        // Later than the first version, so that its files stay as they are.
        let plain = PageAnnotation(kind: kind, part: part)
        func encode<Value: Encodable & Equatable>(_ path: KeyPath<PageAnnotation, Value>, _ key: Key) throws {
            if self[keyPath: path] != plain[keyPath: path] { try values.encode(self[keyPath: path], forKey: key) }
        }
        try values.encodeIfPresent(identifier, forKey: .identifier)
        try encode(\.author, .author)
        if let modified {
            let isWhole = modified.timeIntervalSince1970 == modified.timeIntervalSince1970.rounded()
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: !isWhole)
            try values.encode(modified.formatted(style), forKey: .modified)
        }
        try encode(\.opacity, .opacity)
        try encode(\.fontSize, .fontSize)
        try encode(\.fontFamily, .fontFamily)
        try encode(\.alignment, .alignment)
        try values.encodeIfPresent(fill, forKey: .fill)
        try encode(\.borderWidth, .borderWidth)
    }
}
