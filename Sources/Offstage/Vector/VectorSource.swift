internal import COffstageVector
import Foundation

/// Paints a vector image's first page by poppler and cairo.
struct VectorSource {
    private let image: VectorImage

    init(_ image: VectorImage) { self.image = image }

    /// As an SVG file.
    func svg() throws(EncodingError) -> Data {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        try paint { document, length, page in offstage_vector_svg(document, length, page, &bytes, &count) }
        guard let bytes else { throw EncodingError("cairo: no file") }
        return Data(bytesNoCopy: bytes, count: count, deallocator: .free)
    }

    /// - Parameter scale: device px to a CSS px.
    func pixmap(scale: Double) throws(EncodingError) -> Pixmap {
        let page = image.pages[0]
        let size = PixelSize(
            width: Int((page.width * scale).rounded(.up)), height: Int((page.height * scale).rounded(.up)))
        var outcome = Result<Void, EncodingError>.success(())
        let pixmap = Pixmap.filled(size: size, isOpaque: image.background.isOpaque) { memory in
            memory.initializeMemory(as: UInt8.self, repeating: 0)
            do throws(EncodingError) {
                try paint { document, length, page in
                    offstage_vector_paint(
                        document, length, page, scale, memory.baseAddress, Int32(size.width), Int32(size.height))
                }
            } catch { outcome = .failure(error) }
        }
        try outcome.get()
        return pixmap
    }

    /// - Parameter body: nil, or why it did not work.
    private func paint(
        _ body: (UnsafeRawPointer?, Int, UnsafePointer<offstage_vector_page>) -> UnsafePointer<CChar>?
    ) throws(EncodingError) {
        let page = image.pages[0]
        var raw = offstage_vector_page()
        (raw.width, raw.height, raw.left, raw.top) = (page.width, page.height, page.left, page.top)
        (raw.x, raw.y) = (page.window.x, page.window.y)
        (raw.shown_width, raw.shown_height) = (page.window.width, page.window.height)
        (raw.number, raw.points_per_pixel) = (Int32(page.number), page.pointsPerPixel)
        raw.background = offstage_color(image.background)
        let edge = image.edge.map { offstage_color($0) }
        let problem = image.document.withUnsafeBytes { document in
            func run(_ edge: UnsafePointer<offstage_color>?) -> String? {
                raw.edge = edge
                return body(document.baseAddress, document.count, &raw).map { String(cString: $0) }
            }
            guard let edge else { return run(nil) }
            return withUnsafePointer(to: edge) { run($0) }
        }
        if let problem { throw EncodingError(problem) }
    }
}

extension offstage_color {
    fileprivate init(_ color: Color) {
        self.init(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
    }
}
