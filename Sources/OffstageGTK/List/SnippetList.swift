import Offstage
import OffstageWebKit

/// A list of HTML snippets. Its rows can turn into live web views.
public typealias SnippetList = PictureList<WebEngine>

extension PictureList where E == WebEngine {
    /// A list whose rows can be live.
    ///
    /// - Parameters:
    ///   - renderer: draws the rows' pictures, and keeps them as it is configured to.
    ///   - source: kept by the list.
    ///   - options: how the list looks and how far it looks ahead.
    public convenience init(
        renderer: Renderer<WebEngine>, source: some ListSource<Snippet>, options: ListOptions = ListOptions()
    ) {
        self.init(
            renderer: renderer, source: source, options: options,
            liveMaker: { try await LiveView(of: $0, engine: renderer.engine) })
    }
}
