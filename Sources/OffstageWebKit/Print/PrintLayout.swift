import Offstage

/// How a document is laid out on WebKit's paper so that it gets the width that it has on the screen, CSS px for CSS px.
struct PrintLayout {
    /// WebKit lays a page out 1.25 times as wide as its paper has points (PrintContext's minimum shrink factor), in whole CSS px,
    /// and paints it so large that it fills the paper.
    private static let shrinking = 1.25
    /// Below content that decides the height, CSS px: a fraction of a px more on paper makes no second page.
    private static let rest = 64

    /// Of the page that is laid out, CSS px.
    let width: Int
    let height: Int

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// One page that holds all of a document.
    ///
    /// - Parameter width: CSS px that it does not go beyond.
    init(of geometry: Geometry, _ readiness: Readiness, width: Int) {
        self.width = width
        let viewport = geometry.resolvedViewportHeight
        // What is placed from the page's lower edge stands where it stands in the viewport.
        height = readiness.height > viewport || viewport == 1 ? readiness.height + Self.rest : viewport
    }

    /// Points of WebKit's document to a CSS px.
    var pointsPerPixel: Double { paperWidth / Double(width) }
    /// Points; half a CSS px more, so that no rounding makes it less than the whole ones.
    var paperWidth: Double { (Double(width) + 0.5) / Self.shrinking }
    var paperHeight: Double { (Double(height) + 0.5) * pointsPerPixel }
}
