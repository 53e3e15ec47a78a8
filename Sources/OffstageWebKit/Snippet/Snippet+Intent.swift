import Offstage

extension Snippet {
    /// What some HTML is meant as, and so what its attributes are.
    public enum Intent: Sendable {
        /// A whole document, drawn as it is: it takes no attributes.
        case document
        /// A fragment that stands alone, in standards mode and without a margin (`completeDocument`): it takes no attributes.
        case fragment
        /// A fragment for the built-in page, `PresentationTemplate`: its attributes are the page's other tokens, such as `FONT`.
        case presentation
        /// A fragment for a page of the host's: what the template's token `BODY` stands for. Its attributes are the values of
        /// the other tokens.
        case template(Template)
    }

    /// A snippet from HTML and what it is meant as, as high as its content.
    ///
    /// - Parameters:
    ///   - html: a document or a fragment, as `intent` says.
    ///   - identifier: the host's name for the picture.
    ///   - intent: what the HTML is.
    ///   - attributes: values by token, without the underscores; default none.
    ///   - width: CSS px; default 400. The attribute `WIDTH` of `.presentation` goes before it.
    ///   - scale: device px to a CSS px; default 1.
    /// - Throws: where an attribute is missing, unknown, not what the token takes, or `BODY`, which the HTML is.
    public init(
        _ html: String, identifier: String, intent: Intent, attributes: [String: String] = [:], width: Int = 400,
        scale: Double = 1
    ) throws(TemplateError) {
        let body = "BODY"
        if attributes[body] != nil { throw .invalid(body, takes: "the HTML itself, and no attribute") }
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
