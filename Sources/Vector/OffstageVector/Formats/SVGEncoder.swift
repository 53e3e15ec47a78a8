import Foundation
import Offstage

/// SVG whose text is outlines, so it looks the same everywhere, without the fonts.
///
/// A picture with masks (fading colours, `mask-image`) or emoji is embedded as pixels at twice the size, because cairo,
/// which writes the file, misplaces masks and draws emoji in one colour.
public struct SVGEncoder: Sendable, Hashable {
    public init() {}

    func encode(_ image: VectorImage) throws(EncodingError) -> Data {
        if let pixels = image.pixels { return try encode(pixels, of: image) }
        if VectorImage.needsPixelsInSVG(image.document) {
            throw EncodingError("SVG cannot store a picture of this size with masks, fading colours or emoji; use pdf")
        }
        return SVGNames.renumbered(SVGClips.ruled(try PDFToCairo(document: try image.firstPage()).svg()))
    }

    private func encode(_ pixels: VectorImage.Pixels, of image: VectorImage) throws(EncodingError) -> Data {
        let page = image.pages[0]
        let scale = Double(pixels.pixmap.size.width) / pixels.window.width
        let png = try PNGEncoder(level: 6).encode(pixels.pixmap, scale: scale).base64EncodedString()
        let size = "width=\"\(number(page.width))\" height=\"\(number(page.height))\""
        let window = "width=\"\(number(page.window.width))\" height=\"\(number(page.window.height))\""
        let part = [
            page.window.x - pixels.window.x, page.window.y - pixels.window.y, page.window.width, page.window.height,
        ]
        return Data(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \(size) \
            viewBox="0 0 \(number(page.width)) \(number(page.height))" version="1.1">
            <rect \(size) style="fill:\(rgb(image.edge ?? image.background))"/>
            <svg x="\(number(page.left))" y="\(number(page.top))" \(window) \
            viewBox="\(part.map(number).joined(separator: " "))">
            <image width="\(number(pixels.window.width))" height="\(number(pixels.window.height))" \
            xlink:href="data:image/png;base64,\(png)"/>
            </svg>
            </svg>

            """.utf8)
    }

    private func number(_ value: Double) -> String { String(format: "%g", value) }

    private func rgb(_ color: Color) -> String {
        let parts = [color.red, color.green, color.blue].map { number($0 * 100) + "%" }
        return "rgb(\(parts.joined(separator: ",")));fill-opacity:\(number(color.alpha))"
    }
}
