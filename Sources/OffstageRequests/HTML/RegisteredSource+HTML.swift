import Offstage
import OffstageWebKit
import OffstageWorkers

extension RegisteredSource {
    /// HTML, XHTML and SVG documents.
    package static let html = RegisteredSource(
        "html", textKey: "html", fileExtensions: ["html", "htm", "svg"], partExtensions: ["svg"],
        mediaTypes: [
            MediaType("text/html", isText: true),
            MediaType("application/xhtml+xml", isText: true, options: ["type": "xhtml"]),
            MediaType("image/svg+xml", isText: true, options: ["type": "svg"]),
        ],
        options: HTMLOptions.table.declarations(), limits: HTMLOptions.limits.declarations(),
        inspector: { _ in SnippetInspector() },
        settings: { options, limit throws(UsageError) in try HTMLSettings(options, limit: limit) },
        engine: { options, views in
            let engine = WebEngine(views: views, allowedHosts: options.hosts)
            engine.sandbox = options.sandbox
            return engine
        })
}

private struct SnippetInspector: SourceInspector {
    func facts(about request: any DrawingRequest) async throws(DrawingError) -> [String: SourceFact] {
        guard let snippet = request as? Snippet else { return [:] }
        var facts: [String: SourceFact] = [
            "kind": .text(snippet.type.rawValue.uppercased()), "charset": .text(snippet.charset),
            "bytes": .number(Double(snippet.html.count)),
        ]
        if let size = snippet.svgSize {
            facts["width"] = .number(size.width)
            facts["height"] = .number(size.height)
        }
        return facts
    }

    func protections() async throws(EngineUnavailable) -> WorkerProtections? { nil }

    func shutDown() async {}
}
