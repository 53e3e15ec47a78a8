/// The kind of a text that is searched for data URIs.
enum MarkupKind: Sendable {
    case html
    /// XHTML and SVG.
    case xml
    /// A style sheet, a script, or a file of an unknown kind: an address may be anywhere.
    case sheet

    init(_ type: Snippet.DocumentType) { self = type == .html ? .html : .xml }

    /// - Parameter mediaType: the media type of a file that a document loads.
    init(mediaType: String) {
        switch mediaType {
        case "text/html": self = .html
        case "image/svg+xml", "application/xhtml+xml", "application/xml", "text/plain": self = .xml
        default: self = .sheet
        }
    }
}

/// Decides which positions of a text are in a tag, in a style sheet or script, or in text that a reader sees. It reads
/// each byte only once, so a text with many data URIs takes no longer than any other. It follows HTML's tokenizer where
/// the distinction depends on it.
struct MarkupPlaces {
    enum Place {
        /// In a tag, or in a declaration between angle brackets.
        case tag
        /// In a style sheet or a script.
        case code
        /// Between tags, or in a comment, where there are no addresses.
        case text
    }

    private enum State {
        case text
        /// In a tag, outside attribute values. The flag is true in an attribute's name.
        case tag(hasName: Bool)
        /// After an equals sign.
        case beforeValue
        case value(quote: UInt8)
        case unquoted
        case comment
        /// `<![CDATA[` in XML.
        case section
        /// `<!doctype`, `<?xml`.
        case declaration
        /// The content of an element that cannot contain elements, up to its end tag. The flag is true if it is shown.
        case raw(name: StaticString, isShown: Bool)
    }

    private let kind: MarkupKind
    private var state = State.text
    /// The end of the text that is already read.
    private var end = 0
    /// The element whose tag is read, if its content is not markup.
    private var opened: (name: StaticString, isShown: Bool)?
    /// The number of open `svg` and `math` elements, in which HTML is read like XML.
    private var depth = 0
    /// For tests: the number of bytes read, counting repeated reads.
    private(set) var steps = 0

    init(_ kind: MarkupKind) { self.kind = kind }

    /// The position in the markup at an index.
    ///
    /// - Parameter index: not less than in the last call.
    mutating func place(of index: Int, in text: [UInt8]) -> Place {
        if kind == .sheet { return .code }
        text.withUnsafeBytes { read($0, upTo: index) }
        switch state {
        case .tag, .beforeValue, .value, .unquoted, .declaration: return .tag
        case .raw(_, isShown: false): return .code
        case .raw, .text, .comment, .section: return .text
        }
    }

    private mutating func read(_ text: UnsafeRawBufferPointer, upTo limit: Int) {
        while end < limit {
            let start = end
            step(text)
            steps += end - start
        }
    }

    /// Reads at least one byte.
    private mutating func step(_ text: UnsafeRawBufferPointer) {
        let byte = text[end]
        switch state {
        case .text: if byte == UInt8(ascii: "<") { open(text) } else { end += 1 }
        case .raw(let name, _):
            let isEnd = byte == UInt8(ascii: "<") && text.has("</", at: end) && text.has(name, at: end + 2)
            let after = end + 2 + name.utf8CodeUnitCount
            if isEnd, after >= text.count || Self.endsName(text[after]) {
                (state, end, opened) = (.tag(hasName: false), after, nil)
            } else {
                end += 1
            }
        case .comment: skip(to: text.has("-->", at: end) ? 3 : kind == .html && text.has("--!>", at: end) ? 4 : 0)
        case .section: skip(to: text.has("]]>", at: end) ? 3 : 0)
        case .declaration: skip(to: byte == UInt8(ascii: ">") ? 1 : 0)
        case .tag, .beforeValue, .value, .unquoted:
            readTag(byte, text)
            end += 1
        }
    }

    private mutating func skip(to count: Int) {
        end += max(1, count)
        if count > 0 { state = .text }
    }

    /// Reads the text after `<`.
    private mutating func open(_ text: UnsafeRawBufferPointer) {
        let isForeign = kind == .xml || depth > 0
        opened = nil
        if text.has("<!--", at: end) {
            // `<!-->` and `<!--->` are complete comments in HTML.
            let isComplete = kind == .html && (text.has("<!-->", at: end) || text.has("<!--->", at: end))
            state = isComplete ? .declaration : .comment
            end += isComplete ? 2 : 4
        } else if isForeign, text.has("<![cdata[", at: end) {
            (state, end) = (.section, end + 9)
        } else if end + 1 < text.count, text[end + 1] == UInt8(ascii: "!") || text[end + 1] == UInt8(ascii: "?") {
            (state, end) = (.declaration, end + 2)
        } else {
            let isClosing = text.has("</", at: end)
            let name = end + (isClosing ? 2 : 1)
            guard name < text.count, beginsName(text[name]) else {
                // `</1` is a comment, and `< ` is text.
                state = isClosing && kind == .html && name < text.count ? .declaration : .text
                end = name
                return
            }
            if kind == .html, ["svg", "math"].contains(where: { Self.isElement($0, text, at: name) }) {
                depth = max(0, depth + (isClosing ? -1 : 1))
            }
            if !isClosing {
                opened = Self.raws.first { raw in
                    (!isForeign || !raw.isShown) && Self.isElement(raw.name, text, at: name)
                }
            }
            (state, end) = (.tag(hasName: true), name)
            // The element's name, in which an equals sign has no meaning.
            while end < text.count, !Self.endsName(text[end]) { end += 1 }
            state = .tag(hasName: false)
        }
    }

    private mutating func readTag(_ byte: UInt8, _ text: UnsafeRawBufferPointer) {
        switch (state, byte) {
        case (.value(let quote), _): if byte == quote { state = .tag(hasName: false) }
        case (.beforeValue, UInt8(ascii: "\"")), (.beforeValue, UInt8(ascii: "'")): state = .value(quote: byte)
        case (_, UInt8(ascii: ">")): close(text)
        case (.beforeValue, _): if !Charset.isSpace(byte) { state = .unquoted }
        case (.unquoted, _): if Charset.isSpace(byte) { state = .tag(hasName: false) }
        case (.tag(let hasName), UInt8(ascii: "=")): state = hasName ? .beforeValue : .tag(hasName: true)
        case (.tag(let hasName), _):
            // An equals sign may follow the spaces after a name.
            if byte == UInt8(ascii: "/") {
                state = .tag(hasName: false)
            } else if !Charset.isSpace(byte) {
                state = .tag(hasName: true)
            } else {
                state = .tag(hasName: hasName)
            }
        default: break
        }
    }

    /// The end of a tag.
    private mutating func close(_ text: UnsafeRawBufferPointer) {
        let isEmpty = (kind == .xml || depth > 0) && end > 0 && text[end - 1] == UInt8(ascii: "/")
        if isEmpty, depth > 0, isSVGAlone(text) { depth -= 1 }
        if let opened, !isEmpty {
            state = .raw(name: opened.name, isShown: opened.isShown)
        } else {
            state = .text
        }
    }

    /// True for the end of `<svg/>`.
    private func isSVGAlone(_ text: UnsafeRawBufferPointer) -> Bool {
        text.has("<svg/", at: end - 5) || text.has("<math/", at: end - 6)
    }

    /// The elements in which HTML has no tags.
    private static let raws: [(name: StaticString, isShown: Bool)] = [
        ("style", false), ("script", false), ("textarea", true), ("title", true), ("xmp", true),
    ]

    private static func isElement(_ name: StaticString, _ text: UnsafeRawBufferPointer, at index: Int) -> Bool {
        let end = index + name.utf8CodeUnitCount
        return text.has(name, at: index) && (end >= text.count || endsName(text[end]))
    }

    private func beginsName(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || kind == .xml && (byte >= 0x80 || byte == UInt8(ascii: "_"))
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || Charset.isSpace(byte)
    }
}
