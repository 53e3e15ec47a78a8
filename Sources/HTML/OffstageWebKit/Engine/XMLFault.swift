/// The first error of an XML document, described without quoting the document. The parser's own message names elements,
/// attributes and entities of the document, which an error must not do.
enum XMLFault {
    /// - Parameter message: libxml's message.
    /// - Returns: the problem, and the correct text if that helps.
    static func words(for message: String) -> String {
        words.first { message.contains($0.0) }?.1 ?? "it is not well-formed"
    }

    /// Fixed parts of libxml's messages, each with our description. The first match counts.
    private static let words: [(String, String)] = [
        ("Opening and ending tag mismatch", "an end tag does not match the start tag before it"),
        ("Premature end of data", "an element is not closed"),
        ("EndTag: '</' not found", "an element is not closed"),
        ("Couldn't find end of Start Tag", "a start tag is not closed"),
        // Also reported at the end of a truncated document.
        ("Extra content at the end", "an element is not closed, or something follows the root element"),
        ("Document is empty", "the root element is missing"),
        ("Start tag expected", "the root element is missing"),
        ("StartTag: invalid element name", "a '<' does not begin an element; write &lt;"),
        ("Unescaped '<'", "an attribute's value contains '<'; write &lt;"),
        ("AttValue:", "an attribute's value is not in quotes, or its quotes are not closed"),
        ("Specification mandate", "an attribute has no value"),
        ("redefined", "an element has the same attribute twice"),
        ("attributes construct error", "an attribute has no space before it, or no name"),
        ("Namespace prefix", "a namespace prefix is not declared; add xmlns:…"),
        ("EntityRef", "an '&' does not begin an entity; write &amp;"),
        ("Entity '", "an entity is not declared; write the character itself"),
        ("entity reference loop", "an entity contains itself"),
        // Parameter entities. WebKit supports none of them, not even those that the document declares.
        ("PEReference: %", "parameter entities are not supported; put their declarations into the document"),
        ("CharRef", "a reference does not name a character"),
        ("invalid Char", "a character is not allowed in XML"),
        ("allowed range", "a character is not allowed in XML"),
        ("not proper UTF-8", "some bytes are not in the document's charset"),
        ("encoding", "some bytes are not in the document's charset"),
        ("hyphen", "a comment is not closed, or contains '--'"),
        ("Comment", "a comment is not closed, or contains '--'"),
        ("CData section", "a CDATA section is not closed"),
        ("XML declaration", "the XML declaration is not at the start"),
        ("xmlParsePI", "a processing instruction is not closed, or has a reserved name"),
        ("DOCTYPE", "the document type is not closed"),
        ("internal subset", "a declaration in the document type is wrong"),
        ("xmlParse", "a declaration in the document type is wrong"),
        ("Excessive depth", "elements are nested too deeply"),
    ]
}
