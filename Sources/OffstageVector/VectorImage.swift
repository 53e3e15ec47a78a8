import Foundation
import Offstage

/// A drawing that keeps its lines and letters: windows upon the pages of a PDF document, as the engine wrote it.
///
/// The document is between the engine and the encoders (`PDFEncoder`, `SVGEncoder`), which make of it what a caller gets: its
/// fonts are whole, and it may say when it was made.
public struct VectorImage: VectorPicture {
    /// A PDF document.
    public var document: Data
    /// At least one; one alone, unless it was drawn for a paper.
    public var pages: [Page]
    /// The colour behind the drawing, up to the edges of each page.
    public var background: Color
    /// The colour around the windows; nil for the background.
    public var edge: Color?
    /// The data that the picture was drawn from, for formats of data, such as the peaks of a sound; nil, the default, for nothing.
    public var data: (any Sendable)?
    /// The texts of emoji that consist of several characters: by glyph, for each font by its PostScript name.
    public var emoji: [String: [Int: String]] = [:]
    /// For readers and search engines; nil, the default, for none.
    public var title: String?
    /// The language of the text, such as `de-AT`; nil, the default, if it is unknown.
    public var language: String?
    /// The same as pixels, for a format that cannot hold what the document paints; nil where it is not needed.
    public var pixels: Pixels?

    public init(document: Data, pages: [Page], background: Color = .white) {
        precondition(!pages.isEmpty, "a vector image has at least one page")
        self.document = document
        self.pages = pages
        self.background = background
    }

    /// A finished page: a part of one of the document's, and where it is put.
    public struct Page: Sendable {
        /// Of the document's pages, from 0.
        public var number: Int
        /// Points in the document to a CSS px.
        public var pointsPerPixel: Double
        /// The visible part of the document's page, CSS px from its upper left corner.
        public var window: Window
        /// The position of the window's upper left corner in the finished page, CSS px.
        public var left = 0.0
        public var top = 0.0
        /// Of the finished page, CSS px.
        public var width: Double
        public var height: Double
        /// In the window, CSS px from its corner.
        public var areas: [PictureArea] = []

        /// The window alone.
        public init(number: Int = 0, pointsPerPixel: Double, window: Window) {
            self.number = number
            self.pointsPerPixel = pointsPerPixel
            self.window = window
            width = window.width
            height = window.height
        }
    }

    public struct Pixels: Sendable {
        public var pixmap: Pixmap
        /// Of the document's page, which they show.
        public var window: Window

        public init(pixmap: Pixmap, window: Window) {
            self.pixmap = pixmap
            self.window = window
        }
    }

    /// True if a document paints what cairo writes wrongly into an SVG file: masks, as for colours that fade away, which it puts
    /// in wrong places or leaves out, letters with colours of their own, such as emoji, which it fills with the text's, gradients that
    /// repeat, which become black, and blend modes, which become plain.
    public static func needsPixelsInSVG(_ document: Data) -> Bool {
        // WebKit names what such a letter paints `Xg` and its number, and all else `X` and a number. Shadings of type 1 are functions
        // of both coordinates.
        let marks = ["/S /Luminosity", "/S /Alpha", "/XObject <</Xg", "/ShadingType 1"]
        if marks.contains(where: { document.range(of: Data($0.utf8)) != nil }) { return true }
        let (mode, plain) = (Data("/BM /".utf8), Data("Normal".utf8))
        var place = document.startIndex
        while let found = document.range(of: mode, in: place..<document.endIndex) {
            if !document[found.upperBound...].starts(with: plain) { return true }
            place = found.upperBound
        }
        return hasStripes(document)
    }

    /// True if a gradient has several hard edges: cairo is given samples of its colours, which may miss a stripe.
    private static func hasStripes(_ document: Data) -> Bool {
        let bounds = Data("/Bounds [".utf8)
        var place = document.startIndex
        while let found = document.range(of: bounds, in: place..<document.endIndex) {
            place = found.upperBound
            let list = document[place...].prefix { $0 != UInt8(ascii: "]") }
            let numbers = String(decoding: list, as: UTF8.self).split(separator: " ").compactMap { Double($0) }
            let areHard = zip(numbers, numbers.dropFirst()).contains { $1 - $0 < 0.001 }
            if numbers.count > 3, areHard { return true }
        }
        return false
    }

    /// The first page as a document of its own, one point to a CSS px, with whole fonts.
    func firstPage() throws(EncodingError) -> Data {
        let document = try PDFDocument(document)
        let placing = PDFPlacing(document: document, image: self, pointsPerPixel: 1)
        for (number, object) in (0..<document.pageCount).map(document.page).enumerated() {
            if number == pages[0].number {
                try placing.place(pages[0], in: object)
            } else {
                document.remove(page: object)
            }
        }
        return try document.written()
    }

    /// CSS px.
    public struct Window: Sendable, Hashable {
        public var x: Double
        public var y: Double
        public var width: Double
        public var height: Double

        public init(x: Double, y: Double, width: Double, height: Double) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }
    }

    public var isOpaque: Bool { background.isOpaque }

    public var pageCount: Int { pages.count }

    /// Of the first page, whole CSS px: a fraction counts as one.
    public var size: PixelSize {
        PixelSize(width: Int(pages[0].width.rounded(.up)), height: Int(pages[0].height.rounded(.up)))
    }
}
