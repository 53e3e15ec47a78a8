import Foundation
import Offstage

/// The characters, font declarations and images found in the bytes of a document and its style sheets. For most documents this
/// makes questions to the document unnecessary. The scan covers everything in the bytes, rendered or not. It reports too much
/// rather than too little.
///
/// A question to a document costs about 0.7 ms. This scan takes a few microseconds for a row, and a millisecond per megabyte.
struct SourceText {
    /// Characters outside ASCII: literal ones, references (`&#233;`, `&eacute;`) and CSS escapes (`\f101`).
    private(set) var characters: Set<UInt32> = []
    /// True if the document may have other characters, because of a charset other than UTF-8, an uncommon reference, text in a
    /// data URI or a script.
    var isUnclear = false
    /// True if the parser may create shadow roots.
    private(set) var namesShadowRoots = false
    /// True if the document or its frames may have shadow roots. The parser creates them for an attribute, and scripts at will.
    var mayHaveShadowRoots: Bool { namesShadowRoots || isUnclear }
    /// True if a frame may have its document in the attribute `srcdoc`, as far as the document's own bytes decide that.
    private(set) var namesFrameDocuments = false
    /// True if the document seems to name files: a guess from its most common forms, that may be wrong either way.
    private(set) var namesFiles = false
    /// True if a style may enable hyphenation.
    private(set) var hyphenates = false
    /// The languages that the document names.
    private(set) var languages: Set<String> = []
    /// The files of external entities that an XML document uses.
    var externalEntities: [String] = []
    private var namesMedia = false
    /// True if the document seems to depend on the viewport's height, by a unit, a media feature or a fixed background.
    private(set) var usesViewport = false
    /// True if the document may depend on the viewport's height, by positions or percentages.
    private(set) var mayUseViewport = false
    /// True if the document seems to have lengths in units of the dynamic viewport, such as `100dvh`.
    private(set) var usesDynamicUnits = false
    /// True if the document or its frames may have audio or video.
    var mayHaveMedia: Bool { namesMedia || isUnclear }
    /// True if some list of font families does not end with a generic family.
    private(set) var mayLackGeneric = false
    /// Hashes of all font declarations.
    private(set) var fontDeclarations: Set<Int> = []

    /// Start tags, and text that looks like one in a comment, a script or an attribute.
    private var startTags = 0

    /// True if the document has so many start tags that counting its elements before the layout is worthwhile. The
    /// parser may create more or fewer elements than there are tags.
    func mayExceed(_ elements: Int) -> Bool { startTags > max(elements, Self.fewTags) }

    /// The layout of a document with fewer tags is fast enough.
    private static let fewTags = 50_000

    /// The elements of an XML document that may have too many; otherwise 0.
    private(set) var xmlElements = 0

    /// Pixels of each image in a data URI, by the image's hash.
    private var images: [Int: Int] = [:]
    /// Total pixels of all distinct images in data URIs.
    var imagePixels: Int { images.values.reduce(0, +) }

    /// - Throws: `DrawingError.overLimit`.
    func check(_ limits: SnippetLimits) throws(DrawingError) {
        try limits.check(.imagePixels, imagePixels, of: limits.imagePixels)
        try limits.check(.elements, xmlElements, of: limits.elements)
    }

    init(_ html: Data, charset: String) {
        if charset.uppercased() != "UTF-8" { isUnclear = true }
        add(html)
    }

    /// Scans a snippet as it will be drawn.
    init(_ snippet: Snippet) {
        self.init(snippet.html, charset: snippet.charset)
        for sheet in snippet.styleSheets { add(Data(sheet.utf8)) }
        if snippet.type != .html, mayExceed(snippet.limits.elements) { xmlElements = XMLElements.count(snippet.html) }
        // Scripts may write any text.
        if snippet.runsScripts { isUnclear = true }
    }

    /// Adds the contents of a document or a style sheet.
    mutating func add(_ source: Data) {
        source.withUnsafeBytes { bytes in
            var scanner = Scanner(bytes: bytes)
            scanner.run(into: &self)
        }
    }

    /// Adds the findings of another source.
    mutating func add(_ other: SourceText) {
        characters.formUnion(other.characters)
        fontDeclarations.formUnion(other.fontDeclarations)
        images.merge(other.images) { $1 }
        startTags += other.startTags
        isUnclear = isUnclear || other.isUnclear
        namesShadowRoots = namesShadowRoots || other.namesShadowRoots
        namesFrameDocuments = namesFrameDocuments || other.namesFrameDocuments
        namesFiles = namesFiles || other.namesFiles
        namesMedia = namesMedia || other.namesMedia
        hyphenates = hyphenates || other.hyphenates
        languages.formUnion(other.languages)
        usesViewport = usesViewport || other.usesViewport
        mayUseViewport = mayUseViewport || other.mayUseViewport
        usesDynamicUnits = usesDynamicUnits || other.usesDynamicUnits
        mayLackGeneric = mayLackGeneric || other.mayLackGeneric
    }

    fileprivate mutating func add(_ code: UInt32) { if code >= 0x80 { characters.insert(code) } }
    fileprivate mutating func addStartTag() { startTags += 1 }
    fileprivate mutating func addShadowRoot() { namesShadowRoots = true }
    fileprivate mutating func addFrameDocument() { namesFrameDocuments = true }
    fileprivate mutating func addFile() { namesFiles = true }
    fileprivate mutating func addMedia() { namesMedia = true }
    fileprivate mutating func addHyphens() { hyphenates = true }
    fileprivate mutating func add(language: String) { if languages.count < 20 { languages.insert(language) } }
    fileprivate mutating func addViewport(isCertain: Bool) {
        if isCertain { usesViewport = true } else { mayUseViewport = true }
    }
    fileprivate mutating func addDynamicUnit() { usesDynamicUnits = true }
    fileprivate mutating func add(_ image: DataImage) { images[image.hash] = image.pixels }
    fileprivate mutating func addFontDeclaration(_ hash: Int) { fontDeclarations.insert(hash) }
    fileprivate mutating func addFontList(_ end: String) {
        if !Self.generics.contains(end), !end.hasPrefix("ui-") { mayLackGeneric = true }
    }

    private static let generics: Set = [
        "serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "math", "emoji", "fangsong", "inherit",
        "initial", "unset", "revert", "revert-layer", "caption", "icon", "menu", "message-box", "small-caption",
        "status-bar",
    ]
}

/// A single pass over the bytes.
private struct Scanner {
    let bytes: UnsafeRawBufferPointer
    var index = 0
    /// True inside an `@font-face` rule, whose `font-family` names a font and does not use one.
    var isInFace = false
    /// The bytes that lists of fonts have been looked for in, ahead of the pass.
    private var bytesAhead = 0
    /// The bytes that the starts of URLs have been looked for in.
    private var bytesBehind = 0

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func run(into text: inout SourceText) {
        var nextCheck = Self.checked
        while index < bytes.count {
            if index >= nextCheck {
                if Task.isCancelled { return }
                nextCheck = index + Self.checked
            }
            let byte = bytes[index]
            switch byte {
            case 0x80...: addCharacter(to: &text)
            case UInt8(ascii: "\\"):
                let (code, length) = number(at: index + 1, radix: 16, most: 6)
                if length > 0 { text.add(code) }
            case UInt8(ascii: "&"): addReference(to: &text)
            case UInt8(ascii: "<"):
                if index + 1 < bytes.count, bytes[index + 1] | 0x20 &- 97 < 26 { text.addStartTag() }
                if has("<audio", at: index) || has("<video", at: index) { text.addMedia() }
            case UInt8(ascii: "@") where has("@font-face", at: index): isInFace = true
            case UInt8(ascii: "}"): isInFace = false
            case UInt8(ascii: "d"), UInt8(ascii: "D"):
                if has("data:text", at: index) || has("data:application", at: index) { text.isUnclear = true }
                if has("data:audio", at: index) || has("data:video", at: index) { text.addMedia() }
                if has("data:image", at: index),
                    let image = DataImage(UnsafeRawBufferPointer(rebasing: bytes[index...]))
                {
                    text.add(image)
                }
            case UInt8(ascii: "f"), UInt8(ascii: "F"):
                if !isInFace, !text.mayLackGeneric {
                    // For deeply nested lists, the document itself is checked.
                    let end = bytesAhead > 4 * bytes.count + Self.checked ? "" : fontList()
                    if let end { text.addFontList(end) }
                }
                if has("font", at: index) { text.addFontDeclaration(declaration()) }
                if has("fixed", at: index) { addFixed(to: &text) }
            case UInt8(ascii: "s"), UInt8(ascii: "S"):
                if has("sticky", at: index) { text.addViewport(isCertain: false) }
                if has("shadowroot", at: index) { text.addShadowRoot() }
                if has("srcdoc", at: index) { text.addFrameDocument() }
                if has("src=", at: index), isFile(at: index + 4) { text.addFile() }
            case UInt8(ascii: "a"), UInt8(ascii: "A"):
                if has("absolute", at: index) { text.addViewport(isCertain: false) }
            case UInt8(ascii: "("):
                if isHeightFeature { text.addViewport(isCertain: true) }
            case UInt8(ascii: "h"), UInt8(ascii: "H"):
                if has("height", at: index), isPercentage { text.addViewport(isCertain: false) }
                if has("hyphens", at: index) { text.addHyphens() }
            case UInt8(ascii: "l"), UInt8(ascii: "L"):
                if has("lang=", at: index) { text.add(language: language) }
            case UInt8(ascii: "v"), UInt8(ascii: "V"):
                if isViewportUnit { text.addViewport(isCertain: true) }
                if isDynamicUnit { text.addDynamicUnit() }
            case UInt8(ascii: "u"), UInt8(ascii: "U"):
                if has("url(", at: index), isFile(at: index + 4) { text.addFile() }
            default: break
            }
            index += 1
        }
    }

    /// Compares all bytes but the first, which the caller has checked, without regard to case. The word is in lower case. Most
    /// words already differ in the second letter, in base64 too.
    private func has(_ word: StaticString, at start: Int) -> Bool {
        let length = word.utf8CodeUnitCount
        guard start + length <= bytes.count else { return false }
        var offset = 1
        while offset < length {
            let byte = bytes[start + offset]
            let lower = byte &- 65 < 26 ? byte + 32 : byte
            if lower != word.utf8Start[offset] { return false }
            offset += 1
        }
        return true
    }

    /// True if the URL that starts here, perhaps in quotes, names neither data nor a part of the document.
    private func isFile(at start: Int) -> Bool {
        let place = bytes.indices.contains(start) && [0x22, 0x27].contains(bytes[start]) ? start + 1 : start
        guard place < bytes.count, bytes[place] != UInt8(ascii: "#") else { return false }
        return bytes[place] | 0x20 != UInt8(ascii: "d") || !has("data:", at: place)
    }

    /// The value of the attribute `lang` that starts here.
    private var language: String {
        let value = bytes[(index + 5)...].prefix(40).drop { $0 == 0x22 || $0 == 0x27 }
        return String(decoding: value.prefix { $0 == UInt8(ascii: "-") || $0 | 0x20 &- 97 < 26 }, as: UTF8.self)
    }

    /// True for a unit of the viewport's height, as in `100vh`, `100dvh` and `5vmin`.
    private var isViewportUnit: Bool {
        guard ["vh", "vb", "vmin", "vmax"].contains(where: { has($0, at: index) }), index > 0 else { return false }
        func isDigit(_ place: Int) -> Bool { place >= 0 && bytes[place] &- 48 < 10 }
        let isKind = [UInt8(ascii: "s"), UInt8(ascii: "l"), UInt8(ascii: "d")].contains(bytes[index - 1] | 0x20)
        return isDigit(isKind ? index - 2 : index - 1)
    }

    /// True for a unit of the dynamic viewport, as in `100dvh`. Any word with these letters is close enough.
    private var isDynamicUnit: Bool {
        index >= 2 && bytes[index - 1] | 0x20 == UInt8(ascii: "d") && bytes[index - 2] &- 48 < 10
    }

    /// True for a media feature in parentheses that depends on the viewport's height.
    private var isHeightFeature: Bool {
        var place = index + 1
        while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
        func starts(_ word: StaticString) -> Bool {
            place < bytes.count && bytes[place] | 0x20 == word.utf8Start[0] && has(word, at: place)
        }
        if starts("min-") || starts("max-") { place += 4 }
        return starts("height") || starts("device-") || starts("aspect-ratio") || starts("orientation")
    }

    /// True if the declaration or the attribute `height` that starts here has a percentage or another word for all that is there.
    private var isPercentage: Bool {
        if index >= 5, bytes[index - 1] == UInt8(ascii: "-"), has("line-", at: index - 5),
            bytes[index - 5] | 0x20 == 0x6C
        {
            return false
        }
        var place = index + 6
        while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
        guard place < bytes.count, bytes[place] == UInt8(ascii: ":") || bytes[place] == UInt8(ascii: "=") else {
            return false
        }
        // The first byte may be an attribute's quote.
        for other in (place + 1)..<min(place + 80, bytes.count) {
            switch bytes[other] {
            case UInt8(ascii: "%"): return true
            case UInt8(ascii: "s") where has("stretch", at: other), UInt8(ascii: "f") where has("fill-", at: other):
                return true
            case UInt8(ascii: ";"), UInt8(ascii: "}"), UInt8(ascii: ">"): return false
            case 0x22, 0x27: if other > place + 1 { return false }
            default: break
            }
        }
        return false
    }

    /// Adds a background or a position that is fixed. A table's layout may be fixed, too.
    private mutating func addFixed(to text: inout SourceText) {
        // Bytes outside of URLs.
        var rest = 200
        var place = index - 1
        while place >= 0, rest > 0 {
            switch bytes[place] {
            case UInt8(ascii: "p"), UInt8(ascii: "P"):
                if has("position:", at: place) || has("position :", at: place) {
                    return text.addViewport(isCertain: false)
                }
            case UInt8(ascii: "b"), UInt8(ascii: "B"):
                if has("background", at: place) { return text.addViewport(isCertain: true) }
            case UInt8(ascii: ")"):
                guard let start = startOfURL(endingAt: place) else { return text.addViewport(isCertain: true) }
                place = start
            case UInt8(ascii: ";"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ">"): return
            default: break
            }
            place -= 1
            rest -= 1
        }
    }

    /// The place of the parenthesis of the URL that ends here, which may contain any character; `end` if it is another function's.
    ///
    /// - Returns: nil for a document of so many long URLs that the search would take too long.
    private mutating func startOfURL(endingAt end: Int) -> Int? {
        let last = end > 0 ? bytes[end - 1] : 0
        let quote = last == 0x22 || last == 0x27 ? last : nil
        var place = quote == nil ? end - 1 : end - 2
        while place > 0 {
            bytesBehind += 1
            if bytesBehind > 4 * bytes.count { return nil }
            let byte = bytes[place]
            if let quote {
                if byte == quote { return bytes[place - 1] == UInt8(ascii: "(") ? place - 1 : end }
            } else if byte == UInt8(ascii: "(") {
                let isURL = place >= 3 && bytes[place - 3] | 0x20 == UInt8(ascii: "u") && has("url(", at: place - 3)
                return isURL ? place : end
            } else if Self.isSpace(byte) || byte == 0x22 || byte == 0x27 || byte == UInt8(ascii: ")") {
                return end
            }
            place -= 1
        }
        return end
    }

    private mutating func addCharacter(to text: inout SourceText) {
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes[index...].makeIterator()
        guard case .valid(let units) = parser.parseScalar(from: &iterator) else {
            text.isUnclear = true
            return
        }
        text.add(Unicode.UTF8.decode(units).value)
        index += units.count - 1
    }

    private func number(at start: Int, radix: UInt32, most: Int) -> (value: UInt32, length: Int) {
        var (value, length): (UInt32, Int) = (0, 0)
        while length < most, start + length < bytes.count,
            let digit = Character(Unicode.Scalar(bytes[start + length])).hexDigitValue, digit < radix
        { (value, length) = (value * radix + UInt32(digit), length + 1) }
        return (value, length)
    }

    private func addReference(to text: inout SourceText) {
        guard index + 1 < bytes.count else { return }
        if bytes[index + 1] == UInt8(ascii: "#") {
            let isHex = has("&#x", at: index)
            let (code, _) = number(at: index + (isHex ? 3 : 2), radix: isHex ? 16 : 10, most: 7)
            // HTML maps these codes to characters of windows-1252.
            if (0x80..<0xA0).contains(code) { text.isUnclear = true }
            return text.add(code)
        }
        let name = bytes[(index + 1)...].prefix(32).prefix {
            (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
        }
        guard !name.isEmpty, name.endIndex < bytes.count, bytes[name.endIndex] == UInt8(ascii: ";") else { return }
        guard let code = Self.references[String(decoding: name, as: UTF8.self)] else {
            text.isUnclear = true
            return
        }
        text.add(code)
    }

    /// Common character references.
    private static let references: [String: UInt32] = [
        "amp": 0x26, "lt": 0x3C, "gt": 0x3E, "quot": 0x22, "apos": 0x27, "nbsp": 0xA0, "copy": 0xA9, "reg": 0xAE,
        "trade": 0x2122, "mdash": 0x2014, "ndash": 0x2013, "hellip": 0x2026, "middot": 0xB7, "bull": 0x2022,
        "laquo": 0xAB, "raquo": 0xBB, "lsquo": 0x2018, "rsquo": 0x2019, "ldquo": 0x201C, "rdquo": 0x201D,
        "times": 0xD7, "deg": 0xB0, "euro": 0x20AC, "pound": 0xA3, "larr": 0x2190, "uarr": 0x2191, "rarr": 0x2192,
        "darr": 0x2193, "shy": 0xAD, "zwj": 0x200D, "zwnj": 0x200C, "ensp": 0x2002, "emsp": 0x2003, "thinsp": 0x2009,
        "eacute": 0xE9, "auml": 0xE4, "ouml": 0xF6, "uuml": 0xFC, "szlig": 0xDF, "sect": 0xA7, "plusmn": 0xB1,
    ]

    /// Bytes between two looks for the end of the task.
    private static let checked = 65_536

    /// The hash of the declaration or attribute that starts here.
    private func declaration() -> Int {
        let end = bytes[index...].prefix(200).prefix {
            $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "}") && $0 != UInt8(ascii: ">")
        }
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: end))
        return hasher.finalize()
    }

    /// The last name in lower case of the list of font families that starts here. Nil if none does.
    private mutating func fontList() -> String? {
        var place = index
        if has("font-family", at: place) {
            place += 11
        } else if has("font", at: place) || has("face", at: place) {
            place += 4
        } else {
            return nil
        }
        let isFace = bytes[index + 1] | 0x20 == UInt8(ascii: "a")
        while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
        guard place < bytes.count, bytes[place] == UInt8(ascii: "=") || !isFace && bytes[place] == UInt8(ascii: ":")
        else {
            return nil
        }
        return lastWord(from: place + 1)
    }

    /// The last name up to the end of the declaration or attribute. A quote directly after a letter or symbol ends an
    /// attribute.
    private mutating func lastWord(from start: Int) -> String {
        var word: [UInt8] = []
        var quote: UInt8?
        var isAfterSpace = true
        for byte in bytes[start...].prefix(2000) {
            bytesAhead += 1
            if let open = quote {
                if byte == open { quote = nil } else { word.append(byte) }
                isAfterSpace = false
                continue
            }
            switch byte {
            case UInt8(ascii: ";"), UInt8(ascii: "}"), UInt8(ascii: ">"), UInt8(ascii: "<"), UInt8(ascii: "!"):
                return String(decoding: word, as: UTF8.self).lowercased()
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                if !isAfterSpace { return String(decoding: word, as: UTF8.self).lowercased() }
                quote = byte
                word = []
            case UInt8(ascii: ","):
                word = []
                isAfterSpace = true
            case _ where Self.isSpace(byte):
                isAfterSpace = true
            default:
                if isAfterSpace { word = [] }
                isAfterSpace = false
                word.append(byte)
            }
        }
        return String(decoding: word, as: UTF8.self).lowercased()
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
