extension VectorImage {
    /// What is looked at for the edges that are cut off: device px to a CSS px.
    private static let trimmingScale = 2.0

    /// The picture with its edges as the request wants them. Pages of a paper stay as they are: they have margins of their own.
    func finished(with margins: Margins) throws(EncodingError) -> FinishedPicture {
        var image = self
        guard pages.count == 1, margins.isTrimmed || margins.padding > 0 else {
            return FinishedPicture(picture: .vector(self), left: 0, top: 0)
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
        return FinishedPicture(picture: .vector(image), left: Int(left), top: Int(top))
    }

    private func trim(_ page: inout Page) throws(EncodingError) {
        let scale = Self.trimmingScale
        let box = try VectorSource(self).pixmap(scale: scale).contentBox()
        // To whole CSS px.
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
