import Offstage

extension Snippet {
    /// The same in another medium. On paper it is as wide as the paper has room, and 100vh are a page; a vector image has no
    /// scale, but images for fine screens are chosen: by the scale, at least 2.
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

    /// Links are in a page's file whoever asks for them elsewhere.
    var findsAreas: Bool { keepsAreas || medium != .pixels }
}
