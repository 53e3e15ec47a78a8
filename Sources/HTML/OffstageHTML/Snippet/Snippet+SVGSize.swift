import Foundation
import Offstage

extension Snippet {
    /// The size that an SVG document declares, or its `viewBox`, in CSS px; nil for another type, and for a document
    /// without a size.
    package var svgSize: (width: Double, height: Double)? { type == .svg ? SVGRoot(inUTF8().html)?.size : nil }

    /// Gives an SVG document its own size, or scales it to a width or a height, as an image. Does nothing for another type, or for
    /// a document that declares no size and no `viewBox`.
    ///
    /// - Parameters:
    ///   - width: CSS px; nil if it follows from the height and the proportions.
    ///   - height: CSS px; nil if it follows from the width and the proportions. If both are given, the drawing fits into them.
    package mutating func fitSVG(width: Int?, height: Int?) {
        self = inUTF8()
        guard type == .svg, let root = SVGRoot(html), let size = root.size else { return }
        // More than any engine draws, so that the error names the document's own size, but small enough for an Int.
        let most = 1e9
        func whole(_ length: Double) -> Int { Int(min(most, max(1, length.rounded(.up)))) }
        guard width != nil || height != nil else {
            geometry.width = whole(size.width)
            geometry.height = .fixed(whole(size.height))
            return
        }
        let ratio = size.height / size.width
        let box = (
            width: width ?? whole(Double(height ?? 1) / ratio), height: height ?? whole(Double(width ?? 1) * ratio)
        )
        geometry.width = box.width
        geometry.height = .fixed(box.height)
        styleSheets.append(":root { width: \(box.width)px !important; height: \(box.height)px !important }")
        // Without a `viewBox`, nothing would be scaled.
        if root.viewBox == nil {
            let place = html.startIndex + root.insertion
            html.insert(contentsOf: Data(" viewBox=\"0 0 \(size.width) \(size.height)\"".utf8), at: place)
        }
    }
}
