import Foundation

/// Counts the elements that a document's `use` elements repeat. A `use` may refer to a group of other uses, so ten
/// lines can produce a billion elements. The count takes linear time, without repeating anything, in HTML and in XML.
struct SVGUses {
    /// The limit; this many are drawn in half a second. Charts and maps repeat a few thousand.
    static let limit = 100_000

    /// - Parameter document: In a charset that contains ASCII.
    /// - Throws: `XMLExcess.uses`.
    static func check(_ document: Data) throws(XMLExcess) {
        guard document.withUnsafeBytes({ hasUses($0) }) else { return }
        var uses = SVGUses(Array(document))
        uses.read()
        if uses.isHidden || uses.repeated > limit { throw .uses(limit: limit) }
    }

    private static func hasUses(_ bytes: UnsafeRawBufferPointer) -> Bool {
        for sign: StaticString in ["<", ":"] {
            var index = 0
            while let found = bytes.firstIndex(of: sign, from: index) {
                if bytes.has("use", at: found + 1) { return true }
                index = found + 1
            }
        }
        return false
    }

    /// An element with an identifier, or the document: its elements exclude those of inner elements with identifiers.
    private struct Part {
        var elements = 0
        var inner: [Int] = []
        /// The identifiers that its uses refer to.
        var targets: [ArraySlice<UInt8>] = []
    }

    private struct Open {
        var name: ArraySlice<UInt8>
        var part: Int
    }

    private let bytes: [UInt8]
    /// True if an entity may contain elements or identifiers, which only WebKit would find. Such documents are not
    /// written by hand.
    private var isHidden = false
    private var parts = [Part()]
    private var named: [ArraySlice<UInt8>: Int] = [:]
    private var open: [Open] = []

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    // MARK: Reading

    private mutating func read() {
        var index = 0
        while let sign = bytes[index...].firstIndex(of: UInt8(ascii: "<")), !Task.isCancelled {
            index = sign + 1
            if bytes[index...].starts(with: "!--".utf8) {
                index = end(of: "-->", from: index)
            } else if bytes[index...].starts(with: "![CDATA[".utf8) {
                index = end(of: "]]>", from: index)
            } else if bytes[index...].starts(with: "!ENTITY".utf8) {
                // The names of namespaces are harmless.
                let declaration = bytes[index...].prefix { $0 != UInt8(ascii: ">") }
                isHidden = isHidden || declaration.contains(where: Self.isMarkup)
                index = declaration.endIndex
            } else if index < bytes.count, bytes[index] == UInt8(ascii: "/") {
                close(bytes[(index + 1)...].prefix(while: XMLReader.isName))
            } else {
                index = readTag(at: index)
            }
        }
    }

    /// The maximum depth to search for the start tag of an end tag. In HTML, some elements have no end tag.
    private static let depth = 64

    private mutating func close(_ name: ArraySlice<UInt8>) {
        if let place = open.suffix(Self.depth).lastIndex(where: { $0.name == name }) { open.removeSubrange(place...) }
    }

    /// - Returns: The position after the tag.
    private mutating func readTag(at start: Int) -> Int {
        let name = bytes[start...].prefix(while: XMLReader.isName)
        if name.isEmpty { return start }
        var index = name.endIndex
        var (identifier, target): (ArraySlice<UInt8>?, ArraySlice<UInt8>?)
        while index < bytes.count, bytes[index] != UInt8(ascii: ">") {
            let attribute = bytes[index...].prefix(while: XMLReader.isName)
            if attribute.isEmpty {
                index += 1
                continue
            }
            let value = value(after: attribute.endIndex)
            index = max(attribute.endIndex, value.behind)
            // HTML ignores case.
            if Self.isName(attribute, "id") { identifier = value.text }
            if Self.isName(Self.local(attribute), "href") { target = value.text }
        }
        let isAlone = index < bytes.count && bytes[index - 1] == UInt8(ascii: "/")
        add(name, identifier: identifier, target: target, isAlone: isAlone)
        return min(index + 1, bytes.count)
    }

    private mutating func add(
        _ name: ArraySlice<UInt8>, identifier: ArraySlice<UInt8>?, target: ArraySlice<UInt8>?, isAlone: Bool
    ) {
        var part = open.last?.part ?? 0
        // If several elements have the same identifier, the first one counts.
        if let identifier {
            let identifier = plain(identifier)
            if named[identifier] == nil {
                parts.append(Part())
                parts[part].inner.append(parts.count - 1)
                part = parts.count - 1
                named[identifier] = part
            }
        }
        parts[part].elements += 1
        if let target, Self.isName(Self.local(name), "use") {
            let target = plain(target)
            if target.first == UInt8(ascii: "#") { parts[part].targets.append(target.dropFirst()) }
        }
        if !isAlone { open.append(Open(name: name, part: part)) }
    }

    /// An attribute's value, without its quotes, and the position after it.
    private func value(after end: Int) -> (text: ArraySlice<UInt8>, behind: Int) {
        var index = end
        func skipSpaces() { while index < bytes.count, Charset.isSpace(bytes[index]) { index += 1 } }
        skipSpaces()
        guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else { return ([], end) }
        index += 1
        skipSpaces()
        guard index < bytes.count else { return ([], index) }
        let quote = bytes[index]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            let text = bytes[index...].prefix { !Charset.isSpace($0) && $0 != UInt8(ascii: ">") }
            return (text, text.endIndex)
        }
        let text = bytes[(index + 1)...].prefix { $0 != quote }
        return (text, text.endIndex + 1)
    }

    /// The name without its namespace prefix.
    private static func local(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
    }

    private static func isName(_ name: ArraySlice<UInt8>, _ word: StaticString) -> Bool {
        name.count == word.utf8CodeUnitCount && name.withUnsafeBytes { $0.has(word, at: 0) }
    }

    /// A value with its character references replaced, and without surrounding spaces.
    private mutating func plain(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var value = value.drop { Charset.isSpace($0) }
        while let last = value.last, Charset.isSpace(last) { value.removeLast() }
        guard value.contains(UInt8(ascii: "&")) else { return value }
        let end = value.lastIndex(of: UInt8(ascii: ";")) ?? value.startIndex
        var (result, index): ([UInt8], Int) = ([], value.startIndex)
        while index < value.endIndex {
            if value[index] == UInt8(ascii: "&"), let (character, next) = XMLReader.character(value[index...]) {
                result += Array(String(character).utf8)
                index = next
            } else {
                if index < end, value[index] == UInt8(ascii: "&") { isHidden = true }
                result.append(value[index])
                index += 1
            }
        }
        return result[...]
    }

    private static func isMarkup(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") }

    private func end(of word: StaticString, from index: Int) -> Int {
        bytes.withUnsafeBytes { $0.firstIndex(of: word, from: index) }.map { $0 + word.utf8CodeUnitCount }
            ?? bytes.count
    }

    // MARK: Counting

    /// More than any document draws, but small enough to add up.
    private static let endless = 1 << 40

    /// The elements that all uses repeat. Uses that refer to each other in a circle repeat nothing.
    private var repeated: Int {
        // Not recursive, because uses may be nested as deeply as a document is long. Each part is added up once.
        var sizes: [Int?] = Array(repeating: nil, count: parts.count)
        var (stack, begun): ([(part: Int, isAddedUp: Bool)], Set<Int>) = ([(0, false)], [])
        while let (next, isAddedUp) = stack.popLast() {
            let part = parts[next]
            let others = part.inner + part.targets.compactMap { named[$0] }
            if isAddedUp {
                sizes[next] = others.reduce(part.elements) { min(Self.endless, $0 + (sizes[$1] ?? 0)) }
            } else if sizes[next] == nil, begun.insert(next).inserted {
                stack.append((next, true))
                for other in others where sizes[other] == nil { stack.append((other, false)) }
            }
        }
        return (sizes[0] ?? 0) - parts.reduce(0) { $0 + $1.elements }
    }
}
