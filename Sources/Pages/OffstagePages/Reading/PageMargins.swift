import COffstagePages
import Offstage

/// The part of a page inside its empty margins.
package enum PageMargins {
    /// Finds the part of a picture that differs from the paper's colour, which is taken from the corners.
    ///
    /// - Parameter pixmap: the picture of a whole page.
    /// - Returns: the part, enlarged by a hundredth of the page on each side; the whole page if it is empty, or if its
    ///   corners differ.
    package static func content(of pixmap: Pixmap) -> PagePart {
        var box = [Int32](repeating: 0, count: 4)
        let (width, height) = (pixmap.size.width, pixmap.size.height)
        let isFound = offstage_pages_content(
            pixmap.address, Int32(clamping: width), Int32(clamping: height), pixmap.bytesPerRow, &box)
        guard isFound else { return .whole }
        let border = 0.01
        let left = max(0, Double(box[0]) / Double(width) - border)
        let top = max(0, Double(box[1]) / Double(height) - border)
        let right = min(1, Double(box[2]) / Double(width) + border)
        let bottom = min(1, Double(box[3]) / Double(height) + border)
        return PagePart(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// The picture for a dark room: lightness is inverted, and colours keep their hue.
    package static func darkened(_ pixmap: Pixmap) -> Pixmap {
        .filled(size: pixmap.size, isOpaque: pixmap.isOpaque) { bytes in
            guard let base = bytes.baseAddress else { return }
            for y in 0..<pixmap.size.height {
                offstage_pages_darken(
                    pixmap.address + y * pixmap.bytesPerRow, base + y * 4 * pixmap.size.width,
                    Int32(clamping: pixmap.size.width))
            }
        }
    }
}
