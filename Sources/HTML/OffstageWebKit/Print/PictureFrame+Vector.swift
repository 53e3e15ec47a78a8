import Foundation
import Offstage

/// Makes vector pictures of a document's boxes: each is a window onto the printed page.
extension PictureFrame {
    /// - Throws: If a picture is larger than a page of a PDF file can be.
    func checkVector() throws(DrawingError) {
        for box in boxes {
            let size = size(of: box)
            if max(size.width, size.height) > PDFEncoder.limit.side {
                throw .tooLargeForFormat(measured: size, limit: PDFEncoder.limit)
            }
        }
    }

    /// Creates one image for each box.
    func vectorImages(
        of document: Data, _ layout: PrintLayout, _ content: Readiness.Content?
    ) -> [VectorImage] {
        boxes.map { box in
            let window = VectorImage.Window(
                x: Double(box.left) / scale, y: Double(box.top) / scale, width: Double(box.size.width) / scale,
                height: Double(box.size.height) / scale)
            var page = VectorImage.Page(pointsPerPixel: layout.pointsPerPixel, window: window)
            page.areas =
                PictureContent(areas: content?.areas.map(\.area) ?? [])
                .moved(left: box.left, top: box.top, size: box.size, scale: scale).areas
            return VectorImage(document: document, pages: [page])
        }
    }

    /// The size of a box in CSS px, rounded up.
    private func size(of box: PixelBox) -> PixelSize {
        PixelSize(
            width: Int((Double(box.size.width) / scale).rounded(.up)),
            height: Int((Double(box.size.height) / scale).rounded(.up)))
    }
}
