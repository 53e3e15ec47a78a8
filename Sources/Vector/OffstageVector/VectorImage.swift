import Foundation
import Offstage

/// A picture that keeps its lines and text: windows onto the pages of a PDF document as the engine wrote it.
///
/// The document is an intermediate result with whole fonts, and may contain dates. The encoders (`PDFEncoder`,
/// `SVGEncoder`) turn it into the caller's file.
public struct VectorImage: VectorPicture {
    /// The PDF document.
    public var document: Data
    /// The pages. Never empty; exactly one unless the picture was drawn for paper.
    public var pages: [Page]
    /// The colour behind the drawing. It fills each page.
    public var background: Color
    /// The colour around the windows; nil for the background.
    public var edge: Color?
    /// The data that the picture was drawn from, such as the peaks of a sound, for data formats. Nil, the default, for
    /// none.
    public var data: (any Sendable)?
    /// The texts of emoji that consist of several characters, by glyph, for each font by its PostScript name.
    public var emoji: [String: [Int: String]] = [:]
    /// The title for readers and search engines. Nil, the default, for none.
    public var title: String?
    /// The language of the text, such as `de-AT`; nil, the default, if it is unknown.
    public var language: String?
    /// The picture as pixels, for a format that cannot represent what the document paints. Nil if not needed.
    public var pixels: Pixels?

    public init(document: Data, pages: [Page], background: Color = .white) {
        precondition(!pages.isEmpty, "a vector image has at least one page")
        self.document = document
        self.pages = pages
        self.background = background
    }

    /// A finished page: a part of one of the document's pages, and its position.
    public struct Page: Sendable, Codable {
        /// The index of the document's page.
        public var number: Int
        /// Points in the document per CSS px.
        public var pointsPerPixel: Double
        /// The visible part of the document's page, in CSS px from its upper left corner.
        public var window: Window
        /// The position of the window's upper left corner on the finished page, in CSS px.
        public var left = 0.0
        public var top = 0.0
        /// The size of the finished page in CSS px.
        public var width: Double
        public var height: Double
        /// Areas in the window, in CSS px from its corner.
        public var areas: [PictureArea] = []

        /// Makes a page that shows only the window.
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
        /// The visible part of the document's page.
        public var window: Window

        public init(pixmap: Pixmap, window: Window) {
            self.pixmap = pixmap
            self.window = window
        }
    }

    /// True if a document paints something that cairo writes incorrectly into an SVG file: masks, including fading
    /// colours, which it misplaces or omits; coloured glyphs such as emoji, which it fills with the text colour;
    /// repeating gradients, which turn black; and blend modes, which it ignores.
    public static func needsPixelsInSVG(_ document: Data) -> Bool {
        // WebKit names the form of a coloured glyph `Xg` and a number, and other forms `X` and a number. Shadings of
        // type 1 are functions of both coordinates.
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

    /// True if a gradient has several hard edges. cairo gets samples of its colours, which may miss a stripe.
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

    /// The first page as a separate document with one point per CSS px and whole fonts.
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

    /// A rectangle in CSS px.
    public struct Window: Sendable, Hashable, Codable {
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

    /// The size of the first page in CSS px, rounded up.
    public var size: PixelSize {
        PixelSize(width: Int(pages[0].width.rounded(.up)), height: Int(pages[0].height.rounded(.up)))
    }
}
