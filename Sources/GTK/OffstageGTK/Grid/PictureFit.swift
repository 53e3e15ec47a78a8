import Offstage
import OffstageLists

/// The size of a picture in a cell.
enum PictureFit {
    /// Fits a picture into the box: in its own size, or reduced if it is too large. A picture that was requested at
    /// another size is stretched by as much as the box has grown since. A thumbnail is shown at the size that its
    /// picture will have.
    ///
    /// - Parameters:
    ///   - box: the cell's box for pictures, GTK px.
    ///   - thumbnail: the box of thumbnails, device px.
    /// - Returns: the size, GTK px.
    @MainActor
    static func size(of picture: RowPicture, in box: ItemBox, thumbnail: PixelSize?) -> (width: Double, height: Double)
    {
        let (pixels, asked) = (picture.image.size, picture.asked)
        let room = (width: Double(max(1, asked.width)), height: Double(max(1, asked.height)))
        // Requests have a maximum scale; at a higher zoom, the picture is enlarged.
        let natural = asked.zoom / asked.deviceScale
        let (width, height) = (Double(pixels.width) * natural, Double(pixels.height) * natural)
        var factor = min(room.width / width, room.height / height)
        // A thumbnail smaller than its box belongs to a picture of the same size.
        let isReduced =
            picture.quality == .thumbnail
            && thumbnail.map { pixels.width >= $0.width || pixels.height >= $0.height } ?? true
        if !isReduced { factor = min(factor, 1) }
        factor *= Double(box.width) / room.width
        return (width * factor, height * factor)
    }
}
