import Offstage
import OffstageInk

/// The picture under the strokes of a page while it is being drawn on: the background file, and the page's texts and
/// images. The canvas draws strokes and paper itself.
enum InkBackdrop {
    /// - Parameters:
    ///   - path: the path of the page's file.
    ///   - index: the page's index.
    /// - Returns: nil for a page with only strokes.
    static func request(for page: InkPage, of path: String, at index: Int) -> (any DrawingRequest)? {
        let name = "\(path)#\(index + 1)"
        let below = if case .paper = page.background { false } else { true }
        var rest = page
        for layer in rest.layers.indices { rest.layers[layer].items.removeAll { $0.stroke != nil } }
        let hasRest = rest.layers.contains { !$0.items.isEmpty }
        var above = InkDrawing(InkDocument(Ink(pages: [rest])), identifier: name)
        above.scale = 2
        guard below else { return hasRest ? above : nil }
        guard let document = try? InkDocument(contentsOf: path) else { return nil }
        var background = InkDrawing(document, page: index + 1, identifier: name)
        (background.content, background.scale) = (.plain, 2)
        return hasRest ? OverlaidRequest(background, above: above) : background
    }
}
