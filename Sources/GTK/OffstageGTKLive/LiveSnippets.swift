import Offstage
import OffstageGTK
import OffstageWebKit

extension LiveView: LiveRow {}

/// Creates web views for snippets, for a list's `liveRows`.
public struct LiveSnippets: LiveRowProvider {
    private let engine: WebEngine

    /// - Parameter engine: the engine that draws the snippets' pictures.
    public init(engine: WebEngine) { self.engine = engine }

    public func liveRow(for request: Snippet) async throws -> any LiveRow {
        try await LiveView(of: request, engine: engine)
    }
}

extension Renderer {
    /// Live rows for the snippets that this renderer draws; empty without a `WebEngine`.
    @MainActor public var liveSnippets: [any LiveRowProvider] {
        engine(WebEngine.self).map { [LiveSnippets(engine: $0)] } ?? []
    }
}
