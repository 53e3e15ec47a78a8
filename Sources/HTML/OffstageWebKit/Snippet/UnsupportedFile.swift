/// A file that XML uses and that WebKit leaves out: that of an external entity, of XInclude, of XSLT or of a document type.
struct UnsupportedFile: Sendable {
    /// The file, as the XML names it.
    let name: String
    /// The file or data URI that uses it; nil for the document.
    var user: String?

    /// The reason of a warning.
    var reason: String? { user.map { "in \($0)" } }
}
