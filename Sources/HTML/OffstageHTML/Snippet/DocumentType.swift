import Foundation

extension Snippet {
    /// The type of a document, which selects its parser.
    public enum DocumentType: String, Sendable, Hashable, CaseIterable, Codable {
        case html
        /// XML in the HTML namespace. A syntax error is `DrawingError.notWellFormed`.
        case xhtml
        /// A standalone SVG document, also XML. If it declares no height, its height follows from its width and its `viewBox`.
        case svg

        /// Takes the type from a file's extension: `.svg`, `.svgz`, `.xhtml`, `.xht`. Any other extension is HTML.
        public init(path: String) {
            switch (path as NSString).pathExtension.lowercased() {
            case "svg", "svgz": self = .svg
            case "xhtml", "xht": self = .xhtml
            default: self = .html
            }
        }

        package var mediaType: String {
            switch self {
            case .html: "text/html"
            case .xhtml: "application/xhtml+xml"
            case .svg: "image/svg+xml"
            }
        }
    }

    /// The source of the charset's name.
    package enum CharsetOrigin: String, Sendable, Hashable, Codable {
        case caller, document
        /// Neither the caller nor the document specifies a charset. Bytes that are not UTF-8 are read as windows-1252,
        /// as in browsers.
        case fallback
    }

    /// True if the name is a name or a label in the WHATWG Encoding standard.
    package static func isCharset(_ name: String) -> Bool { Charset.isKnown(name) }

    /// Sets the type and the charset that the caller names; nil leaves a value unchanged. A charset that the caller has
    /// already given, such as that of a string, is kept. Otherwise, a type without a charset makes the snippet
    /// determine its charset again.
    package mutating func set(type: DocumentType?, charset: String?) {
        if let type { self.type = type }
        if charsetOrigin == .caller { return }
        if let charset { (self.charset, charsetOrigin) = (charset, .caller) } else if type != nil { findCharset() }
    }

    /// Takes over another snippet's document: its bytes, type, charset and base.
    package mutating func setDocument(of other: Snippet) {
        (html, type, base) = (other.html, other.type, other.base)
        (charset, charsetOrigin) = (other.charset, other.charsetOrigin)
    }

    /// Sets the charset according to the bytes. XML that declares no charset is UTF-8; invalid bytes are an error.
    mutating func findCharset() {
        if let declared = Charset.declared(in: html, type) {
            (charset, charsetOrigin) = (declared, .document)
        } else if type == .html, Charset.firstInvalidUTF8(in: html) != nil {
            (charset, charsetOrigin) = ("windows-1252", .fallback)
        } else {
            (charset, charsetOrigin) = ("UTF-8", .document)
        }
    }
}
