import Foundation
import Offstage

/// PDF with text as text, embedded fonts reduced to the glyphs used, and links. The same drawing gives the same bytes,
/// so the file contains no dates.
public struct PDFEncoder: Sendable, Hashable {
    /// The paper that the content is laid out for. If nil, the default, the file has one page of the content's size.
    public var paper: Paper?

    /// The longest side of a page that every reader supports, 14,400 points (PDF 32000-1, Annex C), in CSS px.
    public static let limit = FormatLimit(format: "PDF", side: 19_200)

    public init(paper: Paper? = nil) { self.paper = paper }

    func encode(_ image: VectorImage) throws(EncodingError) -> Data {
        let document = try PDFDocument(image.document)
        let placing = PDFPlacing(document: document, image: image, pointsPerPixel: Paper.pointsPerCSSPixel)
        let pages = (0..<document.pageCount).map(document.page)
        var finished: [(page: VectorImage.Page, object: PDFDocument.Object)] = []
        for (number, object) in pages.enumerated() {
            if let page = image.pages.first(where: { $0.number == number }) {
                try placing.place(page, in: object)
                finished.append((page, object))
            } else {
                document.remove(page: object)
            }
        }
        PDFLinks(document: document, pages: finished).add()
        // Most documents have no masks, and examining all objects takes time.
        if image.document.range(of: Data("/S /Alpha".utf8)) != nil { PDFMasks(document: document).rewrite() }
        // Most documents have no Type 3 fonts either.
        let hasDrawnFonts = image.document.range(of: Data("/Type3".utf8)) != nil
        PDFFonts(document: document).subset()
        PDFEmoji(document: document, texts: image.emoji).name()
        if hasDrawnFonts { PDFColorGlyphs(document: document).rewrite() }
        PDFUnicode(document: document).normalize()
        document.forgetDates()
        document.describe(title: image.title, language: image.language)
        return try document.written()
    }
}
