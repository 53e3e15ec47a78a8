import Foundation

/// Pages with ink. A value type: copies are independent, and share memory for equal content.
public struct Ink: Sendable, Hashable, Codable {
    public var pages: [InkPage]

    /// Makes a document.
    ///
    /// - Parameter pages: default one empty A4 page.
    public init(pages: [InkPage] = [InkPage()]) { self.pages = pages }

    /// The strokes of all pages.
    public var strokeCount: Int { pages.reduce(0) { $0 + $1.strokes.count } }
}

/// A page: paper, and layers of ink over it. Lengths are in points, 72 to the inch.
public struct InkPage: Sendable, Hashable, Codable {
    public var width: Float
    public var height: Float
    public var background: InkBackground
    /// The margin of squared paper, points. Default 0: squares up to the edges.
    public var rulingMargin: Float = 0
    /// The distance between the paper's lines, points. Default 0 for the usual distance.
    public var rulingSpacing: Float = 0
    /// The position of the first line of ruled paper, in points. The lines continue to the lower edge. Default 0 for
    /// the usual position.
    public var rulingStart: Float = 0
    /// The width of the paper's lines, points. Default 0 for the usual width.
    public var rulingWidth: Float = 0
    public var rulingColors = InkRulingColors()
    /// From bottom to top.
    public var layers: [InkLayer]

    /// Makes a page.
    ///
    /// - Parameters:
    ///   - width: points. Default A4.
    ///   - height: points. Default A4.
    ///   - background: default white paper without lines.
    ///   - layers: from bottom to top. Default one empty layer.
    public init(
        width: Float = 595.27559, height: Float = 841.88976, background: InkBackground = .paper(.white, .plain),
        layers: [InkLayer] = [InkLayer()]
    ) {
        (self.width, self.height, self.background, self.layers) = (width, height, background, layers)
    }

    /// The strokes of all layers, in drawing order.
    public var strokes: [Stroke] { layers.flatMap(\.strokes) }

    /// True for paper on which a highlighter lightens.
    public var isDark: Bool { if case .paper(let color, _) = background { color.isDark } else { false } }
}

/// The background of a page.
public enum InkBackground: Sendable, Hashable, Codable {
    case paper(InkColor, InkRuling)
    /// A page of a PDF document, from 1. The name is the one in the ink's file; see `InkFileReference`.
    case document(InkFileReference, page: Int)
    case image(InkFileReference)
}

/// A file that a document refers to. Untrusted if the document is.
public struct InkFileReference: Sendable, Hashable, Codable {
    /// The name as written in the document: a path, or the name of an embedded file.
    public var name: String
    /// True for a file beside the document, or in it. False for a path.
    public var isAttached: Bool

    /// Makes a reference.
    ///
    /// - Parameters:
    ///   - name: a path, or the name of an embedded file.
    ///   - isAttached: true for a file beside the document, or in it.
    public init(_ name: String, isAttached: Bool) { (self.name, self.isAttached) = (name, isAttached) }
}

/// The line pattern of paper.
public enum InkRuling: String, Sendable, Hashable, Codable, CaseIterable {
    case plain
    /// Lines with a margin.
    case lined
    case ruled
    /// Squares.
    case graph
    case dotted
    case isometricGraph = "isometric-graph"
    case isometricDotted = "isometric-dotted"
    /// Music staves.
    case staves
}

/// The colours of a paper's lines, without opacity. Nil, the default, for the usual colour.
public struct InkRulingColors: Sendable, Hashable, Codable {
    public var lines: InkColor?
    public var linesOnDark: InkColor?
    /// The colour of secondary lines, such as a margin.
    public var accents: InkColor?
    public var accentsOnDark: InkColor?

    /// Uses the default colours.
    public init() {}
}

/// A layer of a page.
public struct InkLayer: Sendable, Hashable, Codable {
    /// Default none.
    public var name: String?
    /// From bottom to top.
    public var items: [InkItem]

    /// Makes a layer.
    ///
    /// - Parameters:
    ///   - name: default none.
    ///   - strokes: from bottom to top. Default none.
    public init(name: String? = nil, strokes: [Stroke] = []) {
        self.name = name
        items = strokes.map(InkItem.stroke)
    }

    public var strokes: [Stroke] { items.compactMap(\.stroke) }
}

/// An element of a layer.
public enum InkItem: Sendable, Hashable, Codable {
    case stroke(Stroke)
    case text(InkText)
    case image(InkImage)

    public var stroke: Stroke? { if case .stroke(let stroke) = self { stroke } else { nil } }
}

/// A text on a page. `InkEngine` draws it, with the most similar of a few fonts; `InkRaster` and `InkCanvas` do not.
public struct InkText: Sendable, Hashable, Codable {
    public var text: String
    public var font: String
    /// Points.
    public var size: Float
    /// The upper left corner, in points.
    public var x: Float
    /// The upper left corner, in points.
    public var y: Float
    public var color: InkColor

    /// Makes a text.
    ///
    /// - Parameters:
    ///   - text: its lines.
    ///   - font: such as `Serif Bold`. Default Sans.
    ///   - size: points.
    ///   - x: points, of the upper left corner.
    ///   - y: points, of the upper left corner.
    ///   - color: default black.
    public init(text: String, font: String = "Sans", size: Float, x: Float, y: Float, color: InkColor = .black) {
        (self.text, self.font, self.size, self.x, self.y, self.color) = (text, font, size, x, y, color)
    }
}

/// An image on a page.
public struct InkImage: Sendable, Hashable, Codable {
    /// A PNG or JPEG file, or the PDF document of a formula. Untrusted if the document is.
    public var data: Data
    /// Points. An image whose right edge is left of its left one is mirrored.
    public var left: Float
    /// Points.
    public var top: Float
    /// Points.
    public var right: Float
    /// Points.
    public var bottom: Float
    /// A formula's LaTeX source. Default nil for none.
    public var source: String?

    /// Makes an image.
    ///
    /// - Parameters:
    ///   - data: a PNG or JPEG file, or the PDF document of a formula.
    ///   - left: points.
    ///   - top: points.
    ///   - right: points.
    ///   - bottom: points.
    ///   - source: a formula's LaTeX source. Default nil for none.
    public init(data: Data, left: Float, top: Float, right: Float, bottom: Float, source: String? = nil) {
        (self.data, self.left, self.top, self.right, self.bottom) = (data, left, top, right, bottom)
        self.source = source
    }
}
