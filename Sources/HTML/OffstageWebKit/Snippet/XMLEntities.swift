import Foundation

/// The growth of an XML document by its own declarations: the text of its entities, and declared default values of
/// attributes. WebKit could take a hundred thousand times the memory and time that the file's size suggests. The growth
/// is computed without expanding anything, in time in proportion to the document, before WebKit sees it.
struct XMLEntities {
    /// The number of bytes that the declarations of any document may add. A larger document may double its size.
    static let allowance = 65_536

    /// - Parameter text: A document in any charset that contains ASCII.
    /// - Returns: the files of the entities that the document uses and that WebKit leaves out.
    /// - Throws: `XMLExcess.entities`.
    @discardableResult
    static func check(_ text: Data) throws(XMLExcess) -> [String] {
        // ISO-2022-JP can hide a declaration after escape characters. In other charsets, XML forbids this character.
        let isHidden = text.contains(0x1B)
        guard isHidden || declares(text) else { return [] }
        let bytes = isHidden ? withoutEscapes(text) : Array(text)
        var entities = XMLEntities(bytes)
        entities.readDeclarations()
        let limit = max(allowance, bytes.count)
        if entities.growth(upTo: limit) > limit { throw .entities(limit: limit) }
        return entities.externalFiles()
    }

    private static func declares(_ text: Data) -> Bool {
        text.withUnsafeBytes {
            $0.firstIndex(of: "<!ENTITY", from: 0) != nil || $0.firstIndex(of: "<!ATTLIST", from: 0) != nil
        }
    }

    /// Removes the escape sequences that change the character set, which have three bytes each.
    private static func withoutEscapes(_ text: Data) -> [UInt8] {
        var result: [UInt8] = []
        var skipped = 0
        for byte in text {
            if byte == 0x1B { skipped = 3 }
            if skipped > 0 { skipped -= 1 } else { result.append(byte) }
        }
        return result
    }

    /// An entity, or an element with declared attributes: each use adds bytes.
    private struct Key: Hashable {
        var name: ArraySlice<UInt8>
        /// True for an element that lacks declared attributes; otherwise, it is an entity.
        var isElement: Bool
    }

    /// An entity's text, or the values of an element's attributes.
    private struct Text {
        /// The number of bytes, without those of its entities and elements.
        var own = 0
        /// The positions of the names of its entities and elements, once for each occurrence.
        var uses: [XMLReader.Use] = []
    }

    private var reader: XMLReader
    private var declared: [Key: Text] = [:]
    /// The files of entities that have no text in the document.
    private var external: [ArraySlice<UInt8>: ArraySlice<UInt8>] = [:]
    private var usedExternal: Set<ArraySlice<UInt8>> = []
    /// The files of parameter entities, and those of them that the document type uses.
    private var parameters: [ArraySlice<UInt8>: ArraySlice<UInt8>] = [:]
    private var usedParameters: [ArraySlice<UInt8>] = []
    /// The number of bytes, including everything that is used in it.
    private var sizes: [Key: Int] = [:]

    private init(_ bytes: [UInt8]) { reader = XMLReader(bytes) }
}

// MARK: Declarations

extension XMLEntities {
    /// Reads the document up to the end of its document type. Stops at the first error, as WebKit does.
    private mutating func readDeclarations() {
        guard reader.findDeclarations() else { return }
        while true {
            reader.skipSpaces()
            if reader.skip("]") { return }
            if reader.skip("<!--") {
                reader.skip(past: "-->")
            } else if reader.skip("<?") {
                reader.skip(past: "?>")
            } else if reader.skip("<!ENTITY") {
                readEntity()
            } else if reader.skip("<!ATTLIST") {
                readAttributes()
            } else if reader.skip("<!") {
                reader.skipMarkup()
            } else if !reader.skip("%") {
                return
            } else {
                // In a document, this is an error. An image or a frame with this error would cause no warning, so
                // record the file.
                if let file = parameters[reader.name()] { usedParameters.append(file) }
                reader.skip(past: ";")
            }
        }
    }

    /// The first declaration of an entity counts. WebKit does not support parameter entities: using one is an error.
    private mutating func readEntity() {
        reader.skipSpaces()
        let isParameter = reader.skip("%")
        let name = reader.name()
        reader.skipSpaces()
        // An entity in a file has the word SYSTEM or PUBLIC here. Its text is empty.
        let isInternal = reader.isAtQuote
        let texts = reader.skipMarkup()
        let key = Key(name: name, isElement: false)
        if isParameter, !isInternal, parameters[name] == nil { parameters[name] = texts.last }
        if isParameter || declared[key] != nil || external[name] != nil { return }
        // The last text names the file, even after PUBLIC.
        if isInternal { declared[key] = texts.first.map(text) } else { external[name] = texts.last }
    }

    private mutating func readAttributes() {
        reader.skipSpaces()
        let key = Key(name: reader.name(), isElement: true)
        var all = declared.removeValue(forKey: key) ?? Text()
        for value in reader.skipMarkup() {
            let text = text(value)
            all.own += text.own
            all.uses += text.uses
        }
        declared[key] = all
    }

    private func text(_ value: ArraySlice<UInt8>) -> Text {
        var text = Text()
        var index = value.startIndex
        while index < value.endIndex {
            var byte = value[index]
            var next = index + 1
            // In a declaration, references to characters are replaced: `&#38;a;` becomes a reference to an entity.
            if byte == UInt8(ascii: "&"), let (character, end) = XMLReader.character(value[index...]) {
                text.own += UTF8.width(character)
                (byte, next) = (UInt8(exactly: character.value) ?? 0, end)
            } else {
                text.own += 1
            }
            index = next
            guard byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<") else { continue }
            let name = value[index...].prefix(while: XMLReader.isName)
            if name.isEmpty { continue }
            index = name.endIndex
            text.own += name.count
            if byte == UInt8(ascii: "<") || value[index...].first == UInt8(ascii: ";") {
                text.uses.append(XMLReader.Use(at: name.startIndex, isElement: byte == UInt8(ascii: "<")))
            }
        }
        return text
    }
}

// MARK: Growth

extension XMLEntities {
    /// The bytes that the references and the start tags of the document add. Once a limit is exceeded, any number above
    /// it.
    private mutating func growth(upTo limit: Int) -> Int {
        var growth = 0
        while growth <= limit, let use = reader.nextUse(), !Task.isCancelled {
            growth += size(of: key(use))
            if !external.isEmpty, !use.isElement { usedExternal.insert(reader.name(at: use.place)) }
        }
        return growth
    }

    /// The files of external entities that the document, or the text of another entity, refers to.
    private func externalFiles() -> [String] {
        let parameters = usedParameters.map { String(decoding: $0, as: UTF8.self) }
        if external.isEmpty { return parameters }
        let used = declared.values.reduce(into: usedExternal) { names, text in
            for use in text.uses where !use.isElement { names.insert(reader.name(at: use.place)) }
        }
        return parameters
            + external.filter { used.contains($0.key) }.map { String(decoding: $0.value, as: UTF8.self) }.sorted()
    }

    private func key(_ use: XMLReader.Use) -> Key { Key(name: reader.name(at: use.place), isElement: use.isElement) }

    /// Larger than any real document, but small enough to add up. Also the size of an entity that contains itself.
    private static let endless = 1 << 48

    /// Not recursive, because entities may be nested as deeply as a document is long. Each declaration is added up
    /// once.
    private mutating func size(of key: Key) -> Int {
        if let size = sizes[key] { return size }
        var stack = [(key: key, isAddedUp: false)]
        var begun: Set<Key> = []
        while let (next, isAddedUp) = stack.popLast() {
            guard let text = declared[next] else {
                sizes[next] = 0
                continue
            }
            if isAddedUp {
                sizes[next] = text.uses.reduce(text.own) {
                    min(Self.endless, $0 + (sizes[self.key($1)] ?? Self.endless))
                }
            } else if sizes[next] == nil, begun.insert(next).inserted {
                stack.append((next, true))
                for use in text.uses where sizes[self.key(use)] == nil { stack.append((self.key(use), false)) }
            }
        }
        return sizes[key] ?? 0
    }
}
