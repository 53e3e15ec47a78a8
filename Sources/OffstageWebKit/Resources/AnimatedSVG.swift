import Foundation

/// Makes SVG images show the start of their animations, whenever the picture is taken. No script of ours reaches the document of an
/// image, and WebKit starts its clock when it is first painted. So the file is changed: an animation lasts for years, one that
/// would begin later never begins, and those of a style sheet are paused.
enum AnimatedSVG {
    /// The bytes of an SVG file without motion; the same bytes if it has none.
    static func stopped(_ file: Data) -> Data {
        guard mayMove(file) else { return file }
        let bytes = Array(file)
        let edits = edits(of: bytes)
        if edits.isEmpty { return file }
        var result = Data(capacity: bytes.count + 64 * edits.count)
        var copied = 0
        for edit in edits {
            result += bytes[copied..<edit.range.lowerBound]
            result += edit.bytes
            copied = edit.range.upperBound
        }
        return result + bytes[copied...]
    }

    /// False if `edits` finds nothing, which most images do without a search for tags.
    static func mayMove(_ file: some RandomAccessCollection<UInt8>) -> Bool {
        file.withContiguousStorageIfAvailable { file in
            let bytes = UnsafeRawBufferPointer(file)
            let words: [StaticString] = ["keyframes", "animate", "set"]
            return words.contains { bytes.firstIndex(of: $0, from: 0) != nil }
        } ?? true
    }

    /// The changes that stop a file, in its order.
    static func edits(of bytes: [UInt8]) -> [DataURI.Edit] {
        let hasKeyframes = bytes.withUnsafeBytes { $0.firstIndex(of: "keyframes", from: 0) != nil }
        var edits: [DataURI.Edit] = []
        var index = 0
        while let open = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            index = open + 1
            let isClosing = index < bytes.count && bytes[index] == UInt8(ascii: "/")
            let name = bytes[(index + (isClosing ? 1 : 0))...].prefix { isName($0) }
            let local = String(decoding: name.split(separator: UInt8(ascii: ":")).last ?? [], as: UTF8.self)
            if isClosing {
                guard hasKeyframes, local == "style" else { continue }
                edits.append(
                    DataURI.Edit(range: open..<open, bytes: Array("*{animation-play-state:paused!important}".utf8)))
            } else if elements.contains(local),
                let end = bytes[name.endIndex...].prefix(longestTag).firstIndex(where: { $0 == 0x3C || $0 == 0x3E }),
                bytes[end] == UInt8(ascii: ">")
            {
                edits += timings(of: bytes[name.endIndex..<end])
                index = end
            }
        }
        return edits
    }

    private static let elements: Set = ["animate", "animateTransform", "animateMotion", "animateColor", "set"]
    /// Bytes. A longer one stays as it is.
    private static let longestTag = 65_536

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: ":"):
            true
        default: false
        }
    }

    // MARK: Animations of elements (SMIL)

    /// An attribute that says when an animation runs.
    private static var timing: Regex<(Substring, name: Substring, quote: Substring, value: Substring)> {
        /(?<name>\b(?:dur|max|end|repeatDur|begin)\s*=\s*)(?<quote>"|')(?<value>.*?)\k<quote>/
    }

    private static func timings(of tag: ArraySlice<UInt8>) -> [DataURI.Edit] {
        // Another charset than UTF-8 stays as it is.
        guard let text = String(validating: tag, as: UTF8.self) else { return [] }
        return text.matches(of: timing).compactMap { attribute in
            let (name, value) = (attribute.name.prefix { $0.isLetter }, attribute.value)
            let changed: Substring =
                switch name {
                case "begin": value.split(separator: ";").contains(where: isAtStart) ? value : "indefinite"
                case "dur", "max": value == "indefinite" || value == "media" ? value : "99999h"
                default: "indefinite"
                }
            if changed == value { return nil }
            let start = tag.startIndex + text.utf8.distance(from: text.startIndex, to: value.startIndex)
            return DataURI.Edit(range: start..<start + value.utf8.count, bytes: Array(changed.utf8))
        }
    }

    /// Returns true if a moment is at or before the start of the document's clock.
    private static func isAtStart(_ moment: Substring) -> Bool {
        let moment = moment.trimmingCharacters(in: .whitespaces)
        return moment.hasPrefix("-") || !moment.isEmpty && moment.allSatisfy { "0.:+hmins".contains($0) }
    }
}

extension UnsafeRawBufferPointer {
    /// The index at which a text starts.
    func firstIndex(of text: StaticString, from start: Int) -> Int? {
        let length = text.utf8CodeUnitCount
        guard let base = baseAddress else { return nil }
        var offset = start
        while offset + length <= count,
            let found = memchr(base + offset, Int32(text.utf8Start[0]), count - offset - length + 1)
        {
            offset = UnsafeRawPointer(found) - base
            if memcmp(found, text.utf8Start, length) == 0 { return offset }
            offset += 1
        }
        return nil
    }
}
