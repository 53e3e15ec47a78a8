import Foundation
import Offstage

/// A small HTML document to draw.
public struct Snippet: DrawingRequest {
    public var identifier: String
    /// The document's bytes, in `charset`.
    public var html: Data
    /// Default HTML.
    public var type = DocumentType.html
    /// A name of the WHATWG Encoding standard. It holds against whatever the document declares.
    public var charset: String
    package internal(set) var charsetOrigin = CharsetOrigin.caller
    /// Where the document's relative URLs lead; nil for nowhere.
    public var base: (any ResourceProvider)?
    public var geometry: Geometry
    public internal(set) var medium = Medium.pixels
    /// Which part of the document becomes the picture; nil for all of it.
    public var selector: Selector?
    public var margins = Margins()
    /// What stands behind the document; with alpha below 1 the picture has an alpha channel. Nil, the default, for what
    /// browsers take: white, or WebKit's dark grey in a document that goes by the dark colour scheme.
    public var background: Color?
    public var emulation = Emulation()
    /// CSS that comes after the document's own in the cascade. Relative URLs in it start at the document's base; `@import`
    /// does nothing.
    public var styleSheets: [String] = []
    /// True: the document's scripts run, and may hold the picture up until they say that it is ready (docs/command-line.md, "Scripts").
    /// The network stays closed. Default false.
    public var runsScripts = false
    /// Seconds from the start of the drawing until what has not loaded by then is left out. Default 10.
    public var timeout: Double
    /// How much it may take.
    public var limits = SnippetLimits()
    /// True: a picture that lacks something is an error, `DrawingError.incomplete`. Default false.
    public var requiresComplete: Bool
    /// True: the font family that a text names first must be installed or come with the snippet; another in its place is an
    /// error, `DrawingError.fontsReplaced`. Default false: only a text whose author named no family that is there, and no
    /// generic one to stand in, gives a warning.
    public var requiresNamedFonts = false
    /// True: links and elements with an id, `PictureArea`, and the text are kept with the picture. Finding them takes 0.1 to
    /// 1 ms; the pixels are the same. Default false.
    ///
    /// A target is what the attribute says, without the space that browsers take away: what is relative is so to the
    /// document's address, which the host knows. Where the document has a `<base>`, it is what that makes of it. Targets that
    /// run a script are left out.
    public var keepsAreas = false
    public var extra: String?

    public init(
        identifier: String, html: Data, charset: String = "UTF-8", base: (any ResourceProvider)? = nil,
        geometry: Geometry = Geometry(), background: Color? = nil, timeout: Double = 10,
        requiresComplete: Bool = false
    ) {
        self.identifier = identifier
        self.html = html
        self.charset = charset
        self.base = base
        self.geometry = geometry
        self.background = background
        self.timeout = timeout
        self.requiresComplete = requiresComplete
    }

    public var scale: Double { geometry.scale }

    public func scaled(to scale: Double) -> Snippet {
        var snippet = self
        snippet.geometry.scale = scale
        return snippet
    }

    /// Elements of the document, by a CSS selector. A part is an element's border box, its edges rounded outwards to whole
    /// device px.
    public struct Selector: Sendable, Hashable {
        public var css: String
        /// True: a picture of every visible element that matches, in document order. False, the default: of the first.
        public var isEach: Bool

        public init(_ css: String, isEach: Bool = false) {
            self.css = css
            self.isEach = isEach
        }
    }

    /// A snippet from a string, `width` CSS px wide and as high as its content.
    public init(_ html: String, identifier: String, width: Int = 400, scale: Double = 1) {
        self.init(
            identifier: identifier, html: Data(html.utf8), geometry: Geometry(width: width, scale: scale))
    }
}
