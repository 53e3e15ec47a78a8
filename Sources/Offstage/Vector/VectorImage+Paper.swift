import Foundation

extension VectorImage {
    /// All pages of a document, each on a page of a paper.
    ///
    /// - Parameters:
    ///   - pointsPerPixel: points of the document to a CSS px; its pages were laid out for the paper's content.
    /// - Throws: for what is no PDF document.
    public init(document: Data, pointsPerPixel: Double, on paper: Paper) throws(EncodingError) {
        let points = Paper.pointsPerCSSPixel
        let content = paper.content
        let window = Window(x: 0, y: 0, width: Double(content.width), height: Double(content.height))
        let count = try PDFDocument(document).pageCount
        guard count > 0 else { throw EncodingError("qpdf: the document has no page") }
        self.init(
            document: document,
            pages: (0..<count).map { number in
                var page = Page(number: number, pointsPerPixel: pointsPerPixel, window: window)
                (page.left, page.top) = (paper.margin / points, paper.margin / points)
                (page.width, page.height) = (paper.width / points, paper.height / points)
                return page
            })
    }
}
