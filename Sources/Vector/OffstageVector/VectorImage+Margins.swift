import Offstage

extension VectorImage {
    /// The resolution at which the edges are found: device px per CSS px.
    private static let trimmingScale = 2.0

    /// The picture with its edges as the request specifies. Pages with a paper size have their own margins and don't
    /// change.
    public func finished(
        with margins: Margins
    ) throws(EncodingError) -> (picture: any VectorPicture, left: Int, top: Int) {
        var image = self
        guard pages.count == 1, margins.isTrimmed || margins.padding > 0 else {
            return (self, 0, 0)
        }
        var page = pages[0]
        if margins.isTrimmed { try image.trim(&page) }
        let padding = Double(margins.padding)
        page.left += padding
        page.top += padding
        page.width += 2 * padding
        page.height += 2 * padding
        image.edge = margins.color
        image.pages = [page]
        let (left, top) = (page.window.x - pages[0].window.x - padding, page.window.y - pages[0].window.y - padding)
        return (image, Int(left), Int(top))
    }

    private func trim(_ page: inout Page) throws(EncodingError) {
        let scale = Self.trimmingScale
        let box = try PDFToCairo(document: try firstPage()).pixmap(scale: scale, isOpaque: isOpaque).contentBox()
        // Round to whole CSS px.
        let left = Double(box.left / Int(scale))
        let top = Double(box.top / Int(scale))
        page.window.x += left
        page.window.y += top
        page.window.width = min(page.window.width - left, (Double(box.right) / scale).rounded(.up) - left)
        page.window.height = min(page.window.height - top, (Double(box.bottom) / scale).rounded(.up) - top)
        (page.width, page.height) = (page.window.width, page.window.height)
        page.areas =
            PictureContent(areas: page.areas).moved(
                left: Int(left), top: Int(top), size: PixelSize(width: Int(page.width), height: Int(page.height)),
                scale: 1
            ).areas
    }
}
