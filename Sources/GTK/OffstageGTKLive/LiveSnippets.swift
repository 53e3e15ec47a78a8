import Offstage
import OffstageGTK
import OffstageWebKit

extension LiveView: LiveRow {}

/// Creates web views for snippets, for a list's `liveRows`.
public struct LiveSnippets: LiveRowProvider {
    private let engine: WebEngine

    /// - Parameter engine: starts the web processes of the views. It draws no pictures.
    public init(engine: WebEngine) { self.engine = engine }

    public func liveRow(for request: Snippet) async throws -> any LiveRow {
        try await LiveView(of: request, engine: engine)
    }
}

extension Renderer {
    /// Live rows for the snippets that this renderer draws; empty without an engine for HTML.
    @MainActor public var liveSnippets: [any LiveRowProvider] {
        if let engine = engine(WebEngine.self) { return [LiveSnippets(engine: engine)] }
        guard let drawing = engine(HTMLEngine.self) else { return [] }
        let engine = WebEngine(allowedHosts: drawing.allowedHosts)
        engine.sandbox = drawing.sandbox
        return [LiveSnippets(engine: engine)]
    }
}
