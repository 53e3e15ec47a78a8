import Foundation
import Offstage

extension VectorImage {
    /// The blue component of the colours that mark areas. Red and green encode the mark's number XOR `markMask`. Marks
    /// are almost transparent, so they are invisible.
    public enum MarkKind: Int, Sendable {
        /// A link. The number is an index of `targets`.
        case link = 199
        /// An element that links refer to. The number is an index of `names`.
        case name = 198
    }

    public static let markMask = 0xA55A

    /// The meaning of a document's marks.
    public struct Marks: Sendable {
        /// The links' targets, by number.
        public var targets: [String]
        /// The elements' names, by number.
        public var names: [String]

        public init(targets: [String] = [], names: [String] = []) {
            self.targets = targets
            self.names = names
        }
    }

    /// Places each page of a document on a sheet of paper.
    ///
    /// - Parameters:
    ///   - data: the document.
    ///   - paper: the size and margins of the finished pages.
    ///   - pointsPerPixel: points in the document per CSS px. Its pages were laid out for the paper's content area.
    ///   - marks: the links and their targets.
    /// - Throws: if the data is not a PDF document.
    public init(
        document data: Data, pointsPerPixel: Double, on paper: Paper, marks: Marks = Marks()
    ) throws(EncodingError) {
        let points = Paper.pointsPerCSSPixel
        let content = paper.content
        let window = Window(x: 0, y: 0, width: Double(content.width), height: Double(content.height))
        let document = try PDFDocument(data)
        var pages: [Page] = []
        for number in 0..<document.pageCount {
            var page = Page(number: number, pointsPerPixel: pointsPerPixel, window: window)
            (page.left, page.top) = (paper.margin / points, paper.margin / points)
            (page.width, page.height) = (paper.width / points, paper.height / points)
            if !marks.targets.isEmpty {
                let object = document.page(number)
                let height = document.numbers(of: document[object, "MediaBox"]).last ?? 0
                let found = PDFMarks(try document.content(ofPage: object))
                page.areas = marks.areas(found, height: height, pointsPerPixel: pointsPerPixel)
            }
            pages.append(page)
        }
        guard !pages.isEmpty else { throw EncodingError("qpdf: the document has no page") }
        self.init(document: data, pages: pages)
    }
}

extension VectorImage.Marks {
    /// - Parameter height: the height of the document's page, in points.
    fileprivate func areas(_ found: PDFMarks, height: Double, pointsPerPixel: Double) -> [PictureArea] {
        var areas: [PictureArea] = []
        func add(_ mark: PDFMarks.Mark, target: String? = nil, identifier: String? = nil) {
            for box in found.boxes[mark] ?? [] {
                areas.append(
                    PictureArea(
                        x: box.left / pointsPerPixel, y: (height - box.top) / pointsPerPixel,
                        width: (box.right - box.left) / pointsPerPixel, height: (box.top - box.bottom) / pointsPerPixel,
                        target: target, identifier: identifier))
            }
        }
        for (number, target) in targets.enumerated() { add(PDFMarks.Mark(kind: .link, number: number), target: target) }
        for (number, name) in names.enumerated() { add(PDFMarks.Mark(kind: .name, number: number), identifier: name) }
        return areas
    }
}
