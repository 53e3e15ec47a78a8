import Foundation

/// Makes SVG images show the start of their animations, whenever the picture is taken. No script of ours reaches the document of an
/// image, and WebKit starts its clock when it is first painted. So the file is changed: an animation lasts for years, one that
/// would begin later never begins, and those of a style sheet are paused.
enum AnimatedSVG {
    /// The bytes of an SVG file without motion; the same bytes if it has none.
    static func stopped(_ file: Data) -> Data {
        mayMove(file) ? edits(of: Array(file)).applied(to: file) : file
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
        var isInStyle = false
        var index = 0
        while let open = bytes[index...].firstIndex(of: UInt8(ascii: "<")), !Task.isCancelled {
            index = open + 1
            let isClosing = index < bytes.count && bytes[index] == UInt8(ascii: "/")
            let name = bytes[(index + (isClosing ? 1 : 0))...].prefix(while: isName)
            let local = name[(name.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? name.startIndex)...]
            if local.elementsEqual("style".utf8) {
                // A style sheet may have only one such end, so that many of them do not make a file larger and larger.
                if isClosing, isInStyle, hasKeyframes { edits.append(DataURI.Edit(range: open..<open, bytes: paused)) }
                isInStyle = !isClosing
            } else if !isClosing, elements.contains(where: { local.elementsEqual($0.utf8) }),
                let end = bytes[name.endIndex...].prefix(longestTag).firstIndex(where: { $0 == 0x3C || $0 == 0x3E }),
                bytes[end] == UInt8(ascii: ">")
            {
                edits += timings(of: bytes[name.endIndex..<end])
                index = end
            }
        }
        return edits
    }

    private static let paused = Array("*{animation-play-state:paused!important}".utf8)
    private static let elements = ["animate", "animateTransform", "animateMotion", "animateColor", "set"]
    /// Bytes. A longer one stays as it is.
    private static let longestTag = 65_536

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: ":"), 0x80...:
            true
        default: false
        }
    }

    // MARK: Animations of elements (SMIL)

    /// The changes of the attributes that say when an animation runs.
    private static func timings(of tag: ArraySlice<UInt8>) -> [DataURI.Edit] {
        var edits: [DataURI.Edit] = []
        var rest = tag
        while let start = rest.firstIndex(where: isName) {
            let name = rest[start...].prefix(while: isName)
            rest = rest[name.endIndex...].drop(while: Charset.isSpace)
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst().drop(while: Charset.isSpace)
            guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { continue }
            rest = rest.dropFirst()
            guard let close = rest.firstIndex(of: quote) else { break }
            let value = rest[..<close]
            if let changed = stopped(name, value), !value.elementsEqual(changed.utf8) {
                edits.append(DataURI.Edit(range: value.indices, bytes: Array(changed.utf8)))
            }
            rest = rest[(close + 1)...]
        }
        return edits
    }

    /// The value of an attribute with which an animation does not move; nil for one that stays as it is.
    private static func stopped(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> String? {
        func isOne(of names: String...) -> Bool { names.contains { name.elementsEqual($0.utf8) } }
        if isOne(of: "begin") {
            return value.split(separator: UInt8(ascii: ";")).contains(where: isAtStart) ? nil : "indefinite"
        }
        if isOne(of: "dur", "max") {
            let isEndless = value.elementsEqual("indefinite".utf8) || value.elementsEqual("media".utf8)
            return isEndless ? nil : "99999h"
        }
        return isOne(of: "end", "repeatDur") ? "indefinite" : nil
    }

    /// Returns true if a moment is at or before the start of the document's clock.
    private static func isAtStart(_ moment: ArraySlice<UInt8>) -> Bool {
        let start = moment.drop(while: Charset.isSpace)
        let end = start.lastIndex { !Charset.isSpace($0) }.map { $0 + 1 } ?? start.startIndex
        let moment = start[..<end]
        return moment.first == UInt8(ascii: "-")
            || !moment.isEmpty && moment.allSatisfy { "0.:+hmins".utf8.contains($0) }
    }
}
