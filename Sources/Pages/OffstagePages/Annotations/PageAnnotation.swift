import Foundation

/// An annotation of a page, as the PDF standard defines it. Texts and positions in a document's annotations are
/// untrusted.
public struct PageAnnotation: Sendable, Hashable, Codable {
    /// The kinds that Offstage can create. All other kinds in a document are `other`.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// A note that a viewer shows as a symbol.
        case note
        /// Text on the page, without a symbol.
        case freeText
        case highlight
        case underline
        /// A wavy line below text.
        case squiggly
        case strikeOut
        /// Freehand lines.
        case ink
        /// A straight line between the two points of its only stroke.
        case line
        /// A rectangle as large as the annotation's part.
        case square
        /// An ellipse as large as the annotation's part.
        case circle
        /// A closed line through the points of its only stroke.
        case polygon
        /// An open line through the points of its only stroke.
        case polyLine
        case other

        /// True for the kinds that mark lines of text.
        public var isMark: Bool { [.highlight, .underline, .squiggly, .strikeOut].contains(self) }
    }

    /// The alignment of the lines of a free text in its box.
    public enum Alignment: String, Sendable, Hashable, Codable, CaseIterable {
        /// At the left; at the right for right-to-left text.
        case left
        case center
        /// At the right; at the left for right-to-left text.
        case right
    }

    /// A point of a page, as fractions of its displayed width and height.
    public struct Point: Sendable, Hashable, Codable {
        public var x: Double
        public var y: Double

        /// Makes a point.
        ///
        /// - Parameters:
        ///   - x: from the left edge, as a fraction of the page's width.
        ///   - y: from the upper edge, as a fraction of the page's height.
        public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
    }

    /// A colour without transparency.
    public struct Color: Sendable, Hashable, Codable {
        public var red: UInt8
        public var green: UInt8
        public var blue: UInt8

        /// Makes a colour.
        public init(red: UInt8, green: UInt8, blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }
    }

    /// The style of ink drawn with a pressure-sensitive pen or a highlighter. All its strokes form a single area.
    public struct Pen: Sendable, Hashable, Codable {
        /// For each stroke, the width at each of its points, in points. Empty: all have the annotation's width.
        public var widths: [[Double]]
        /// 0 to 255.
        public var opacity: UInt8
        /// True for a highlighter, which darkens the content below.
        public var isHighlighter: Bool

        /// Describes a pen.
        ///
        /// - Parameters:
        ///   - widths: for each stroke, the width at each of its points, in points. Default empty.
        ///   - opacity: 0 to 255. Default 255.
        ///   - isHighlighter: default false.
        public init(widths: [[Double]] = [], opacity: UInt8 = 255, isHighlighter: Bool = false) {
            (self.widths, self.opacity, self.isHighlighter) = (widths, opacity, isHighlighter)
        }
    }

    public var kind: Kind
    /// The bounds of the annotation, around all marks and strokes. In a document, they are half a pen's width larger.
    public var part: PagePart
    /// The lines of marked text.
    public var marks: [PagePart] = []
    /// The lines of ink, each a sequence of points; the points of a line, a polygon or a polyline.
    public var strokes: [[Point]] = []
    /// The colour of the ink, the line, the mark, the note's symbol, or the words of a free text.
    public var color = Color(red: 0, green: 0, blue: 0)
    /// The width of ink and lines, points. Default 1.
    public var width = 1.0
    /// The style of ink with a varying width, or of translucent ink. Default nil: an even, opaque line.
    public var pen: Pen?
    /// The text of a note or a free text, or a comment on a mark; empty for none.
    public var text = ""

    /// The annotation's name in a document, unique on its page. Default nil: saving into a document generates one. An
    /// unnamed annotation of a document gets `object-12-0`, from its object's number and generation.
    public var identifier: String?
    /// The name of the person who made it. Default empty.
    public var author = ""
    /// The time of the last change. Default nil.
    public var modified: Date?
    /// From 0, invisible, to 1, opaque. Default 1. It is combined with the opacity of a pen.
    public var opacity = 1.0
    /// The font size of a free text, in points. Default 12.
    public var fontSize = 12.0
    /// The font of a free text: `sans-serif`, `serif` or `monospace`. The name of a family, such as `Georgia`, is kept
    /// for other programs; Offstage uses the most similar of the three. Default `sans-serif`.
    public var fontFamily = "sans-serif"
    /// The alignment of a free text. Default `.left`.
    public var alignment = Alignment.left
    /// The background of a free text, or the fill of a square, a circle, a polygon or a polyline. Default nil: none.
    public var fill: Color?
    /// The width of the box around a free text, points. Default 0: no box.
    public var borderWidth = 0.0

    init(kind: Kind, part: PagePart) { (self.kind, self.part) = (kind, part) }

    /// Marks lines of text.
    ///
    /// - Parameters:
    ///   - kind: `.highlight`, `.underline`, `.squiggly` or `.strikeOut`.
    ///   - marks: the lines, as `PageText.parts` returns them; at least one.
    ///   - color: default yellow.
    ///   - text: a comment. Default none.
    /// - Returns: nil for other kinds, and for an empty list of lines.
    public static func mark(
        _ kind: Kind, _ marks: [PagePart], color: Color = Color(red: 255, green: 220, blue: 0), text: String = ""
    ) -> PageAnnotation? {
        guard kind.isMark, let first = marks.first else { return nil }
        var annotation = PageAnnotation(kind: kind, part: marks.dropFirst().reduce(first) { $0.united(with: $1) })
        (annotation.marks, annotation.color, annotation.text) = (marks, color, text)
        return annotation
    }

    /// Makes a note, or a text on the page.
    ///
    /// - Parameters:
    ///   - kind: `.note` or `.freeText`.
    ///   - text: the words; at least one character.
    ///   - part: its bounds on the page.
    ///   - color: the colour of the note's symbol, or of the words. Default nil: a yellow symbol, black words.
    /// - Returns: nil for other kinds, and for an empty text.
    public static func text(
        _ kind: Kind, _ text: String, at part: PagePart, color: Color? = nil
    ) -> PageAnnotation? {
        guard [.note, .freeText].contains(kind), !text.isEmpty else { return nil }
        var annotation = PageAnnotation(kind: kind, part: part)
        annotation.color =
            color ?? (kind == .note ? Color(red: 255, green: 220, blue: 0) : Color(red: 0, green: 0, blue: 0))
        annotation.text = text
        return annotation
    }

    /// Makes ink.
    ///
    /// - Parameters:
    ///   - strokes: each a sequence of points; those without points are left out.
    ///   - color: default black.
    ///   - width: in points; for a pen with widths, the largest. Default 1.
    ///   - pen: default nil: an even, opaque line.
    /// - Returns: nil if there are no points.
    public static func ink(
        _ strokes: [[Point]], color: Color = Color(red: 0, green: 0, blue: 0), width: Double = 1, pen: Pen? = nil
    ) -> PageAnnotation? {
        let strokes = strokes.filter { !$0.isEmpty }
        guard let part = PagePart(around: strokes.flatMap(\.self)) else { return nil }
        var annotation = PageAnnotation(kind: .ink, part: part)
        (annotation.strokes, annotation.color, annotation.width) = (strokes, color, width)
        annotation.pen = pen
        return annotation
    }

    /// Makes a line, a polygon or a polyline.
    ///
    /// - Parameters:
    ///   - kind: `.line`, `.polygon` or `.polyLine`.
    ///   - points: exactly two for a line, at least two for the others.
    ///   - color: default black.
    ///   - width: points. Default 1.
    ///   - fill: the fill colour. Default none.
    /// - Returns: nil for other kinds, and for a wrong number of points.
    public static func line(
        _ kind: Kind, _ points: [Point], color: Color = Color(red: 0, green: 0, blue: 0), width: Double = 1,
        fill: Color? = nil
    ) -> PageAnnotation? {
        guard [.line, .polygon, .polyLine].contains(kind), kind == .line ? points.count == 2 : points.count > 1,
            let part = PagePart(around: points)
        else { return nil }
        var annotation = PageAnnotation(kind: kind, part: part)
        (annotation.strokes, annotation.color, annotation.width) = ([points], color, width)
        annotation.fill = fill
        return annotation
    }

    /// Makes a rectangle or an ellipse.
    ///
    /// - Parameters:
    ///   - kind: `.square` or `.circle`.
    ///   - part: its bounds on the page.
    ///   - color: the line colour. Default black.
    ///   - width: the line width in points. Default 1.
    ///   - fill: the fill colour. Default none.
    /// - Returns: nil for other kinds.
    public static func shape(
        _ kind: Kind, at part: PagePart, color: Color = Color(red: 0, green: 0, blue: 0), width: Double = 1,
        fill: Color? = nil
    ) -> PageAnnotation? {
        guard [.square, .circle].contains(kind) else { return nil }
        var annotation = PageAnnotation(kind: kind, part: part)
        (annotation.color, annotation.width, annotation.fill) = (color, width, fill)
        return annotation
    }
}
