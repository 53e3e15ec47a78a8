import Foundation

/// Makes SVG images show the end of their animations, or the start of endless ones, regardless of when the picture is
/// taken. Our scripts cannot access the document of an image, and WebKit starts its clock when it is first painted. So
/// the file itself is changed: finite animations began long ago, endless ones last for years, and those of a style
/// sheet are paused.
enum AnimatedSVG {
    /// The bytes of an SVG file without motion; the same bytes if it has none.
    static func stopped(_ file: Data) -> Data {
        mayMove(file) ? edits(of: Array(file)).applied(to: file) : file
    }

    /// False if `edits` finds nothing, which for most images takes no search for tags.
    static func mayMove(_ file: some RandomAccessCollection<UInt8>) -> Bool {
        file.withContiguousStorageIfAvailable { file in
            let bytes = UnsafeRawBufferPointer(file)
            let words: [StaticString] = ["keyframes", "animate", "set"]
            return words.contains { bytes.firstIndex(of: $0, from: 0) != nil }
        } ?? true
    }

    /// The changes that stop a file's animations, in the order of the file.
    static func edits(of bytes: [UInt8]) -> [DataURI.Edit] {
        let hasKeyframes = bytes.withUnsafeBytes { $0.firstIndex(of: "keyframes", from: 0) != nil }
        var edits: [DataURI.Edit] = []
        // Where the content of the current style element begins.
        var style: Int?
        var index = 0
        while let open = bytes[index...].firstIndex(of: UInt8(ascii: "<")), !Task.isCancelled {
            index = open + 1
            let isClosing = index < bytes.count && bytes[index] == UInt8(ascii: "/")
            let name = bytes[(index + (isClosing ? 1 : 0))...].prefix(while: isName)
            let local = name[(name.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? name.startIndex)...]
            if local.elementsEqual("style".utf8) {
                // Appends this rule to a style sheet only once, so that repeated changes do not keep enlarging a file.
                if isClosing, let start = style, hasKeyframes {
                    edits += AnimatedStyle.edits(of: bytes[start..<open])
                    edits.append(DataURI.Edit(range: open..<open, bytes: paused))
                }
                style = isClosing ? nil : Self.end(ofTag: bytes[name.endIndex...]).map { $0 + 1 }
                if let style { index = style }
            } else if !isClosing, !name.isEmpty {
                let isAnimation = elements.contains { local.elementsEqual($0.utf8) }
                guard isAnimation || hasKeyframes, let end = Self.end(ofTag: bytes[name.endIndex...]) else { continue }
                let tag = attributes(of: bytes[name.endIndex..<end])
                if isAnimation { edits += timings(of: local, at: name.endIndex, tag) }
                if hasKeyframes, let style = tag.first(where: { $0.isCalled("style") }) {
                    edits += AnimatedStyle.edits(of: style.value)
                }
                index = end
            }
        }
        return edits
    }

    private static let paused = Array("*{animation-play-state:paused!important}".utf8)
    private static let elements = ["animate", "animateTransform", "animateMotion", "animateColor", "set"]
    /// The maximum length of a tag, in bytes. An element with a longer tag is left unchanged.
    private static let longestTag = 65_536

    /// The index of the bracket that ends a tag. Nil if another tag starts before it.
    private static func end(ofTag rest: ArraySlice<UInt8>) -> Int? {
        rest.prefix(longestTag).firstIndex { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") }
            .flatMap { rest[$0] == UInt8(ascii: ">") ? $0 : nil }
    }

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

    private struct Attribute {
        let name: ArraySlice<UInt8>
        let value: ArraySlice<UInt8>

        func isCalled(_ other: String) -> Bool { name.elementsEqual(other.utf8) }
        var text: String { String(decoding: value, as: UTF8.self) }
    }

    private static func attributes(of tag: ArraySlice<UInt8>) -> [Attribute] {
        var all: [Attribute] = []
        var rest = tag
        while let start = rest.firstIndex(where: isName) {
            let name = rest[start...].prefix(while: isName)
            rest = rest[name.endIndex...].drop(while: Charset.isSpace)
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst().drop(while: Charset.isSpace)
            guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { continue }
            rest = rest.dropFirst()
            guard let close = rest.firstIndex(of: quote) else { break }
            all.append(Attribute(name: name, value: rest[..<close]))
            rest = rest[(close + 1)...]
        }
        return all
    }

    /// The changes of the attributes that specify when an animation runs.
    ///
    /// - Parameter place: the index after the element's name.
    private static func timings(
        of element: ArraySlice<UInt8>, at place: Int, _ attributes: [Attribute]
    ) -> [DataURI.Edit] {
        let timing = SMILTiming(isSet: element.elementsEqual("set".utf8)) { name in
            attributes.first { $0.isCalled(name) }?.text
        }
        guard let changes = timing.ended else {
            return attributes.compactMap { attribute in
                stopped(attribute.name, attribute.value).flatMap { edit(of: attribute, $0) }
            }
        }
        let names = attributes.map { String(decoding: $0.name, as: UTF8.self) }
        let added = changes.filter { !names.contains($0.key) }.sorted { $0.key < $1.key }.map { " \($0)='\($1)'" }
        return (added.isEmpty ? [] : [DataURI.Edit(range: place..<place, bytes: Array(added.joined().utf8))])
            + zip(attributes, names).compactMap { attribute, name in
                // An element can have an attribute only once.
                changes[name].flatMap { edit(of: attribute, $0) }
            }
    }

    private static func edit(of attribute: Attribute, _ text: String) -> DataURI.Edit? {
        if attribute.value.elementsEqual(text.utf8) { return nil }
        return DataURI.Edit(range: attribute.value.indices, bytes: Array(text.utf8))
    }

    /// The value of an attribute with which an endless animation does not move; nil for an attribute that is left
    /// unchanged.
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
