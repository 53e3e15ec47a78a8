import Foundation
import Offstage

/// The characters, font declarations and images found in the bytes of a document and its style sheets. For most
/// documents, this makes it unnecessary to query the document itself. The scan covers everything in the bytes, rendered
/// or not. It reports too much rather than too little.
///
/// A query costs about 0.7 ms. This scan takes a few microseconds for a row, and a millisecond per megabyte.
struct SourceText {
    /// Characters outside ASCII: literal ones, references (`&#233;`, `&eacute;`) and CSS escapes (`\f101`).
    private(set) var characters: Set<UInt32> = []
    /// True if the document may have other characters, because of a charset other than UTF-8, an uncommon reference, text in a
    /// data URI or a script.
    var isUnclear = false
    /// True if the parser may create shadow roots.
    private(set) var namesShadowRoots = false
    /// True if the document or its frames may have shadow roots. The parser creates them for an attribute, and scripts
    /// may create them at any time.
    var mayHaveShadowRoots: Bool { namesShadowRoots || isUnclear }
    /// True if a frame may have its document in the attribute `srcdoc`, as far as the document's own bytes show this.
    private(set) var namesFrameDocuments = false
    /// True if the document seems to name files: a guess based on the most common forms, which may be wrong either way.
    private(set) var namesFiles = false
    /// True if a style may enable hyphenation.
    private(set) var hyphenates = false
    /// The languages that the document names.
    private(set) var languages: Set<String> = []
    /// The files that the document's XML uses and that WebKit leaves out.
    var unsupported: [UnsupportedFile] = []
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

    /// The number of start tags, including text that looks like one in a comment, a script or an attribute.
    private var startTags = 0

    /// True if the document has so many start tags that counting its elements before the layout is worthwhile. The
    /// parser may create more or fewer elements than there are tags.
    func mayExceed(_ elements: Int) -> Bool { startTags > max(elements, Self.fewTags) }

    /// The layout of a document with fewer tags is fast enough.
    private static let fewTags = 50_000

    /// The number of elements, for an XML document that may have too many; otherwise 0.
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

    /// Scans a snippet in the form in which it will be drawn.
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
            var scanner = SourceTextScanner(bytes: bytes)
            scanner.run(into: &self)
        }
    }

    /// Adds the findings about another text.
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

    mutating func add(_ code: UInt32) { if code >= 0x80 { characters.insert(code) } }
    mutating func addStartTag() { startTags += 1 }
    mutating func addShadowRoot() { namesShadowRoots = true }
    mutating func addFrameDocument() { namesFrameDocuments = true }
    mutating func addFile() { namesFiles = true }
    mutating func addMedia() { namesMedia = true }
    mutating func addHyphens() { hyphenates = true }
    mutating func add(language: String) { if languages.count < 20 { languages.insert(language) } }
    mutating func addViewport(isCertain: Bool) {
        if isCertain { usesViewport = true } else { mayUseViewport = true }
    }
    mutating func addDynamicUnit() { usesDynamicUnits = true }
    mutating func add(_ image: DataImage) { images[image.hash] = image.pixels }
    mutating func addFontDeclaration(_ hash: Int) { fontDeclarations.insert(hash) }
    mutating func addFontList(_ end: String) {
        if !Self.generics.contains(end), !end.hasPrefix("ui-") { mayLackGeneric = true }
    }

    private static let generics: Set = [
        "serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "math", "emoji", "fangsong", "inherit",
        "initial", "unset", "revert", "revert-layer", "caption", "icon", "menu", "message-box", "small-caption",
        "status-bar",
    ]
}
