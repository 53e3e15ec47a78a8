import Offstage

/// The problems of HTML documents.
extension DrawingError {
    /// The document is not text.
    public static let notText = DrawingError.unusable(
        SourceProblem(
            "not-text",
            "it is not text; if it is a file of another kind, give it that kind's extension; if it is compressed, unpack it"
        ))

    /// The document is XML with a syntax error: the location and the description of the first error, without quoting
    /// the document.
    public static func notWellFormed(line: Int, column: Int, _ text: String) -> DrawingError {
        .unusable(
            SourceProblem(
                "not-well-formed",
                "XML error in line \(line), column \(column): \(text); correct it, or render it as HTML"))
    }

    /// The document is XML, and its root element has a name from SVG or XHTML but no namespace, so WebKit does not
    /// treat it as SVG or XHTML.
    ///
    /// - Parameters:
    ///   - root: the element's name.
    ///   - namespace: the namespace to add.
    /// - Returns: the error.
    public static func namespaceMissing(root: String, _ namespace: String) -> DrawingError {
        .unusable(
            SourceProblem(
                "not-well-formed",
                "the root element <\(root)> is in no namespace; add xmlns=\"\(namespace)\" to it, or render it as HTML")
        )
    }

    /// A script has replaced the document with another one.
    package static let left = DrawingError.engineFailed("the document navigated to another address")

    /// The content has no height.
    public static let zeroHeight = DrawingError.unusable(
        SourceProblem(
            "zero-height",
            "the content has no height; give it one, set a fixed height, or set a viewport height if it is sized in vh")
    )

    /// No visible element matches the snippet's selector.
    public static func notFound(_ selector: String) -> DrawingError {
        .unusable(SourceProblem("nothing-matches", "nothing visible in the document matches \(selector)"))
    }

    /// These font families, as the document names them, are missing, and the snippet requires them.
    public static func fontsReplaced(_ families: [String]) -> DrawingError {
        .unusable(
            SourceProblem(
                "fonts-replaced",
                "no installed font family is named \(families.joined(separator: ", ")); install it, or embed it in the source"
            ))
    }
}
