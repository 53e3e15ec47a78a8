import Offstage
import OffstagePages

/// The pictures of one page of one document. A cell is never reused for another page.
@MainActor
final class PageCell {
    let place: PagePlan.Place
    /// The name of the page's picture in the cache.
    let identifier: String
    /// The document that the pictures show.
    let document: PageDocument
    /// The width of the page, points.
    let points: Double
    private(set) var thumbnail: PageSurface?
    /// The picture of the whole page; of another size while the right one is being drawn.
    private(set) var full: PageSurface?
    /// The request that `full` answers.
    private(set) var request: DocumentPage.CoalescingKey?
    /// Links and text, in CSS px of a picture of `contentSize`.
    private(set) var content: PictureContent?
    private(set) var contentSize: (width: Double, height: Double) = (1, 1)
    /// The last part of the enlarged page.
    private(set) var sharp: PageSurface?
    /// The width of the whole enlarged page, GTK px.
    private(set) var sharpWidth = 0.0
    /// The reason why the page cannot be drawn.
    var error: RenderError?
    /// The number of the last request for the full picture. Results of earlier ones are ignored. The requests belong to
    /// the page turner: if the cell stops waiting for a request, the request is not cancelled.
    private(set) var visit = 0
    /// The number of consecutive requests that were cancelled elsewhere.
    var cancellations = 0
    /// Waits for the part of the enlarged page.
    var sharpening: RenderTask<[RenderedPicture]>?
    var sharpeningPart: PagePart?
    var sharpeningWidth = 0.0
    /// The words; nil until they have been read.
    var text: PageText?
    var isTextAsked = false
    private var foundInner: PagePart?
    /// The part of the page inside its margins; nil until a picture is ready.
    var inner: PagePart? {
        if foundInner == nil { foundInner = (full ?? thumbnail)?.content() }
        return foundInner
    }

    init(_ place: PagePlan.Place, of book: PageBook) {
        self.place = place
        identifier = book.identifier(ofPage: place.page)
        document = book.document
        points = book.pages.indices.contains(place.page - 1) ? max(1, book.pages[place.page - 1].width) : 612
    }

    var isBlank: Bool { full == nil && thumbnail == nil }

    /// Takes the picture of the whole page, if it belongs to this page.
    ///
    /// - Returns: false for a picture of another page.
    func take(_ image: RenderedPicture, for request: DocumentPage) -> Bool {
        guard image.identifier == identifier, request.document === document else { return false }
        full = PageSurface(image.pixmap)
        self.request = request.coalescingKey
        content = image.content
        contentSize = (Double(image.size.width) / image.scale, Double(image.size.height) / image.scale)
        foundInner = nil
        error = nil
        return true
    }

    func takeThumbnail(_ image: RenderedPicture) {
        guard image.identifier == identifier else { return }
        thumbnail = PageSurface(image.pixmap)
    }

    /// - Parameters:
    ///   - part: the part of the page in the picture.
    ///   - width: the whole page's width, GTK px.
    func takeSharp(_ image: RenderedPicture, part: PagePart, width: Double) {
        guard image.identifier == identifier + " part" else { return }
        sharp = PageSurface(image.pixmap, part: part)
        sharpWidth = width
    }

    /// Begins to wait for a request.
    func beginVisit() -> Int {
        visit += 1
        return visit
    }

    func dropSharp() {
        sharpening?.cancel()
        (sharpening, sharpeningPart, sharp) = (nil, nil, nil)
    }

    /// Cancels the requests, and keeps the pictures.
    func withdraw() {
        visit += 1
        sharpening?.cancel()
        (sharpening, sharpeningPart) = (nil, nil)
    }

    /// The links, with positions as fractions of the page.
    var links: [(part: PagePart, target: String)] {
        (content?.areas ?? []).compactMap { area in
            area.target.map { target in
                let (width, height) = contentSize
                return (
                    PagePart(
                        x: area.x / width, y: area.y / height, width: area.width / width, height: area.height / height),
                    target
                )
            }
        }
    }
}
