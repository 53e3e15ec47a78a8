/// The reasons why bytes cannot be read as XFDF.
public enum XFDFProblem: Error, Sendable, Hashable, CustomStringConvertible {
    case tooLarge(bytes: Int, limit: Int)
    /// The root is not `xfdf`.
    case notXFDF
    /// The file is not well-formed XML.
    case malformed(line: Int)
    /// The file has a document type, which XFDF does not need, and which can be an attack.
    case hasDocumentType(line: Int)
    case tooDeep(line: Int, limit: Int)
    case tooManyAnnotations(limit: Int)
    /// An annotation lacks an attribute, or has an invalid one.
    case attribute(String, of: String, line: Int)

    /// The line of the problem, from 1; nil if it affects the whole file.
    public var line: Int? {
        switch self {
        case .malformed(let line), .hasDocumentType(let line), .tooDeep(let line, _), .attribute(_, _, let line): line
        case .tooLarge, .notXFDF, .tooManyAnnotations: nil
        }
    }

    public var description: String {
        switch self {
        case .tooLarge(let bytes, let limit): "it has \(bytes) bytes, more than the limit of \(limit)"
        case .notXFDF: "it is not an XFDF file; its first element is not xfdf"
        case .malformed: "it is not well-formed XML"
        case .hasDocumentType: "it has a document type declaration (DOCTYPE), which XFDF does not use; remove it"
        case .tooDeep(_, let limit): "its elements are nested more than \(limit) levels deep"
        case .tooManyAnnotations(let limit): "it has more than \(limit) annotations; split it"
        case .attribute(let name, let element, _): "\(name) of \(element) is missing or not valid"
        }
    }
}
