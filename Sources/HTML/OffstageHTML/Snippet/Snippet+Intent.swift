import Offstage

extension Snippet {
    /// The purpose of some HTML. It decides the meaning of the HTML's attributes.
    public enum Intent: Sendable {
        /// A whole document, drawn unchanged. It takes no attributes.
        case document
        /// A fragment without a page, drawn in standards mode and without a margin (`completeDocument`). It takes no
        /// attributes.
        case fragment
        /// A fragment for the built-in page, `PresentationTemplate`. Its attributes are the page's other tokens, such as
        /// `FONT`.
        case presentation
        /// A fragment for the host's own template. It replaces the token `BODY`; its attributes are the values of the
        /// other tokens.
        case template(Template)
    }

    /// Creates a snippet from HTML and its purpose. The snippet is as high as its content.
    ///
    /// - Parameters:
    ///   - html: A document or a fragment, according to `intent`.
    ///   - identifier: The host's name for the picture.
    ///   - intent: The purpose of the HTML.
    ///   - attributes: Values by token, without the underscores. Default none.
    ///   - width: CSS px; default 400. The attribute `WIDTH` of `.presentation` overrides it.
    ///   - scale: Device px per CSS px; default 1.
    /// - Throws: If an attribute is missing, unknown, invalid for its token, or named `BODY`, which is the HTML itself.
    public init(
        _ html: String, identifier: String, intent: Intent, attributes: [String: String] = [:], width: Int = 400,
        scale: Double = 1
    ) throws(TemplateError) {
        let body = "BODY"
        if attributes[body] != nil { throw .invalid(body, takes: "the HTML itself; remove the attribute") }
        let values = attributes.merging([body: html]) { one, _ in one }
        switch intent {
        case .document, .fragment:
            if let name = attributes.keys.min() { throw .unused(name) }
            self.init(html, identifier: identifier, width: width, scale: scale)
            if case .fragment = intent { completeDocument() }
        case .presentation:
            let page = try PresentationTemplate(values: values)
            self = try page.snippet(identifier: identifier)
            geometry.width = page.width ?? width
            geometry.scale = scale
        case .template(let template):
            self.init(try template.filled(with: values), identifier: identifier, width: width, scale: scale)
        }
    }
}
