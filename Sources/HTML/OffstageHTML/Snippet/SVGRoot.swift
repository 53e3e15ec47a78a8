import Foundation

/// The first tag of an SVG document: its size, before any engine reads it.
struct SVGRoot {
    /// The attributes by name, as written.
    private(set) var attributes: [String: String] = [:]
    /// The position after the tag's name, where an attribute can be added.
    private(set) var insertion = 0

    /// - Parameter data: UTF-8, or another charset that contains ASCII.
    /// - Returns: nil if the document does not begin with an `svg` element.
    init?(_ data: Data) {
        var bytes = TagReader(bytes: data)
        if bytes.has("\u{FEFF}") { bytes.position += 3 }
        while true {
            bytes.skipSpaces()
            if bytes.has("<?") {
                guard bytes.skip(past: "?>") else { return nil }
            } else if bytes.has("<!--") {
                guard bytes.skip(past: "-->") else { return nil }
            } else if bytes.has("<!DOCTYPE") {
                guard bytes.skipDeclaration() else { return nil }
            } else {
                break
            }
        }
        guard bytes.has("<") else { return nil }
        bytes.position += 1
        let name = bytes.name()
        guard name == "svg" || name.hasSuffix(":svg") else { return nil }
        insertion = bytes.position
        while let (name, value) = bytes.attribute() { attributes[name] = value }
    }

    /// The declared size, or that of the `viewBox`, in CSS px; nil for a document that has neither.
    var size: (width: Double, height: Double)? {
        let box = viewBox
        let (width, height) = (length("width"), length("height"))
        switch (width, height) {
        case (let width?, let height?): return (width, height)
        case (let width?, nil): return box.map { (width, width * $0.height / $0.width) }
        case (nil, let height?): return box.map { (height * $0.width / $0.height, height) }
        case (nil, nil): return box
        }
    }

    var viewBox: (width: Double, height: Double)? {
        let numbers = (attributes["viewBox"] ?? "").split { $0 == "," || $0.isWhitespace }.map { Double($0) }
        guard numbers.count == 4, let width = numbers[2], let height = numbers[3], width > 0, height > 0,
            width.isFinite, height.isFinite
        else { return nil }
        return (width, height)
    }

    /// The value of a property in the `style` attribute, which overrides the attribute of the same name.
    private func style(_ name: String) -> String? {
        let declarations = (attributes["style"] ?? "").split(separator: ";").map {
            $0.split(separator: ":", maxSplits: 1)
        }
        return declarations.last { $0.count == 2 && $0[0].trimmingCharacters(in: .whitespaces).lowercased() == name }
            .map { String($0[1]) }
    }

    /// The CSS px of an absolute length. Nil for an invalid or missing length, and for one relative to the viewport.
    private func length(_ name: String) -> Double? {
        let declared = style(name) ?? attributes[name]
        guard let text = declared?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        let unit = text.reversed().prefix { $0.isLetter || $0 == "%" }.reversed()
        guard let number = Double(text.dropLast(unit.count)), number > 0, number.isFinite else { return nil }
        let inch = 96.0
        switch String(unit).lowercased() {
        case "", "px": return number
        case "in": return number * inch
        case "cm": return number * inch / 2.54
        case "mm": return number * inch / 25.4
        case "q": return number * inch / 101.6
        case "pt": return number * inch / 72
        case "pc": return number * inch / 6
        case "em": return number * 16
        default: return nil
        }
    }
}

/// Reads the bytes of a tag from start to end.
private struct TagReader {
    let bytes: Data
    var position = 0

    private var isAtEnd: Bool { position >= bytes.count }
    private var byte: UInt8 { bytes[bytes.startIndex + position] }
    private var isSpace: Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    func has(_ text: String) -> Bool { bytes.dropFirst(position).starts(with: text.utf8) }

    mutating func skipSpaces() { while !isAtEnd, isSpace { position += 1 } }

    mutating func skip(past end: String) -> Bool {
        let start = bytes.startIndex + position
        guard let range = bytes.range(of: Data(end.utf8), in: start..<bytes.endIndex) else { return false }
        position = range.upperBound - bytes.startIndex
        return true
    }

    /// A document type, which may have declarations in brackets.
    mutating func skipDeclaration() -> Bool {
        var depth = 0
        while !isAtEnd {
            defer { position += 1 }
            switch byte {
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">") where depth <= 0: return true
            default: break
            }
        }
        return false
    }

    mutating func name() -> String {
        let start = position
        while !isAtEnd, !isSpace, ![UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "/")].contains(byte) {
            position += 1
        }
        return String(decoding: bytes.dropFirst(start).prefix(position - start), as: UTF8.self)
    }

    /// Nil at the end of the tag, or where it is not well-formed.
    mutating func attribute() -> (name: String, value: String)? {
        skipSpaces()
        let name = name()
        skipSpaces()
        guard !name.isEmpty, !isAtEnd, byte == UInt8(ascii: "=") else { return nil }
        position += 1
        skipSpaces()
        guard !isAtEnd, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(byte) else { return nil }
        let quote = byte
        position += 1
        let start = position
        while !isAtEnd, byte != quote { position += 1 }
        let value = String(decoding: bytes.dropFirst(start).prefix(position - start), as: UTF8.self)
        if !isAtEnd { position += 1 }
        return (name, value)
    }
}
