import Foundation

/// The file format of an annotation. Default values are omitted, and omitted values have their defaults.
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
        func number(_ key: Key, _ missing: Double, _ range: ClosedRange<Double>) throws -> Double {
            let number = try value(key, missing)
            if range.contains(number) { return number }
            throw ValueFault("is not a number from \(range.lowerBound) to \(range.upperBound)").error(key, values)
        }
        self.init(
            kind: try values.decode(Kind.self, forKey: .kind), part: try values.decode(PagePart.self, forKey: .part))
        marks = try value(.marks, marks)
        strokes = try value(.strokes, strokes)
        if !part.isNear { throw ValueFault("is not a rectangle near the page").error(.part, values) }
        if !marks.allSatisfy(\.isNear) {
            throw ValueFault("has a rectangle that is not near the page").error(.marks, values)
        }
        if !strokes.allSatisfy({ $0.allSatisfy { (-100...100).contains($0.x) && (-100...100).contains($0.y) } }) {
            throw ValueFault("has a point that is not near the page").error(.strokes, values)
        }
        color = try value(.color, color)
        width = try number(.width, width, 0...1_000)
        pen = try values.decodeIfPresent(Pen.self, forKey: .pen)
        text = try value(.text, text)
        identifier = try Self.identifier(values)
        author = try value(.author, author)
        if let time = try values.decodeIfPresent(String.self, forKey: .modified) {
            modified = try Self.date(time, values)
        }
        opacity = try number(.opacity, opacity, 0...1)
        fontSize = try number(.fontSize, fontSize, 0.1...1_000)
        fontFamily = try value(.fontFamily, fontFamily)
        alignment = try value(.alignment, alignment)
        fill = try values.decodeIfPresent(Color.self, forKey: .fill)
        borderWidth = try number(.borderWidth, borderWidth, 0...1_000)
    }

    /// An empty name counts as no name.
    private static func identifier(_ values: KeyedDecodingContainer<Key>) throws -> String? {
        guard let text = try values.decodeIfPresent(String.self, forKey: .identifier), !text.isEmpty else { return nil }
        if text.unicodeScalars.count > 1_000
            || text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        {
            throw ValueFault("is not a name of at most 1000 characters without control characters").error(
                .identifier, values)
        }
        return text
    }

    /// A time, to the second or finer.
    private static func date(_ text: String, _ values: KeyedDecodingContainer<Key>) throws -> Date {
        let styles = [true, false].map { Date.ISO8601FormatStyle(includingFractionalSeconds: $0) }
        for style in styles { if let date = try? style.parse(text), date.pdfDate != nil { return date } }
        throw ValueFault("is not a time in the form of ISO 8601").error(.modified, values)
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
        // These keys are newer than the first version, so they are omitted if possible.
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

extension PageAnnotation.Color {
    private enum Key: String, CodingKey { case red, green, blue }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        self.init(
            red: try values.byte(.red), green: try values.byte(.green), blue: try values.byte(.blue))
    }
}

extension PageAnnotation.Pen {
    private enum Key: String, CodingKey { case widths, opacity, isHighlighter }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let widths = try values.decode([[Double]].self, forKey: .widths)
        if widths.contains(where: { $0.contains { !(0...1_000).contains($0) } }) {
            throw ValueFault("has a number that is not from 0 to 1000").error(.widths, values)
        }
        self.init(
            widths: widths, opacity: try values.byte(.opacity),
            isHighlighter: try values.decode(Bool.self, forKey: .isHighlighter))
    }
}

extension PagePart {
    /// Within a hundred times the page's size on each side.
    fileprivate var isNear: Bool {
        [x, y, right, bottom].allSatisfy { (-100...100).contains($0) } && width >= 0 && height >= 0
    }
}

extension KeyedDecodingContainer {
    /// Foundation's own error for a byte that is too large lacks the location.
    fileprivate func byte(_ key: Key) throws -> UInt8 {
        guard let byte = UInt8(exactly: try decode(Double.self, forKey: key)) else {
            throw ValueFault("is not a whole number from 0 to 255").error(key, self)
        }
        return byte
    }
}
