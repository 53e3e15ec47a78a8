import Foundation

/// Makes SVG images show the start of their animations, whenever the picture is taken. No script of ours reaches the document of an
/// image, and WebKit starts its clock when it is first painted. So the file is changed: an animation lasts for years, one that
/// would begin later never begins, and those of a style sheet are paused.
enum AnimatedSVG {
    /// The bytes of an SVG file without motion; the same bytes if it has none.
    static func stopped(_ file: Data) -> Data {
        let hasKeyframes = contains(file, "keyframes")
        guard hasKeyframes || contains(file, "animate") || contains(file, "set") else { return file }
        let bytes = Array(file)
        var result: [UInt8] = []
        // Up to here the bytes are in `result`.
        var copied = 0
        var index = 0
        while let open = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            index = open + 1
            let isClosing = index < bytes.count && bytes[index] == UInt8(ascii: "/")
            let name = bytes[(index + (isClosing ? 1 : 0))...].prefix { isName($0) }
            let local = String(decoding: name.split(separator: UInt8(ascii: ":")).last ?? [], as: UTF8.self)
            if isClosing {
                guard hasKeyframes, local == "style" else { continue }
                result += bytes[copied..<open] + Array("*{animation-play-state:paused!important}".utf8)
                copied = open
            } else if elements.contains(local),
                let end = bytes[name.endIndex...].prefix(longestTag).firstIndex(where: { $0 == 0x3C || $0 == 0x3E }),
                bytes[end] == UInt8(ascii: ">")
            {
                result += bytes[copied..<name.endIndex]
                result += Array(stopped(tag: String(decoding: bytes[name.endIndex..<end], as: UTF8.self)).utf8)
                (copied, index) = (end, end)
            }
        }
        return copied == 0 ? file : Data(result + bytes[copied...])
    }

    private static let elements: Set = ["animate", "animateTransform", "animateMotion", "animateColor", "set"]
    /// Bytes. A longer one stays as it is.
    private static let longestTag = 65_536

    private static func isName(_ byte: UInt8) -> Bool { isPlain(byte) || "-_.:".utf8.contains(byte) }

    private static func contains(_ data: Data, _ text: StaticString) -> Bool { place(of: text, in: data) != nil }

    /// The index at which a text starts in data.
    private static func place(of text: StaticString, in data: Data) -> Int? {
        data.withUnsafeBytes { bytes in
            let (count, length) = (bytes.count, text.utf8CodeUnitCount)
            guard let base = bytes.baseAddress else { return nil }
            var offset = 0
            while offset + length <= count,
                let found = memchr(base + offset, Int32(text.utf8Start[0]), count - offset - length + 1)
            {
                offset = UnsafeRawPointer(found) - base
                if memcmp(found, text.utf8Start, length) == 0 { return data.startIndex + offset }
                offset += 1
            }
            return nil
        }
    }

    /// A document or a style sheet without motion in the SVG images of its data URIs.
    static func stopped(inText text: Data) async -> Data {
        contains(text, mark) ? await changed(text) : text
    }

    private static let mark: StaticString = "data:image/svg+xml"

    /// Off the main thread: a document may be one large image.
    @concurrent
    private static func changed(_ text: Data) async -> Data {
        var result = Data()
        var rest = text
        while let start = place(of: mark, in: rest) {
            let after = start + mark.utf8CodeUnitCount
            let quote = start > rest.startIndex ? rest[start - 1] : 0
            let head = rest[after...].prefix(64).prefix { $0 != UInt8(ascii: ",") }
            guard head.endIndex < rest.endIndex, rest[head.endIndex] == UInt8(ascii: ",") else {
                result += Data(rest[..<after])
                rest = rest[after...]
                continue
            }
            let end = rest[head.endIndex...].firstIndex { ends($0, after: quote) } ?? rest.endIndex
            result += Data(rest[...head.endIndex])
            let isBase64 = contains(Data(head), "base64")
            result += content(Data(rest[(head.endIndex + 1)..<max(end, head.endIndex + 1)]), isBase64: isBase64)
            rest = rest[max(end, head.endIndex + 1)...]
        }
        return result + Data(rest)
    }

    private static func content(_ content: Data, isBase64: Bool) -> Data {
        if isBase64 {
            let padding = Data(repeating: UInt8(ascii: "="), count: -content.count & 3)
            guard let file = Data(base64Encoded: content + padding) else { return content }
            let changed = stopped(file)
            return changed == file ? content : changed.base64EncodedData()
        }
        // References of HTML are decoded before the URI is: encoding them again would change their meaning.
        if content.contains(UInt8(ascii: "&")) { return content }
        let file = percentDecoded(content)
        // Where a quote is missing, this is the rest of the document.
        guard file.first(where: { $0 > 0x20 }) == UInt8(ascii: "<"), contains(file, "<svg") else { return content }
        let changed = stopped(file)
        if changed == file { return content }
        return Data(changed.flatMap { isPlain($0) ? [$0] : Array(String(format: "%%%02X", Int($0)).utf8) })
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// Decodes percent signs like a browser: one without two digits stays.
    private static func percentDecoded(_ text: Data) -> Data {
        let bytes = Array(text)
        var result = Data(capacity: bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let byte = UInt8(String(decoding: bytes[index + 1...index + 2], as: UTF8.self), radix: 16)
            {
                result.append(byte)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    /// Returns true if a byte ends a data URI that follows the byte `quote`.
    private static func ends(_ byte: UInt8, after quote: UInt8) -> Bool {
        switch quote {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): byte == quote
        case UInt8(ascii: "("): byte == UInt8(ascii: ")")
        default: byte <= 0x20 || "\"'<>)".utf8.contains(byte)
        }
    }

    // MARK: Animations of elements (SMIL)

    /// An attribute that says when an animation runs.
    private static var timing: Regex<(Substring, name: Substring, quote: Substring, value: Substring)> {
        /(?<name>\b(?:dur|max|end|repeatDur|begin)\s*=\s*)(?<quote>"|')(?<value>.*?)\k<quote>/
    }

    private static func stopped(tag: String) -> String {
        tag.replacing(timing) { attribute in
            let (name, value) = (attribute.name.prefix { $0.isLetter }, attribute.value)
            let changed: Substring =
                switch name {
                case "begin": value.split(separator: ";").contains(where: isAtStart) ? value : "indefinite"
                case "dur", "max": value == "indefinite" || value == "media" ? value : "99999h"
                default: "indefinite"
                }
            return "\(attribute.name)\(attribute.quote)\(changed)\(attribute.quote)"
        }
    }

    /// Returns true if a moment is at or before the start of the document's clock.
    private static func isAtStart(_ moment: Substring) -> Bool {
        let moment = moment.trimmingCharacters(in: .whitespaces)
        return moment.hasPrefix("-") || !moment.isEmpty && moment.allSatisfy { "0.:+hmins".contains($0) }
    }
}
