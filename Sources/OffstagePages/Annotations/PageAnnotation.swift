import Foundation

/// An annotation of a page, as the PDF standard defines it. Texts and places of a document's annotations are untrusted.
public struct PageAnnotation: Sendable, Hashable, Codable {
    /// The kinds that Offstage makes. Those of a document with another kind are `other`.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// A note that a viewer shows as a symbol.
        case note
        /// Text on the page, without a symbol.
        case freeText
        case highlight
        case underline
        case strikeOut
        /// Lines drawn with a pen.
        case ink
        case other
    }

    /// A point of a page, in parts of its width and height as it is shown.
    public struct Point: Sendable, Hashable, Codable {
        public var x: Double
        public var y: Double

        /// Makes a point.
        ///
        /// - Parameters:
        ///   - x: from the left edge, in parts of the page's width.
        ///   - y: from the upper edge, in parts of the page's height.
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

    /// The look of ink that a pen with pressure, or a highlighter, has drawn. All its strokes are one area.
    public struct Pen: Sendable, Hashable, Codable {
        /// For each stroke, the width at each of its points, points. Empty: all have the annotation's width.
        public var widths: [[Double]]
        /// 0 to 255.
        public var opacity: UInt8
        /// True for a highlighter, which darkens what is below.
        public var isHighlighter: Bool

        /// Describes a pen.
        ///
        /// - Parameters:
        ///   - widths: for each stroke, the width at each of its points, points. Default empty.
        ///   - opacity: 0 to 255. Default 255.
        ///   - isHighlighter: default false.
        public init(widths: [[Double]] = [], opacity: UInt8 = 255, isHighlighter: Bool = false) {
            (self.widths, self.opacity, self.isHighlighter) = (widths, opacity, isHighlighter)
        }
    }

    public var kind: Kind
    /// The place of the annotation. It is around all marks and strokes; in a document, it is half a pen's width larger.
    public var part: PagePart
    /// The lines of marked text.
    public var marks: [PagePart] = []
    /// The lines of ink, each a sequence of points.
    public var strokes: [[Point]] = []
    public var color = Color(red: 0, green: 0, blue: 0)
    /// The width of ink, points. Default 1.
    public var width = 1.0
    /// The look of ink whose width changes, or that is translucent. Default nil: an even, opaque line.
    public var pen: Pen?
    /// The text of a note or a free text, or a comment on a mark; empty for none.
    public var text = ""

    init(kind: Kind, part: PagePart) { (self.kind, self.part) = (kind, part) }

    /// Marks lines of text.
    ///
    /// - Parameters:
    ///   - kind: `.highlight`, `.underline` or `.strikeOut`.
    ///   - marks: the lines, as `PageText.parts` returns them; at least one.
    ///   - color: default yellow.
    ///   - text: a comment. Default none.
    /// - Returns: nil for another kind, and without lines.
    public static func mark(
        _ kind: Kind, _ marks: [PagePart], color: Color = Color(red: 255, green: 220, blue: 0), text: String = ""
    ) -> PageAnnotation? {
        guard [.highlight, .underline, .strikeOut].contains(kind), let first = marks.first else { return nil }
        var annotation = PageAnnotation(kind: kind, part: marks.dropFirst().reduce(first) { $0.united(with: $1) })
        (annotation.marks, annotation.color, annotation.text) = (marks, color, text)
        return annotation
    }

    /// A note, or a text on the page.
    ///
    /// - Parameters:
    ///   - kind: `.note` or `.freeText`.
    ///   - text: the words; at least one character.
    ///   - part: its place in the page.
    ///   - color: default yellow.
    /// - Returns: nil for another kind, and without words.
    public static func text(
        _ kind: Kind, _ text: String, at part: PagePart, color: Color = Color(red: 255, green: 220, blue: 0)
    ) -> PageAnnotation? {
        guard [.note, .freeText].contains(kind), !text.isEmpty else { return nil }
        var annotation = PageAnnotation(kind: kind, part: part)
        (annotation.color, annotation.text) = (color, text)
        return annotation
    }

    /// Ink.
    ///
    /// - Parameters:
    ///   - strokes: each a sequence of points; those without points are left out.
    ///   - color: default black.
    ///   - width: points; of a pen with widths, the largest. Default 1.
    ///   - pen: default nil: an even, opaque line.
    /// - Returns: nil without points.
    public static func ink(
        _ strokes: [[Point]], color: Color = Color(red: 0, green: 0, blue: 0), width: Double = 1, pen: Pen? = nil
    ) -> PageAnnotation? {
        let strokes = strokes.filter { !$0.isEmpty }
        let points = strokes.flatMap(\.self)
        guard let left = points.map(\.x).min(), let right = points.map(\.x).max(), let top = points.map(\.y).min(),
            let bottom = points.map(\.y).max()
        else { return nil }
        var annotation = PageAnnotation(
            kind: .ink, part: PagePart(x: left, y: top, width: right - left, height: bottom - top))
        (annotation.strokes, annotation.color, annotation.width) = (strokes, color, width)
        annotation.pen = pen
        return annotation
    }
}
