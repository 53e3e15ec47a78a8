import Offstage

extension Medium {
    /// True for pages of paper, to which the content has to fit.
    package var isPaper: Bool {
        if case .vector(.some) = self { true } else { false }
    }
}

extension Snippet {
    /// The same snippet for another medium. On paper, it is as wide as the paper's content box, and `100vh` is the height of a
    /// page. A vector picture has no scale of its own; its scale, rounded up and at least 2, only selects images for
    /// high-resolution screens.
    public func drawn(into medium: Medium) -> Snippet {
        var snippet = self
        snippet.medium = medium
        guard case .vector(let paper) = medium else { return snippet }
        snippet.geometry.scale = max(2, geometry.scale.rounded(.up))
        snippet.geometry.formatLimit = nil
        if let content = paper?.content {
            snippet.geometry.width = content.width
            snippet.geometry.shrinksToFit = false
            snippet.geometry.height = .content
            snippet.geometry.minimumHeight = nil
            snippet.geometry.maximumHeight = nil
            snippet.geometry.viewportHeight = content.height
        }
        return snippet
    }

    /// True if the drawing looks for links and named elements. A page's file always contains them, even if `keepsAreas` is
    /// false.
    package var findsAreas: Bool { keepsAreas || medium != .pixels }
}
