import Foundation
import Offstage

/// A small HTML document to draw.
public struct Snippet: DrawingRequest {
    public var identifier: String
    /// The document's bytes, encoded in `charset`.
    public var html: Data
    /// The document's type. Default HTML.
    public var type = DocumentType.html
    /// A name of the WHATWG Encoding standard. It overrides any charset that the document declares.
    public var charset: String
    package internal(set) var charsetOrigin = CharsetOrigin.caller
    /// Provides the files that the document's relative URLs name. Nil for none.
    public var base: (any ResourceProvider)?
    public var geometry: Geometry
    public internal(set) var medium = Medium.pixels
    /// The part of the document to draw. Nil for all of it.
    public var selector: Selector?
    public var margins = Margins()
    /// The colour behind the document. If its alpha is below 1, the picture has an alpha channel. Nil, the default, uses the
    /// browser's own colour: white, or WebKit's dark grey for a document that uses the dark colour scheme.
    public var background: Color?
    public var emulation = Emulation()
    /// Style sheets that follow the document's own style sheets in the cascade. Relative URLs in them resolve against
    /// the document's base. `@import` has no effect.
    public var styleSheets: [String] = []
    /// True: the document's scripts run. They may delay the picture until they report that it is ready
    /// (docs/command-line.md, "Scripts"). The network remains unavailable. Default false.
    public var runsScripts = false
    /// The time limit for loading, in seconds from the start of the drawing. The picture lacks whatever has not loaded
    /// by then. Default 10.
    public var timeout: Double
    /// Limits on the resources that the snippet may use.
    public var limits = SnippetLimits()
    /// True: an incomplete picture is an error, `DrawingError.incomplete`. Default false.
    public var requiresComplete: Bool
    /// True: the first font family in each text's list must be installed or included in the snippet. If another one
    /// replaces it, that is an error, `DrawingError.fontsReplaced`. Default false: a replaced font is a warning, and
    /// only if no family in the list is available and the list has no generic family.
    public var requiresNamedFonts = false
    /// True: the result includes the links, the elements with an id (`PictureArea`) and the text. Finding them takes
    /// 0.1 to 1 ms and does not change the pixels. Default false.
    ///
    /// A link's target is the attribute's value without the white space that browsers strip. A relative target is
    /// relative to the document's address, which the host knows. If the document has a `<base>`, the target is resolved
    /// against that. Targets that run a script are omitted.
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

    public var scale: Double {
        get { geometry.scale }
        set { geometry.scale = newValue }
    }

    /// Selects elements of the document with a CSS selector. A part of the picture is an element's border box, with its
    /// edges rounded outwards to whole device px, and its surroundings up to `outset`.
    public struct Selector: Sendable, Hashable, Codable {
        public var css: String
        /// True: one picture for each visible matching element, in document order. False, the default: a single
        /// picture, of the first one.
        public var isEach: Bool
        /// The width of the area around the border box that the picture includes, for example for a shadow, in CSS px.
        /// The page's edges limit it. Default 0.
        public var outset: Int

        public init(_ css: String, isEach: Bool = false, outset: Int = 0) {
            self.css = css
            self.isEach = isEach
            self.outset = outset
        }
    }

    /// Creates a snippet from a string, `width` CSS px wide and as high as its content.
    public init(_ html: String, identifier: String, width: Int = 400, scale: Double = 1) {
        self.init(
            identifier: identifier, html: Data(html.utf8), geometry: Geometry(width: width, scale: scale))
    }
}

/// The form in which a worker gets a snippet: everything that decides the picture, except for `base`, whose files the
/// worker asks the host for, and `extra`, which the host keeps.
extension Snippet: Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case identifier, html, type, charset, charsetOrigin, geometry, medium, selector, margins, background, emulation
        case styleSheets, runsScripts, timeout, limits, requiresComplete, requiresNamedFonts, keepsAreas
    }
}
