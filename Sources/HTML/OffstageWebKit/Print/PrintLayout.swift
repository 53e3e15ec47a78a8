import Offstage

/// The layout of a document on WebKit's paper. It has the same width in CSS px as on the screen.
struct PrintLayout {
    /// WebKit lays a page out 1.25 times as wide as its paper is in points (PrintContext's minimum shrink factor), in whole CSS
    /// px. It then scales the page to fill the paper.
    private static let shrinking = 1.25
    /// CSS px added below content that determines the height. Otherwise, an additional fraction of a px on paper would
    /// start a second page.
    private static let rest = 64

    /// Size of the laid-out page in CSS px.
    let width: Int
    let height: Int

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The layout of a whole document on one page.
    ///
    /// - Parameter width: a width that the document's content does not exceed, in CSS px.
    init(of geometry: Geometry, _ readiness: Readiness, width: Int) {
        self.width = width
        let viewport = geometry.resolvedViewportHeight
        // A page as high as the viewport: elements positioned from its lower edge are at the same position as in the
        // viewport.
        height = readiness.height > viewport || viewport == 1 ? readiness.height + Self.rest : viewport
    }

    /// Points of WebKit's document per CSS px.
    var pointsPerPixel: Double { paperWidth / Double(width) }
    /// The width in points, with half a CSS px added so that rounding never yields less than the whole number.
    var paperWidth: Double { (Double(width) + 0.5) / Self.shrinking }
    var paperHeight: Double { (Double(height) + 0.5) * pointsPerPixel }
}
