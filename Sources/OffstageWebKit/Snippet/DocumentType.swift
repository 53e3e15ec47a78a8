import Foundation

extension Snippet {
    /// What a document is, and so who parses it.
    public enum DocumentType: String, Sendable, Hashable, CaseIterable {
        case html
        /// XML in the namespace of HTML. An error in it is `DrawingError.notWellFormed`.
        case xhtml
        /// A picture that stands alone; XML too. Without a height of its own it is as high as its `viewBox` has it for its width.
        case svg

        /// By a file's extension: `.svg`, `.xhtml`, `.xht`; HTML for any other.
        public init(path: String) {
            switch (path as NSString).pathExtension.lowercased() {
            case "svg": self = .svg
            case "xhtml", "xht": self = .xhtml
            default: self = .html
            }
        }

        var mediaType: String {
            switch self {
            case .html: "text/html"
            case .xhtml: "application/xhtml+xml"
            case .svg: "image/svg+xml"
            }
        }
    }

    /// Who says which charset a document is in.
    package enum CharsetOrigin: Sendable, Hashable {
        case caller, document
        /// Nobody: bytes that are not UTF-8 are taken for windows-1252, as browsers do.
        case fallback
    }

    /// Whether it is a name, or a label, of the WHATWG Encoding standard.
    package static func isCharset(_ name: String) -> Bool { Charset.isKnown(name) }

    /// Sets what the caller says of a document's bytes, where it says something. Of text, which is Unicode, it knows the charset.
    package mutating func set(type: DocumentType?, charset: String?) {
        if let type { self.type = type }
        if charsetOrigin == .caller { return }
        if let charset { (self.charset, charsetOrigin) = (charset, .caller) } else if type != nil { findCharset() }
    }

    /// Sets the charset that the bytes speak for. XML that names none is UTF-8, and an error where it is not.
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
