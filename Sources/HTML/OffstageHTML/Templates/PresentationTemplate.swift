import Foundation
import Offstage

/// The page around an HTML fragment. It sets the line height, font, colours and width, and nothing else.
///
/// Values for the style sheet are parsed and formatted again, never passed through, so that no value can add CSS of its own.
/// The body is HTML and is inserted unchanged.
public struct PresentationTemplate: Sendable, Hashable {
    /// A multiple of the font size, 0.5 to 10. Default 1.4.
    public var lineHeight: Double
    /// Families in order of preference. Default `sans-serif`.
    public var font: FontList
    /// The colour of the text. Default black.
    public var textColor: Color
    /// The colour behind the body and the rest of the page. Default white.
    public var backgroundColor: Color
    /// CSS px, 1 to 32,767: the width of the body and of the picture. Nil, the default, uses the picture's width.
    public var width: Int?
    /// The contents of the page, as HTML.
    public var body: String

    public init(
        body: String, lineHeight: Double = 1.4, font: FontList = FontList("sans-serif")!,
        textColor: Color = Color(red: 0, green: 0, blue: 0), backgroundColor: Color = .white, width: Int? = nil
    ) {
        self.body = body
        self.lineHeight = lineHeight
        self.font = font
        self.textColor = textColor
        self.backgroundColor = backgroundColor
        self.width = width
    }

    /// The names of a row's values. All but `BODY` have a default.
    public static let tokens: Set = ["LINE_HEIGHT", "FONT", "TEXT_COLOR", "BACKGROUND_COLOR", "WIDTH", "BODY"]

    /// Creates a page from a row's values.
    ///
    /// - Parameter values: Values by token, without the underscores.
    /// - Throws: If a value is missing, unknown or invalid for its token.
    public init(values: [String: String]) throws(TemplateError) {
        if let name = Set(values.keys).subtracting(Self.tokens).min() { throw .unused(name) }
        guard let body = values["BODY"] else { throw .missing("BODY") }
        self.init(body: body)
        if let color = try Self.read("BACKGROUND_COLOR", values, Self.color, Color.init(css:)) {
            backgroundColor = color
        }
        if let font = try Self.read("FONT", values, Self.families, FontList.init) { self.font = font }
        if let number = try Self.read("LINE_HEIGHT", values, Self.factor, { Double($0) }) { lineHeight = number }
        if let color = try Self.read("TEXT_COLOR", values, Self.color, Color.init(css:)) { textColor = color }
        width = try Self.read("WIDTH", values, Self.length) { Int($0) }
        try validate()
    }

    /// The whole document.
    ///
    /// - Throws: `TemplateError.invalid` if the line height or the width is out of range.
    public func document() throws(TemplateError) -> String {
        try validate()
        return try Self.template.filled(with: [
            "BACKGROUND_COLOR": backgroundColor.css, "BODY": body, "FONT": font.css,
            "LINE_HEIGHT": "\(lineHeight)", "TEXT_COLOR": textColor.css, "WIDTH": width.map { "\($0)px" } ?? "auto",
        ])
    }

    /// The page as a snippet with the page's width and background.
    ///
    /// - Throws: The same errors as `document`.
    public func snippet(identifier: String) throws(TemplateError) -> Snippet {
        var snippet = Snippet(try document(), identifier: identifier)
        if let width { snippet.geometry.width = width }
        snippet.background = backgroundColor
        return snippet
    }

    private static let template = Template(String(decoding: PackageResources.presentation_html, as: UTF8.self))

    private static let color = "a colour such as white, transparent, #1e90ff or rgba(0,0,0,0.5)"
    private static let factor = "a number from 0.5 to 10, a multiple of the font size"
    private static let families =
        "font families separated by commas, with only letters, digits, spaces, -, _ and . in their names"
    private static let length = "a whole number of CSS px from 1 to 32767"

    private func validate() throws(TemplateError) {
        guard (0.5...10).contains(lineHeight) else { throw .invalid("LINE_HEIGHT", takes: Self.factor) }
        if let width, !(1...SnapshotLimits.engine.side).contains(width) { throw .invalid("WIDTH", takes: Self.length) }
    }

    private static func read<Value>(
        _ token: String, _ values: [String: String], _ allowed: String, _ parse: (String) -> Value?
    ) throws(TemplateError) -> Value? {
        guard let text = values[token] else { return nil }
        guard let value = parse(text) else { throw .invalid(token, takes: allowed) }
        return value
    }
}
